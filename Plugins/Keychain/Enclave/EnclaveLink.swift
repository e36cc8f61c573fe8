import EngineKit
import Wire

/// The keychain's way to the enclave, which alone can seal, open and hash (E1).
struct EnclaveLink {
  private let services: EngineServices

  init(services: EngineServices) { self.services = services }

  /// What the enclave does with a sealed secret.
  enum Opening: ~Copyable {
    case secret(SecretBytes)
    case evidenceNeeded(EvidenceNeeded)
  }

  /// Seals a secret.
  func seal(
    _ secret: consuming SecretBytes, as protection: ItemProtection
  ) throws(Failure) -> [UInt8] {
    let capacity = secret.count + 256
    let request = SealItem(protection: protection, secret: secret).encoded(capacity: capacity)
    let reply: SealedItem = try decode(call(request))
    return reply.sealed
  }

  /// Opens a sealed secret, or says what the context lacks.
  func open(
    _ sealed: [UInt8], as protection: ItemProtection, context: UInt64
  ) throws(Failure) -> Opening {
    let request = OpenItem(context: context, protection: protection, sealed: sealed)
    let reply = try call(request.encoded(capacity: sealed.count + 256))
    if Self.kind(of: reply) == EvidenceNeeded.number { return .evidenceNeeded(try decode(reply)) }
    let opened: OpenedItem = try decode(reply)
    return .secret(opened.secret.duplicate())
  }

  /// Asks whether the context would open a sealed secret; what it lacks, or nil.
  func authorize(
    _ sealed: [UInt8], as protection: ItemProtection, context: UInt64
  ) throws(Failure) -> EvidenceNeeded? {
    let request = OpenItem(
      context: context, protection: protection, sealed: sealed, onlyAuthorize: true)
    let reply = try call(request.encoded(capacity: sealed.count + 256))
    if Self.kind(of: reply) == EvidenceNeeded.number { return try decode(reply) }
    let _: Done = try decode(reply)
    return nil
  }

  /// Sends a request; a failure of the enclave's becomes the keychain's.
  func call(_ request: consuming SecretBytes) throws(Failure) -> SecretBytes {
    let reply = try services.callEnclave(request)
    if Self.kind(of: reply) == Failure.number {
      let failure: Failure = try decode(reply)
      throw failure
    }
    return reply
  }

  private static func kind(of reply: borrowing SecretBytes) -> UInt8? {
    reply.count > 0 ? reply.bytes[0] : nil
  }

  func decode<Message: WireMessage & ~Copyable>(
    _ reply: borrowing SecretBytes
  ) throws(Failure) -> Message {
    do throws(DecodeError) {
      return try Message.decode(reply.bytes)
    } catch {
      throw Self.mismatch
    }
  }

  /// The enclave answers with something else than was asked for.
  static var mismatch: Failure {
    Failure(
      .engineFailed, "the enclave gave the keychain an answer to another question",
      hint: "enclave and keychain engine are of different versions: install both from one build")
  }
}
