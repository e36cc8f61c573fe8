import Protocol

@testable import EnclaveEngine

/// An item as the keychain would keep it.
struct StoredItem {
  var protection: ItemProtection
  var sealed: [UInt8]
}

/// What came of opening an item.
enum OpenOutcome: Equatable {
  case secret(String)
  case needed(String, held: EvidenceSet)
  case authorized
  case failed(FailureCode)
}

/// ``EngineKit/SealItem`` with a secret of its own.
struct OwnedSealItem: SealingMessage, ~Copyable {
  static var number: UInt8 { SealItem.number }
  let protection: ItemProtection
  let names: [[UInt8]]
  let attributes: [UInt8]
  let secret: SecretBytes

  init(
    protection: ItemProtection, names: [[UInt8]], attributes: [UInt8],
    secret: consuming SecretBytes
  ) {
    self.protection = protection
    self.names = names
    self.attributes = attributes
    self.secret = secret
  }

  borrowing func encode(into encoder: inout WireEncoder) {
    let message = SealItem(
      protection: protection, names: names, attributes: attributes, secret: secret.bytes
    ).encoded()
    encoder.writeRaw(message.bytes.extracting(droppingFirst: 1))
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    throw .unknownMessage(number: Self.number)
  }
}

extension KeychainRequest {
  /// An envelope in one part.
  static func encoded(context: ContextName, message: Span<UInt8>) -> SecretBytes {
    let bytes = head(context: context, count: message.count) + message.indices.map { message[$0] }
    return SecretBytes(copying: bytes.span)
  }
}

extension SimulatedDevice {
  static func protection(
    _ accessibility: Accessibility, access: String?, identity: [UInt8] = [1, 2, 3],
    requiresStrictMatch: Bool = false, additions: AccessControl.Additions = []
  ) throws -> ItemProtection {
    ItemProtection(
      accessibility: accessibility,
      accessControl: try access.map {
        try AccessControl(
          parsing: $0, with: additions.union(requiresStrictMatch ? .strictMatch : []))
      },
      identity: identity)
  }

  func sealed(
    _ text: String, _ accessibility: Accessibility = .whenUnlocked, access: String? = nil,
    requiresStrictMatch: Bool = false, context: UInt64 = noContext
  ) throws -> StoredItem {
    let protection = try Self.protection(
      accessibility, access: access, requiresStrictMatch: requiresStrictMatch)
    let reply = try ask(
      OwnedSealItem(protection: protection, names: [], attributes: [], secret: secret(text)),
      in: contextName(context), for: SealedItem.self)
    return StoredItem(protection: protection, sealed: reply.sealedSecret)
  }

  /// Why something cannot be sealed, or nil.
  func sealingFailure(
    _ accessibility: Accessibility, access: String? = nil
  ) throws -> FailureCode? {
    let protection = try Self.protection(accessibility, access: access)
    return try failure(
      OwnedSealItem(protection: protection, names: [], attributes: [], secret: secret("secret")))
  }

  func open(
    _ item: StoredItem, context number: UInt64 = 0, onlyAuthorize: Bool = false
  ) throws -> OpenOutcome {
    try open(item, in: contextName(number), onlyAuthorize: onlyAuthorize)
  }

  func open(
    _ item: StoredItem, in context: ContextName, onlyAuthorize: Bool = false
  ) throws -> OpenOutcome {
    let request = OpenItem(
      protection: item.protection, sealed: item.sealed, onlyAuthorize: onlyAuthorize)
    let reply = engine.handle(Self.envelope(request, context).bytes)
    switch reply.bytes[0] {
    case Failure.number: return .failed(try Failure.decode(reply.bytes).code)
    case Done.number: return .authorized
    case EvidenceNeeded.number:
      let needed = try EvidenceNeeded.decode(reply.bytes)
      return .needed(needed.accessControl.text, held: needed.held)
    default:
      let opened = try OpenedItem.decode(reply.bytes)
      let bytes = opened.secret.bytes.indices.map { opened.secret.bytes[$0] }
      return .secret(String(decoding: bytes, as: UTF8.self))
    }
  }
}
