import LinuxSystem
import PluginHosting
import Protocol

/// What carries requests to an enclave: a call in this process, or a mailbox.
protocol EnclavePath: ~Copyable {
  mutating func call(_ request: borrowing SecretBytes) throws(Failure) -> SecretBytes
}

/// An enclave in this process.
struct LoadedEnclave: EnclavePath, ~Copyable {
  private var engine: LoadedEngine

  init(_ file: TrustedFile, folder: String) throws(Failure) {
    let services = HostServices(
      store: try FolderStore(path: folder), log: { _, _ in }, events: { _ in })
    engine = try LoadedEngine(file, kind: .enclave, services: services)
  }

  mutating func call(_ request: borrowing SecretBytes) throws(Failure) -> SecretBytes {
    try engine.call(request.bytes)
  }
}

/// An enclave in a host of its own.
struct HostedEnclave: EnclavePath, ~Copyable {
  private let host: HostProcess

  init(_ file: TrustedFile, folder: String, in installation: Installation) throws(Failure) {
    host = try HostProcess.startEnclave(file, folder: folder, in: installation)
  }

  /// Ends the host, which releases the folder.
  consuming func end() { host.end() }

  var process: Int32 { host.identifier }

  mutating func call(_ request: borrowing SecretBytes) throws(Failure) -> SecretBytes {
    try host.call([], request.bytes)
    while let event = try host.receive() {
      if case .reply(let reply) = consume event { return reply }
    }
    throw Failure(.engineFailed, "The enclave does not answer")
  }
}

enum EnclaveRequests {
  private static let passcode: [UInt8] = Array("benchmark".utf8)
  private static let requester = Requester(application: "authcore-bench", connection: 1)
  private static let context = ContextName(1, of: requester)
  private static let protection = ItemProtection(
    accessibility: .whenUnlocked, accessControl: nil, identity: [UInt8](repeating: 1, count: 17))

  static var setPasscode: SecretBytes {
    SetPasscode(passcode: SecretBytes(copying: passcode.span)).encoded()
  }

  static var openContext: SecretBytes { OpenContext(context: context).encoded() }
  static var closeContext: SecretBytes { CloseContext(context: context).encoded() }

  static var unlock: SecretBytes {
    VerifyPasscode(
      context: context, unlocksDevice: true, passcode: SecretBytes(copying: passcode.span)
    ).encoded()
  }

  static var lock: SecretBytes { LockDevice().encoded() }
  static var status: SecretBytes { GetEnclaveStatus().encoded() }

  /// As the keychain asks for it: with a name to be found by, and attributes.
  static func seal(_ secret: borrowing SecretBytes) -> SecretBytes {
    let message = SealItem(
      protection: protection, names: [[2, 3, 4]], attributes: [UInt8](repeating: 5, count: 48),
      secret: secret.bytes
    ).encoded()
    return inEnvelope(message)
  }

  static func open(_ sealed: SealedItem) -> SecretBytes {
    let item = ItemProtection(
      accessibility: protection.accessibility, accessControl: nil,
      identity: protection.identity + (sealed.hashes.first ?? []))
    return inEnvelope(OpenItem(protection: item, sealed: sealed.sealedSecret).encoded())
  }

  static let digest = [UInt8](repeating: 6, count: 32)

  private static let keyProtection = ItemProtection(
    accessibility: .whenUnlockedThisDeviceOnly, accessControl: nil,
    identity: [UInt8](repeating: 7, count: 17))

  static var generateKey: SecretBytes {
    inEnvelope(GenerateKey(protection: keyProtection).encoded())
  }

  static func sign(with key: GeneratedKey) -> SecretBytes {
    inEnvelope(
      UseSealedKey(
        protection: keyProtection, sealed: key.sealed, operation: .sign, input: digest
      ).encoded())
  }

  private static func inEnvelope(_ message: borrowing SecretBytes) -> SecretBytes {
    var encoder = WireEncoder(capacity: message.count + 64)
    encoder.writeRaw(KeychainRequest.head(context: context, count: message.count).span)
    encoder.writeRaw(message.bytes)
    return encoder.finish()
  }
}

extension EnclavePath where Self: ~Copyable {
  /// Calls, and throws if the reply is a failure.
  mutating func ask(_ request: borrowing SecretBytes) throws(Failure) -> SecretBytes {
    let reply = try call(request)
    if let failure = Self.failure(in: reply) { throw failure }
    return reply
  }

  private static func failure(in reply: borrowing SecretBytes) -> Failure? {
    guard reply.count > 0, reply.bytes[0] == Failure.number else { return nil }
    if let failure = try? Failure.decode(reply.bytes) { return failure }
    return Failure(.engineFailed, "The enclave answered with something that cannot be read")
  }
}
