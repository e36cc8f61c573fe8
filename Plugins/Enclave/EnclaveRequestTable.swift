import Protocol

/// The requests that the enclave takes, by message number.
///
/// Requests of applications and of the keychain come in envelopes that the core has not looked
/// into. Each envelope has a table of its own; a message that is not in it is refused.
enum EnclaveRequestTable {
  private typealias Entries = [UInt8: any RequestEntry]

  /// Carries out one request, or refuses bytes that are none.
  static func answer(_ request: Span<UInt8>, _ enclave: Enclave) throws(Failure) -> SecretBytes {
    do {
      return try carryOut(request, enclave)
    } catch {
      throw error as? Failure
        ?? Failure(
          .coreFailed, "the enclave cannot read a request: \(error)",
          hint: "core and enclave belong to different versions, or the core is faulty")
    }
  }

  /// - Throws: `Failure`, or `DecodeError` for bytes that are no request.
  private static func carryOut(
    _ request: Span<UInt8>, _ enclave: Enclave
  ) throws -> SecretBytes {
    switch request.isEmpty ? 0 : request[0] {
    case ApplicationRequest.number:
      let envelope = try ApplicationRequest(decoding: request)
      return try answer(envelope.message, in: applications, context: envelope.context, enclave)
    case KeychainRequest.number:
      let envelope = try KeychainRequest(decoding: request)
      return switch envelope.message.isEmpty ? 0 : envelope.message[0] {
      case SealItem.number: try sealItem(envelope.message, context: envelope.context, enclave)
      case SealItems.number: try sealItems(envelope.message, context: envelope.context, enclave)
      default: try answer(envelope.message, in: keychain, context: envelope.context, enclave)
      }
    case SeveralRequests.number: return try answerSeveral(request, enclave)
    default: return try answer(request, in: core, context: nobodys, enclave)
    }
  }

  /// Carries out requests of the core up to the first that fails, and returns the last reply.
  private static func answerSeveral(
    _ request: Span<UInt8>, _ enclave: Enclave
  ) throws -> SecretBytes {
    var reply = SecretBytes(count: 0)
    for request in try SeveralRequests.decode(request).requests {
      reply = try answer(request.span, in: core, context: nobodys, enclave)
    }
    return reply
  }

  private static func answer(
    _ message: Span<UInt8>, in entries: Entries, context: ContextName, _ enclave: Enclave
  ) throws -> SecretBytes {
    let number = message.isEmpty ? 0 : message[0]
    guard let entry = entries[number] else { throw DecodeError.unknownMessage(number: number) }
    return try entry.answer(message, enclave, context: context)
  }

  /// The context of requests that the core makes for itself.
  private static let nobodys = ContextName(
    noContext, of: Requester(application: "", connection: 0))

  private static let core: Entries = {
    var entries: Entries = [:]
    addDevice(to: &entries)
    addTouches(to: &entries)
    return entries
  }()

  private static func addDevice(to entries: inout Entries) {
    replying(GetEnclaveStatus.self, &entries) { (enclave, _) throws(Failure) in enclave.status }
    doing(TightenRules.self, &entries) { (enclave, message) throws(Failure) in
      enclave.state.rules.tighten(to: message.rules)
    }
    doing(LockDevice.self, &entries) { (enclave, _) throws(Failure) in try enclave.lockDevice() }
    doing(UnlockWithMatch.self, &entries) { (enclave, message) throws(Failure) in
      try enclave.unlockDevice(withMatchOf: message.context, isReusable: message.isReusable)
    }
    doing(OpenContext.self, &entries) { (enclave, message) throws(Failure) in
      try enclave.evidence.open(message)
    }
    doing(CloseContext.self, &entries) { (enclave, message) throws(Failure) in
      enclave.closeContext(message.context)
    }
    doing(ForgetEvidence.self, &entries) { (enclave, message) throws(Failure) in
      enclave.evidence.forget(in: message.context)
    }
    doing(CloseContexts.self, &entries) { (enclave, message) throws(Failure) in
      enclave.closeContexts(of: message.requester)
    }
    replying(GetContextEvidence.self, &entries) { (enclave, message) throws(Failure) in
      try enclave.evidence.evidence(of: message.context)
    }
    doing(SetPasscode.self, &entries) { (enclave, message) throws(Failure) in
      try enclave.setPasscode(message)
    }
    doing(VerifyPasscode.self, &entries) { (enclave, message) throws(Failure) in
      try enclave.verifyPasscode(message)
    }
    doing(ReplacePasscode.self, &entries) { (enclave, message) throws(Failure) in
      try enclave.changePasscode(message)
    }
    doing(ErasePasscode.self, &entries) { (enclave, message) throws(Failure) in
      try enclave.removePasscode(message)
    }
    doing(MoveRootKey.self, &entries) { (enclave, message) throws(Failure) in
      try enclave.moveRootKey(message)
    }
    doing(SetStateAside.self, &entries) { (_, _) throws(Failure) in
      throw Failure(
        .errSecParam, "nothing here is bound to a TPM that is gone", hint: "nothing was changed")
    }
  }

