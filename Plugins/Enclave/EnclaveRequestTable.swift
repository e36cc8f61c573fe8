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
    replying(GetEnclaveStatus.self, &entries) { enclave, _ in enclave.status }
    doing(TightenRules.self, &entries) { $0.state.rules.tighten(to: $1.rules) }
    doing(LockDevice.self, &entries) { enclave, _ in try enclave.lockDevice() }
    doing(UnlockWithMatch.self, &entries) { enclave, message in
      try enclave.unlockDevice(withMatchOf: message.context, isReusable: message.isReusable)
    }
    doing(OpenContext.self, &entries) { try $0.evidence.open($1) }
    doing(CloseContext.self, &entries) { $0.closeContext($1.context) }
    doing(ForgetEvidence.self, &entries) { $0.evidence.forget(in: $1.context) }
    doing(CloseContexts.self, &entries) { $0.closeContexts(of: $1.requester) }
    replying(GetContextEvidence.self, &entries) {
      try $0.evidence.evidence(of: $1.context, reuseSeconds: $1.reuseSeconds)
    }
    doing(SetPasscode.self, &entries) { try $0.setPasscode($1) }
    doing(VerifyPasscode.self, &entries) { try $0.verifyPasscode($1) }
    doing(ReplacePasscode.self, &entries) { try $0.changePasscode($1) }
    doing(ErasePasscode.self, &entries) { try $0.removePasscode($1) }
    doing(MoveRootKey.self, &entries) { try $0.moveRootKey($1) }
    doing(SetStateAside.self, &entries) { _, _ in
      throw Failure(
        .errSecParam, "nothing here is bound to a TPM that is gone", hint: "nothing was changed")
    }
  }

  /// Channels, sessions, fingers, and messages of the driver's host.
  private static func addTouches(to entries: inout Entries) {
    doing(OpenChannel.self, &entries) { try $0.touches.openChannel($1) }
    doing(CloseChannel.self, &entries) { $0.touches.closeChannel($1.channel) }
    doing(BeginMatch.self, &entries) { try $0.touches.beginMatch($1) }
    doing(BeginEnrollment.self, &entries) { try $0.touches.beginEnrollment($1) }
    doing(BeginChipWork.self, &entries) { try $0.touches.beginWork($1) }
    doing(ChipReport.self, &entries) { $0.touches.reportArrived($1) }
    doing(AwaitTouch.self, &entries) { try $0.touches.awaitTouch($1.session) }
    replying(CommitEnrollment.self, &entries) { try $0.commitEnrollment($1.session) }
    doing(EndSession.self, &entries) { $0.touches.endSession($1.session) }
    doing(SensorFrame.self, &entries) { $0.touches.frameArrived($1) }
    doing(SensorRetry.self, &entries) { $0.touches.retryArrived($1) }
    doing(SensorEnd.self, &entries) { $0.touches.endArrived($1) }
  }

  private static let applications: Entries = {
    var entries: Entries = [:]
    doing(LockDevice.self, &entries) { enclave, _ in try enclave.lockDevice() }
    replying(ListFingers.self, &entries) { enclave, _ in enclave.touches.fingerList }
    add(GiveAppPassword.self, &entries) { enclave, message, context in
      try enclave.takeAppPassword(message, in: context)
      return Done().encoded()
    }
    demanding(RequirePasscode.self, &entries) { enclave, _, context in
      try enclave.evidence.missingPasscode(context)
    }
    demanding(RequireAccess.self, &entries) { try $0.require($1, in: $2) }
    add(GiveBackupKey.self, &entries) { try $0.takeBackupKey($1, in: $2) }
    add(EndBackup.self, &entries) { try $0.endBackup($1, in: $2).encoded() }
    demanding(ChangeSettings.self, &entries) { try $0.changeSettings($1, in: $2) }
    demanding(RenameFinger.self, &entries) { try $0.renameFinger($1, in: $2) }
    demanding(RemoveFinger.self, &entries) { try $0.removeFinger($1.finger, context: $2) }
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
    add(OpenItem.self, &entries) { try $0.openItem($1, in: $2).encoded() }
    add(ResealItem.self, &entries) { try $0.resealItem($1, in: $2) }
    add(OpenItemWithAttributes.self, &entries) { $0.openItemWithAttributes($1, in: $2) }
    demanding(RequirePresence.self, &entries) { enclave, _, context in
      try enclave.requirePresence(in: context)
    }
    add(GenerateKey.self, &entries) { try $0.generateKey($1, in: $2).encoded() }
    add(UseSealedKey.self, &entries) { try $0.useKey($1, in: $2) }
    replying(SealAttributes.self, &entries) { enclave, message in
      AttributeBatch(values: try enclave.keys.sealAttributes(message.entries))
    }
    replying(OpenAttributes.self, &entries) { $0.keys.openAttributes($1.entries) }
    replying(SealCertificates.self, &entries) { enclave, message in
      AttributeBatch(values: try enclave.keys.sealAttributes(message.entries, as: .certificate))
    }
    replying(OpenCertificates.self, &entries) { enclave, message in
      enclave.keys.openAttributes(message.entries, as: .certificate)
    }
    replying(HashAttributes.self, &entries) { enclave, message in
      AttributeBatch(values: try enclave.keys.hashes(of: message.values))
    }
    replying(NoteKeychain.self, &entries) { enclave, message in
      let existed = enclave.state.keybag.hasKeychain
      if message.mark != .asked {
        try enclave.state.storeKeychain(exists: message.mark == .begun)
      }
      return KeychainNoted(existed: existed)
    }
    addBackup(to: &entries)
    return entries
  }()

  private static func addBackup(to entries: inout Entries) {
    add(SealForBackup.self, &entries) { try $0.sealForBackup($1, in: $2) }
    add(OpenFromBackup.self, &entries) { try $0.openFromBackup($1, in: $2).encoded() }
    add(SealFromBackup.self, &entries) { try $0.sealFromBackup($1, in: $2).encoded() }
    add(OpenBackupEnd.self, &entries) { try $0.openBackupEnd($1, in: $2).encoded() }
  }

  // MARK: Entries

  /// A request that is answered by ``Protocol/Done``.
  private static func doing<Request: WireMessage & ~Copyable>(
    _ type: Request.Type, _ entries: inout Entries,
    _ body: @escaping @Sendable (Enclave, consuming Request) throws -> Void
  ) {
    add(type, &entries) { enclave, request, _ in
      try body(enclave, request)
      return Done().encoded()
    }
  }

  private static func replying<Request: WireMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ type: Request.Type, _ entries: inout Entries,
    _ body: @escaping @Sendable (Enclave, consuming Request) throws -> Reply
  ) {
    add(type, &entries) { enclave, request, _ in
      try body(enclave, request).encoded()
    }
  }

  /// A request that is answered by the evidence that is missing, or by ``Protocol/Done``.
  private static func demanding<Request: WireMessage & ~Copyable>(
    _ type: Request.Type, _ entries: inout Entries,
    _ body: @escaping @Sendable (Enclave, consuming Request, ContextName) throws -> EvidenceNeeded?
  ) {
    add(type, &entries) { enclave, request, context in
      try body(enclave, request, context)?.encoded() ?? Done().encoded()
    }
  }

  private static func add<Request: WireMessage & ~Copyable>(
    _ type: Request.Type, _ entries: inout Entries,
    _ body:
      @escaping @Sendable (Enclave, consuming Request, ContextName) throws -> SecretBytes
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
  let body: @Sendable (Enclave, consuming Request, ContextName) throws -> SecretBytes

  func answer(
    _ request: Span<UInt8>, _ enclave: Enclave, context: ContextName
  ) throws -> SecretBytes {
    try body(enclave, try Request.decode(request), context)
  }
}
