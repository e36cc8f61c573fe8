import Cryptography
import Protocol

@testable import EnclaveEngine

/// A private key as the keychain would keep it.
struct StoredKey {
  var protection: ItemProtection
  var sealed: [UInt8]
  let publicKey: P256PublicKey
}

/// What came of using a private key.
enum KeyOutcome: Equatable {
  case output([UInt8])
  case needed(String, held: EvidenceSet)
  case failed(FailureCode)
}

extension SimulatedDevice {
  func generated(
    _ accessibility: Accessibility = .whenUnlockedThisDeviceOnly, access: String? = nil,
    identity: [UInt8] = [4, 5, 6], context: UInt64 = noContext,
    additions: AccessControl.Additions = []
  ) throws -> StoredKey {
    let protection = try Self.protection(
      accessibility, access: access, identity: identity, additions: additions)
    let reply = try ask(
      GenerateKey(protection: protection), in: contextName(context), for: GeneratedKey.self)
    return StoredKey(
      protection: protection, sealed: reply.sealed,
      publicKey: try P256PublicKey(point: reply.publicKey))
  }

  /// Why no key can be made, or nil.
  func generatingFailure(
    _ accessibility: Accessibility, access: String? = nil
  ) throws -> FailureCode? {
    try failure(GenerateKey(protection: try Self.protection(accessibility, access: access)))
  }

  func use(
    _ key: StoredKey, _ operation: KeyOperation = .sign, on input: [UInt8] = digest,
    context number: UInt64 = noContext
  ) throws -> KeyOutcome {
    let request = UseSealedKey(
      protection: key.protection, sealed: key.sealed, operation: operation, input: input)
    let reply = engine.handle(Self.envelope(request, contextName(number)).bytes)
    switch reply.bytes[0] {
    case Failure.number: return .failed(try Failure.decode(reply.bytes).code)
    case EvidenceNeeded.number:
      let needed = try EvidenceNeeded.decode(reply.bytes)
      return .needed(needed.accessControl.text, held: needed.held)
    default:
      let used = try KeyUsed.decode(reply.bytes)
      return .output(used.output.bytes.indices.map { used.output.bytes[$0] })
    }
  }
}

/// The hash of ``signedMessage``.
let digest: [UInt8] = (try? SHA2.sha256(signedMessage.span)) ?? []
/// What the keys of the tests sign.
let signedMessage = Array("sign me".utf8)

extension StoredKey {
  /// Whether an outcome is a signature of this key's.
  func signed(_ outcome: KeyOutcome) throws -> Bool {
    guard case .output(let signature) = outcome else { return false }
    return try publicKey.isValid(signature, for: signedMessage.span)
  }

  /// A message for this key, and something an operation takes.
  func input(for operation: KeyOperation) throws -> [UInt8] {
    switch operation {
    case .sign: digest
    case .decrypt: try ECIES.seal(signedMessage.span, to: publicKey)
    case .exchange: publicKey.point
    }
  }
}

/// Who asks in most tests: one connection of one application.
let requester = Requester(application: commandApplication, connection: 1)
/// Another connection of the same application.
let otherConnection = Requester(application: commandApplication, connection: 2)
/// Another application, should it come by the same connection.
let otherApplication = Requester(application: "/usr/bin/other", connection: 1)

/// A context of ``requester``.
func contextName(_ number: UInt64) -> ContextName { ContextName(number, of: requester) }

// Messages about contexts of that requester, by their numbers.

extension OpenContext {
  init(context number: UInt64, outlivesRequest: Bool = false) {
    self.init(context: contextName(number), outlivesRequest: outlivesRequest)
  }
}

extension CloseContext {
  init(context number: UInt64) { self.init(context: contextName(number)) }
}

extension GetContextEvidence {
  init(context number: UInt64) { self.init(context: contextName(number)) }
}

extension UnlockWithMatch {
  init(context number: UInt64, isReusable: Bool = true) {
    self.init(context: contextName(number), isReusable: isReusable)
  }
}

extension VerifyPasscode {
  init(
    context number: UInt64, unlocksDevice: Bool, mayErase: Bool = true,
    passcode: consuming SecretBytes
  ) {
    self.init(
      context: contextName(number), unlocksDevice: unlocksDevice, mayErase: mayErase,
      passcode: passcode)
  }
}

extension BeginMatch {
  init(
    session: UInt64, channel: UInt32, context number: UInt64, requiresStrictMatch: Bool = false,
    tellsScore: Bool = false
  ) {
    self.init(
      session: session, channel: channel, context: contextName(number),
      requiresStrictMatch: requiresStrictMatch, tellsScore: tellsScore)
  }
}

extension BeginEnrollment {
  init(
    session: UInt64, channel: UInt32, context number: UInt64, name: String, isRelaxed: Bool = false
  ) {
    self.init(
      session: session, channel: channel, context: contextName(number), name: name,
      isRelaxed: isRelaxed)
  }
}