  /// Channels, sessions, fingers, and messages of the driver's host.
  private static func addTouches(to entries: inout Entries) {
    doing(OpenChannel.self, &entries) { (enclave, message) throws(Failure) in
      try enclave.touches.openChannel(message)
    }
    doing(CloseChannel.self, &entries) { (enclave, message) throws(Failure) in
      enclave.touches.closeChannel(message.channel)
    }
    doing(BeginMatch.self, &entries) { (enclave, message) throws(Failure) in
      try enclave.touches.beginMatch(message)
    }
    doing(BeginEnrollment.self, &entries) { (enclave, message) throws(Failure) in
      try enclave.touches.beginEnrollment(message)
    }
    doing(BeginChipWork.self, &entries) { (enclave, message) throws(Failure) in
      try enclave.touches.beginWork(message)
    }
    doing(ChipReport.self, &entries) { (enclave, message) throws(Failure) in
      enclave.touches.reportArrived(message)
    }
    doing(AwaitTouch.self, &entries) { (enclave, message) throws(Failure) in
      try enclave.touches.awaitTouch(message.session)
    }
    replying(CommitEnrollment.self, &entries) { (enclave, message) throws(Failure) in
      try enclave.commitEnrollment(message.session)
    }
    doing(EndSession.self, &entries) { (enclave, message) throws(Failure) in
      enclave.touches.endSession(message.session)
    }
    doing(SensorFrame.self, &entries) { (enclave, message) throws(Failure) in
      enclave.touches.frameArrived(message)
    }
    doing(SensorRetry.self, &entries) { (enclave, message) throws(Failure) in
      enclave.touches.retryArrived(message)
    }
    doing(SensorEnd.self, &entries) { (enclave, message) throws(Failure) in
      enclave.touches.endArrived(message)
    }
  }

  private static let applications: Entries = {
    var entries: Entries = [:]
    doing(LockDevice.self, &entries) { (enclave, _) throws(Failure) in try enclave.lockDevice() }
    replying(ListFingers.self, &entries) { (enclave, _) throws(Failure) in
      enclave.touches.fingerList
    }
    add(GiveAppPassword.self, &entries) { (enclave, message, context) throws(Failure) in
      try enclave.takeAppPassword(message, in: context)
      return Done().encoded()
    }
    add(RequirePasscode.self, &entries) { (enclave, _, context) throws(Failure) in
      try enclave.evidence.missingPasscode(context)?.encoded() ?? Done().encoded()
    }
    add(RequireAccess.self, &entries) { (enclave, message, context) throws(Failure) in
      try enclave.require(message.accessControl, in: context)?.encoded() ?? Done().encoded()
    }
    add(GiveBackupKey.self, &entries) { (enclave, message, context) throws(Failure) in
      try enclave.takeBackupKey(message, in: context)
    }
    add(EndBackup.self, &entries) { (enclave, message, context) throws(Failure) in
      try enclave.endBackup(message, in: context).encoded()
    }
    add(ChangeSettings.self, &entries) { (enclave, message, context) throws(Failure) in
      try enclave.changeSettings(message, in: context)?.encoded() ?? Done().encoded()
    }
    add(RenameFinger.self, &entries) { (enclave, message, context) throws(Failure) in
      try enclave.renameFinger(message, in: context)?.encoded() ?? Done().encoded()
    }
    add(RemoveFinger.self, &entries) { (enclave, message, context) throws(Failure) in
      try enclave.removeFinger(message.finger, context: context)?.encoded() ?? Done().encoded()
    }
    return entries
  }()

  /// Not in the tables, whose requests own their fields: the secret is sealed from where it lies.
  private static func sealItem(
    _ message: Span<UInt8>, context: ContextName, _ enclave: Enclave
  ) throws -> SecretBytes {
    let item = try SealItem(decoding: message)
    return try enclave.sealItem(item, in: context).encoded(capacity: message.count + 512)
  }

