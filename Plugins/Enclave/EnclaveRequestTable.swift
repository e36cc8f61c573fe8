import Protocol

/// The requests that the enclave takes, by message number, each with who carries it out.
///
/// What applications and the keychain may ask comes in an envelope that the core has not looked
/// into; each envelope has a table of its own, and what is not in it is refused.
enum EnclaveRequestTable {
  /// A table, by message number.
  private typealias Entries = [UInt8: any RequestEntry]

  /// Carries out one request. Bytes that are none are refused; nothing happens then.
  static func answer(_ request: Span<UInt8>, _ enclave: Enclave) throws(Failure) -> SecretBytes {
    switch request.isEmpty ? 0 : request[0] {
    case ApplicationRequest.number:
      let envelope: ApplicationRequest
      do throws(DecodeError) {
        envelope = try ApplicationRequest(decoding: request)
      } catch {
        throw unreadable(error)
      }
      return try answer(envelope.message, in: applications, context: envelope.context, enclave)
    case KeychainRequest.number:
      let envelope: KeychainRequest
      do throws(DecodeError) {
        envelope = try KeychainRequest(decoding: request)
      } catch {
        throw unreadable(error)
      }
      return switch envelope.message.isEmpty ? 0 : envelope.message[0] {
      case SealItem.number: try sealItem(envelope.message, context: envelope.context, enclave)
      case SealItems.number: try sealItems(envelope.message, context: envelope.context, enclave)
      default: try answer(envelope.message, in: keychain, context: envelope.context, enclave)
      }
    case SeveralRequests.number: return try answerSeveral(request, enclave)
    default: return try answer(request, in: core, context: nobodys, enclave)
    }
  }

  /// Carries out requests of the core up to the first that fails; the reply of the last one.
  private static func answerSeveral(
    _ request: Span<UInt8>, _ enclave: Enclave
  ) throws(Failure) -> SecretBytes {
    let several: SeveralRequests
    do throws(DecodeError) {
      several = try SeveralRequests.decode(request)
    } catch {
      throw unreadable(error)
    }
    var reply = SecretBytes(count: 0)
    for request in several.requests {
      reply = try answer(request.span, in: core, context: nobodys, enclave)
    }
    return reply
  }

  private static func answer(
    _ message: Span<UInt8>, in entries: Entries, context: ContextName, _ enclave: Enclave
  ) throws(Failure) -> SecretBytes {
    let number = message.isEmpty ? 0 : message[0]
    guard let entry = entries[number] else { throw unreadable(.unknownMessage(number: number)) }
    return try entry.answer(message, enclave, context: context)
  }

  /// The context of what the core asks for itself.
  private static let nobodys = ContextName(
    noContext, of: Requester(application: "", connection: 0))

  private static let core: Entries = {
    var entries: Entries = [:]
    addDevice(to: &entries)
    addTouches(to: &entries)
    return entries
  }()

  /// Lock state, contexts and the passcode.
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

  /// Channels, sessions, fingers, and what the enclave's host passes on from a driver's host.
  private static func addTouches(to entries: inout Entries) {
    doing(OpenChannel.self, &entries) { (enclave, message) throws(Failure) in
      try enclave.touches.openChannel(message.channel, from: message.source)
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

  /// What an application may ask.
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

  /// Beside the tables, whose requests own their fields: the secret is sealed from where it lies.
  private static func sealItem(
    _ message: Span<UInt8>, context: ContextName, _ enclave: Enclave
  ) throws(Failure) -> SecretBytes {
    let item: SealItem
    do throws(DecodeError) {
      item = try SealItem(decoding: message)
    } catch {
      throw unreadable(error)
    }
    return try enclave.sealItem(item, in: context).encoded(capacity: message.count + 512)
  }

  /// As ``sealItem(_:context:_:)``.
  private static func sealItems(
    _ message: Span<UInt8>, context: ContextName, _ enclave: Enclave
  ) throws(Failure) -> SecretBytes {
    let items: SealItems
    do throws(DecodeError) {
      items = try SealItems(decoding: message)
    } catch {
      throw unreadable(error)
    }
    return try enclave.sealItems(items, in: context).encoded(capacity: message.count)
  }

  /// What the keychain may ask, ``EngineKit/SealItem`` and ``EngineKit/SealItems`` apart.
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

  /// Items that leave in a backup and come back.
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

  /// A request whose reply says only that it was carried out.
  private static func doing<Request: WireMessage & ~Copyable>(
    _ type: Request.Type, _ entries: inout Entries,
    _ body: @escaping @Sendable (Enclave, consuming Request) throws(Failure) -> Void
  ) {
    add(type, &entries) { (enclave, request, _) throws(Failure) in
      try body(enclave, request)
      return Done().encoded()
    }
  }

  /// A request that is answered by a message.
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

  fileprivate static func unreadable(_ error: DecodeError) -> Failure {
    Failure(
      .coreFailed, "the enclave cannot read a request: \(error)",
      hint: "core and enclave belong to different versions, or the core is faulty")
  }
}

/// One line of the table.
private protocol RequestEntry: Sendable {
  /// Carries out a request, whose evidence lies in `context`.
  func answer(
    _ request: Span<UInt8>, _ enclave: Enclave, context: ContextName
  ) throws(Failure) -> SecretBytes
}

private struct Entry<Request: WireMessage & ~Copyable>: RequestEntry {
  let body: @Sendable (Enclave, consuming Request, ContextName) throws(Failure) -> SecretBytes

  func answer(
    _ request: Span<UInt8>, _ enclave: Enclave, context: ContextName
  ) throws(Failure) -> SecretBytes {
    let message: Request
    do throws(DecodeError) {
      message = try Request.decode(request)
    } catch {
      throw EnclaveRequestTable.unreadable(error)
    }
    return try body(enclave, message, context)
  }
}
