import Cryptography
import Protocol

extension KeyRing {
  func sealItem(_ item: SealItem, with appPassword: HeldSecret?) throws(Failure) -> SealedItem {
    let hashes = try hashes(of: item.names)
    let protection = item.protection.identified(by: hashes.first)
    let attributes = try sealAttributes([
      AttributesEntry(protection, bytes: item.attributes)
    ])
    guard let attributes = attributes.first else { throw .damagedItem }
    return SealedItem(
      hashes: hashes, attributes: attributes,
      sealedSecret: try seal(item.secret, as: .item, under: protection, with: appPassword))
  }
}

extension ItemProtection {
  /// The protection with `hash` at the end of the identity.
  fileprivate func identified(by hash: [UInt8]?) -> ItemProtection {
    ItemProtection(
      accessibility: accessibility, accessControl: accessControl, identity: identity + (hash ?? []))
  }
}

/// What an attribute key seals. Neither kind opens as the other.
enum SealedDescription: String {
  case attributes
  case certificate

  /// Most bytes.
  var limit: Int {
    switch self {
    case .attributes: largestAttributes
    case .certificate: largestCertificate
    }
  }

  fileprivate func associated(_ entry: AttributesEntry) -> [UInt8] {
    Array("authcore \(rawValue) 1".utf8) + [entry.accessibility.rawValue] + entry.identity
  }
}

extension KeyRing {
  /// Seals attributes or certificates, one result for each entry.
  func sealAttributes(
    _ entries: [AttributesEntry], as kind: SealedDescription = .attributes
  ) throws(Failure) -> [[UInt8]] {
    var keys = AttributeKeys(self)
    for entry in entries where entry.bytes.count > kind.limit {
      throw Failure(
        .errSecParam, "\(kind) of \(entry.bytes.count) bytes; at most \(kind.limit) are taken")
    }
    try prepareSealing()
    var sealed: [[UInt8]] = []
    for entry in entries {
      if entry.accessibility == .whenPasscodeSetThisDeviceOnly, !state.isPasscodeSet {
        throw .passcodeNotSet
      }
      let key = try keys.sealingKey(entry.accessibility)
      sealed.append(
        try cryptographic(
          try key.mark
            + AES256GCM.seal(
              entry.bytes.span, with: key.held.key, authenticating: kind.associated(entry))))
    }
    return sealed
  }

  /// Opens attributes or certificates, each if its class is open.
  func openAttributes(
    _ entries: [AttributesEntry], as kind: SealedDescription = .attributes
  ) -> AttributeBatch {
    var keys = AttributeKeys(self)
    return AttributeBatch(results: entries.map { open($0, as: kind, &keys) })
  }

  private func open(
    _ entry: AttributesEntry, as kind: SealedDescription, _ keys: inout AttributeKeys
  ) -> AttributeBatch.Result {
    do {
      let origin = try origin(of: entry.bytes)
      let held = try keys.key(entry.accessibility, of: origin)
      let sealed = origin == .unmarked ? entry.bytes : Array(entry.bytes[GenerationMarks.size...])
      let opened = try AES256GCM.open(
        sealed, with: held.key, authenticating: kind.associated(entry))
      return .value(opened.copied)
    } catch let failure as Failure where failure.code == .errSecInteractionNotAllowed {
      return .closed
    } catch let failure as Failure where failure.code == .stateDamaged {
      return .newer
    } catch {
      return .damaged
    }
  }

  /// Hashes values, so that rows are found while their class is closed. One result for each value.
  func hashes(of values: [[UInt8]]) throws(Failure) -> [[UInt8]] {
    try state.storeNewEnclave()
    var hashes: [[UInt8]] = []
    for value in values {
      hashes.append(
        try cryptographic(try HMACSHA256.code(for: value.span, with: indexKey.key.bytes)))
    }
    return hashes
  }
}

private struct AttributeKeys {
  private struct Name: Hashable {
    let accessibility: Accessibility
    let generation: UInt32?
  }

  private let keys: KeyRing
  private var derived: [Name: HeldKey] = [:]
  private var sealing: [Accessibility: KeyRing.SealingKey] = [:]

  init(_ keys: KeyRing) { self.keys = keys }

  mutating func sealingKey(
    _ accessibility: Accessibility
  ) throws(Failure) -> KeyRing.SealingKey {
    if let key = sealing[accessibility] { return key }
    let classKey = try keys.sealingKey(accessibility)
    let key = KeyRing.SealingKey(mark: classKey.mark, held: try Self.attributeKey(classKey.held))
    sealing[accessibility] = key
    return key
  }

  mutating func key(
    _ accessibility: Accessibility, of origin: GenerationMarks.Origin
  ) throws(Failure) -> HeldKey {
    let generation: UInt32? = if case .generation(let number) = origin { number } else { nil }
    let name = Name(accessibility: accessibility, generation: generation)
    if let key = derived[name] { return key }
    let key = try Self.attributeKey(keys.classKey(accessibility, of: origin))
    derived[name] = key
    return key
  }

  private static func attributeKey(_ classKey: HeldKey) throws(Failure) -> HeldKey {
    HeldKey(
      try cryptographic(try classKey.key.derivedKey(for: .attributes)))
  }
}

extension AttributesEntry {
  /// An entry under the class and identity of a protection.
  init(_ protection: ItemProtection, bytes: [UInt8]) {
    self.init(
      accessibility: protection.accessibility, identity: protection.identity, bytes: bytes)
  }
}
