import Protocol

/// A host that a connection was proved to lead to (`session-bind@openssh.com`, OpenSSH's
/// PROTOCOL.agent §1).
struct HostBind: Equatable, Sendable {
  let host: PublicKeyBlob
  let session: [UInt8]
  /// The connection was handed to that host, whose programs ask from then on.
  let isForwarding: Bool
}

/// A signature that a client wants of a key of the enclave.
struct SignRequest: Sendable {
  /// The key's point.
  let point: [UInt8]
  let bytes: [UInt8]
  let data: SignedData
  let binds: [HostBind]
  var wasBindRefused = false

  var isForwarded: Bool { binds.contains(where: \.isForwarding) }

  /// Whether the programs of another host may have asked. A login that nothing says the host of may
  /// come from any (OpenSSH's PROTOCOL.agent §1), as may all behind a host that did not prove that
  /// the connection leads to it.
  var mayBeForwarded: Bool {
    switch data {
    case .login, .brokenLogin: isForwarded || wasBindRefused || binds.isEmpty
    case .file, .certificate, .other: isForwarded || wasBindRefused
    }
  }
}

/// What one client connection has said, and what its next message means. A pure value.
struct AgentSession: Sendable {
  /// What to do about a message.
  enum Step: Sendable {
    case answer([UInt8])
    /// List the keys of the enclave, then those of the upstream.
    case list
    case sign(SignRequest)
    /// A sign request that is not carried out, and why.
    case refuse(SignRequest, why: String)
    /// A message that is not about the enclave's keys: the upstream's answer is the answer.
    case forward([UInt8])
    /// The upstream hears this too; its answer does not count.
    case tell([UInt8], answer: [UInt8])
  }

  private(set) var binds: [HostBind] = []
  private var wasBindRefused = false

  private static let longestSession = 128
  private static let mostBinds = 16
  private static let sessionBind = "session-bind@openssh.com"

  private var isForwarded: Bool { binds.contains(where: \.isForwarding) }

  /// - Parameters:
  ///   - message: number and fields, not empty.
  ///   - isOurs: whether the enclave has the key with this P-256 point.
  /// - Returns: what to do about it.
  mutating func take(_ message: [UInt8], isOurs: ([UInt8]) -> Bool) -> Step {
    switch message[0] {
    case AgentMessage.requestIdentities: return .list
    case AgentMessage.sign:
      return (try? sign(message, isOurs)) ?? .answer([AgentMessage.failure])
    case AgentMessage.remove:
      return (try? remove(message, isOurs)) ?? .answer([AgentMessage.failure])
    case AgentMessage.add, AgentMessage.addConstrained, AgentMessage.removeAll,
      AgentMessage.addSmartCard, AgentMessage.removeSmartCard,
      AgentMessage.addSmartCardConstrained, AgentMessage.lock, AgentMessage.unlock:
      return isForwarded ? .answer([AgentMessage.failure]) : .forward(message)
    case AgentMessage.extension:
      return (try? extend(message)) ?? .answer([AgentMessage.failure])
    default: return .answer([AgentMessage.failure])
    }
  }

  private func sign(
    _ message: [UInt8], _ isOurs: ([UInt8]) -> Bool
  ) throws(DecodeError) -> Step {
    var decoder = WireDecoder(message.span)
    try decoder.read(number: AgentMessage.sign)
    let blob = try decoder.readBytes(limit: AgentMessage.longest)
    guard let point = (try? PublicKeyBlob(blob))?.p256Point, isOurs(point) else {
      return .forward(message)
    }
    let bytes = try decoder.readBytes(limit: AgentMessage.longest)
    // The flags are about RSA.
    _ = try decoder.readUInt32()
    try decoder.finish()
    let request = SignRequest(
      point: point, bytes: bytes, data: SignedData(bytes, signedBy: point), binds: binds,
      wasBindRefused: wasBindRefused)
    guard let objection = objection(to: request.data) else { return .sign(request) }
    return .refuse(request, why: objection)
  }

  /// Why a login is not signed; nil if it is. A connection that was bound to hosts only logs in to
  /// the last of them.
  private func objection(to data: SignedData) -> String? {
    if data == .brokenLogin { return "the data begins like a login, but cannot be read as one" }
    guard case .login(let login) = data else { return nil }
    guard let last = binds.last else {
      return wasBindRefused ? "the host of this connection did not prove its key" : nil
    }
    if last.isForwarding { return "the connection was forwarded and is bound to no further host" }
    if last.session != login.session { return "the login is for another session" }
    if let key = login.hostKey, key != last.host.plain { return "the login is for another host" }
    return nil
  }

  private func remove(
    _ message: [UInt8], _ isOurs: ([UInt8]) -> Bool
  ) throws(DecodeError) -> Step {
    var decoder = WireDecoder(message.span)
    try decoder.read(number: AgentMessage.remove)
    let blob = try decoder.readBytes(limit: AgentMessage.longest)
    try decoder.finish()
    let isOurKey = (try? PublicKeyBlob(blob))?.p256Point.map(isOurs) ?? false
    return isOurKey || isForwarded ? .answer([AgentMessage.failure]) : .forward(message)
  }

  private mutating func extend(_ message: [UInt8]) throws(DecodeError) -> Step {
    var decoder = WireDecoder(message.span)
    try decoder.read(number: AgentMessage.extension)
    switch try decoder.readText(limit: 256) {
    case "query":
      var answer = WireEncoder()
      answer.writeByte(AgentMessage.extensionAnswer)
      answer.writeText("query")
      answer.writeText(Self.sessionBind)
      return .answer(answer.finishPlain())
    case Self.sessionBind:
      do throws(DecodeError) {
        try bind(&decoder)
        return .tell(message, answer: [AgentMessage.success])
      } catch {
        wasBindRefused = true
        return .tell(message, answer: [AgentMessage.extensionFailure])
      }
    default: return .forward(message)
    }
  }

  private mutating func bind(_ decoder: inout WireDecoder) throws(DecodeError) {
    let host = try PublicKeyBlob(decoder.readBytes(limit: AgentMessage.longest))
    let session = try decoder.readBytes(limit: Self.longestSession)
    let signature = try decoder.readBytes(limit: AgentMessage.longest)
    let isForwarding = try decoder.readByte() != 0
    try decoder.finish()
    guard binds.last?.isForwarding ?? true else { throw .invalidValue(field: "bind") }
    guard host.accepts(signature, of: session) else { throw .invalidValue(field: "signature") }
    if let known = binds.first(where: { $0.session == session }) {
      guard known.host.plain == host.plain else { throw .invalidValue(field: "host key") }
      return
    }
    guard binds.count < Self.mostBinds else { throw .tooLong(count: 17, limit: Self.mostBinds) }
    binds.append(HostBind(host: host, session: session, isForwarding: isForwarding))
  }
}