  /// As ``sealItem(_:context:_:)``.
  private static func sealItems(
    _ message: Span<UInt8>, context: ContextName, _ enclave: Enclave
  ) throws -> SecretBytes {
    let items = try SealItems(decoding: message)
    return try enclave.sealItems(items, in: context).encoded(capacity: message.count)
  }

  /// Requests of the keychain besides ``Protocol/SealItem`` and ``Protocol/SealItems``.
  private static let keychain: Entries = {
    var entries: Entries = [:]
    add(OpenItem.self, &entries) { (enclave, message, context) throws(Failure) in
      try enclave.openItem(message, in: context).encoded()
    }
    add(ResealItem.self, &entries) { (enclave, message, context) throws(Failure) in
      try enclave.resealItem(message, in: context)
    }
    add(OpenItemWithAttributes.self, &entries) { (enclave, message, context) throws(Failure) in
      enclave.openItemWithAttributes(message, in: context)
    }
    add(RequirePresence.self, &entries) { (enclave, _, context) throws(Failure) in
      try enclave.requirePresence(in: context)?.encoded() ?? Done().encoded()
    }
    add(GenerateKey.self, &entries) { (enclave, message, context) throws(Failure) in
      try enclave.generateKey(message, in: context).encoded()
    }
    add(UseSealedKey.self, &entries) { (enclave, message, context) throws(Failure) in
      try enclave.useKey(message, in: context)
    }
    replying(SealAttributes.self, &entries) { (enclave, message) throws(Failure) in
      AttributeBatch(values: try enclave.keys.sealAttributes(message.entries))
    }
    replying(OpenAttributes.self, &entries) { (enclave, message) throws(Failure) in
      enclave.keys.openAttributes(message.entries)
    }
    replying(SealCertificates.self, &entries) { (enclave, message) throws(Failure) in
      AttributeBatch(values: try enclave.keys.sealAttributes(message.entries, as: .certificate))
    }
    replying(OpenCertificates.self, &entries) { (enclave, message) throws(Failure) in
      enclave.keys.openAttributes(message.entries, as: .certificate)
    }
    replying(HashAttributes.self, &entries) { (enclave, message) throws(Failure) in
      AttributeBatch(values: try enclave.keys.hashes(of: message.values))
    }
    addBackup(to: &entries)
    return entries
  }()

  private static func addBackup(to entries: inout Entries) {
    add(SealForBackup.self, &entries) { (enclave, message, context) throws(Failure) in
      try enclave.sealForBackup(message, in: context)
    }
    add(OpenFromBackup.self, &entries) { (enclave, message, context) throws(Failure) in
      try enclave.openFromBackup(message, in: context).encoded()
    }
    add(SealFromBackup.self, &entries) { (enclave, message, context) throws(Failure) in
      try enclave.sealFromBackup(message, in: context).encoded()
    }
    add(OpenBackupEnd.self, &entries) { (enclave, message, context) throws(Failure) in
      try enclave.openBackupEnd(message, in: context).encoded()
    }
  }

  // MARK: Entries

  /// A request that is answered by ``Protocol/Done``.
  private static func doing<Request: WireMessage & ~Copyable>(
    _ type: Request.Type, _ entries: inout Entries,
    _ body: @escaping @Sendable (Enclave, consuming Request) throws(Failure) -> Void
  ) {
    add(type, &entries) { (enclave, request, _) throws(Failure) in
      try body(enclave, request)
      return Done().encoded()
    }
  }

  private static func replying<Request: WireMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ type: Request.Type, _ entries: inout Entries,
    _ body: @escaping @Sendable (Enclave, consuming Request) throws(Failure) -> Reply
  ) {
    add(type, &entries) { (enclave, request, _) throws(Failure) in
      try body(enclave, request).encoded()
    }
  }

  private static func add<Request: WireMessage & ~Copyable>(
    _ type: Request.Type, _ entries: inout Entries,
    _ body:
      @escaping @Sendable (Enclave, consuming Request, ContextName) throws(Failure) -> SecretBytes
  ) {
    entries[Request.number] = Entry<Request>(body: body)
  }
}

private protocol RequestEntry: Sendable {
  func answer(
    _ request: Span<UInt8>, _ enclave: Enclave, context: ContextName
  ) throws -> SecretBytes
}

private struct Entry<Request: WireMessage & ~Copyable>: RequestEntry {
  let body: @Sendable (Enclave, consuming Request, ContextName) throws(Failure) -> SecretBytes

  func answer(
    _ request: Span<UInt8>, _ enclave: Enclave, context: ContextName
  ) throws -> SecretBytes {
    try body(enclave, try Request.decode(request), context)
  }
}
