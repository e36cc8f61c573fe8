package import Wire

/// The largest secret of an item, in bytes.
package let largestItemSecret = 48 << 10
/// The largest encoded attributes of an item, in bytes.
package let largestAttributes = 16 << 10
/// Most entries in one batch of attributes.
package let largestBatch = 4096

/// How an item is protected, and which item it is. All of it is authenticated with the item.
package struct ItemProtection: Equatable, Sendable {
  package let accessibility: Accessibility
  package let accessControl: AccessControl?
  /// Which item this is (the keychain's 16 random bytes and its class); a sealed item opens under no other identity.
  package let identity: [UInt8]
  package init(accessibility: Accessibility, accessControl: AccessControl?, identity: [UInt8]) {
    self.accessibility = accessibility
    self.accessControl = accessControl
    self.identity = identity
  }
  package func encode(into encoder: inout WireEncoder) {
    encoder.writeByte(accessibility.rawValue)
    encoder.writeOptional(accessControl) { $1.encode(into: &$0) }
    encoder.writeBytes(identity)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    accessibility = try Accessibility(from: &decoder)
    accessControl = try decoder.readOptional { (decoder) throws(DecodeError) in
      try AccessControl(from: &decoder)
    }
    identity = try decoder.readBytes(limit: 64)
  }
}

/// Seals an item's secret. Needs the class open; with access control also a passcode that is set and an unlocked device.
/// Reply: ``SealedItem``. Failures: `errSecInteractionNotAllowed`, `passcodeNotSet`, `biometryNotEnrolled` (biometry constraints).
package struct SealItem: WireMessage, ~Copyable {
  package static var number: UInt8 { 80 }
  package let protection: ItemProtection
  package let secret: SecretBytes
  package init(protection: ItemProtection, secret: consuming SecretBytes) {
    self.protection = protection
    self.secret = secret
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    protection.encode(into: &encoder)
    encoder.writeSecret(secret)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let protection = try ItemProtection(from: &decoder)
    let secret = try decoder.readSecret(limit: largestItemSecret)
    self.init(protection: protection, secret: secret)
  }
}

/// A sealed secret, as the keychain stores it.
package struct SealedItem: WireMessage, Equatable {
  package static var number: UInt8 { 81 }
  package let sealed: [UInt8]
  package init(sealed: [UInt8]) { self.sealed = sealed }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeBytes(sealed) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    sealed = try decoder.readBytes(limit: largestItemSecret + 4096)
  }
}

/// Opens a sealed secret against the evidence of a context. Reply: ``OpenedItem`` or ``EvidenceNeeded``; with `onlyAuthorize`
/// ``Done`` in place of the secret. Failures: `errSecInteractionNotAllowed` (class closed), `errSecDecode` (damaged, or its key is
/// gone), `errSecAuthFailed` (biometry-current, and the set of fingers has changed), `stateDamaged` (sealed beside a later keybag).
package struct OpenItem: WireMessage, Equatable {
  package static var number: UInt8 { 82 }
  /// In place of a context: nothing has been proved.
  package static var noContext: UInt64 { 0 }
  package let context: UInt64
  package let protection: ItemProtection
  package let sealed: [UInt8]
  /// Only checks that the evidence would open it (an update).
  package let onlyAuthorize: Bool
  package init(
    context: UInt64, protection: ItemProtection, sealed: [UInt8], onlyAuthorize: Bool = false
  ) {
    self.context = context
    self.protection = protection
    self.sealed = sealed
    self.onlyAuthorize = onlyAuthorize
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt64(context)
    protection.encode(into: &encoder)
    encoder.writeBytes(sealed)
    encoder.writeBoolean(onlyAuthorize)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    context = try decoder.readUInt64()
    protection = try ItemProtection(from: &decoder)
    sealed = try decoder.readBytes(limit: largestItemSecret + 4096)
    onlyAuthorize = try decoder.readBoolean()
  }
}

/// The secret of ``OpenItem``.
package struct OpenedItem: WireMessage, ~Copyable {
  package static var number: UInt8 { 83 }
  package let secret: SecretBytes
  package init(secret: consuming SecretBytes) { self.secret = secret }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeSecret(secret) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    secret = try decoder.readSecret(limit: largestItemSecret)
  }
}

/// The context does not hold what the item asks for.
package struct EvidenceNeeded: WireMessage, Equatable {
  package static var number: UInt8 { 84 }
  package let accessControl: AccessControl
  package let held: EvidenceSet
  package init(accessControl: AccessControl, held: EvidenceSet) {
    self.accessControl = accessControl
    self.held = held
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    accessControl.encode(into: &encoder)
    encoder.writeByte(held.rawValue)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    accessControl = try AccessControl(from: &decoder)
    held = try EvidenceSet(from: &decoder)
  }
}

/// One entry of a batch: attributes of one item, clear or sealed.
package struct AttributesEntry: Equatable, Sendable {
  package let accessibility: Accessibility
  package let identity: [UInt8]
  package let bytes: [UInt8]
  package init(accessibility: Accessibility, identity: [UInt8], bytes: [UInt8]) {
    self.accessibility = accessibility
    self.identity = identity
    self.bytes = bytes
  }
  func encode(into encoder: inout WireEncoder) {
    encoder.writeByte(accessibility.rawValue)
    encoder.writeBytes(identity)
    encoder.writeBytes(bytes)
  }
  init(from decoder: inout WireDecoder) throws(DecodeError) {
    accessibility = try Accessibility(from: &decoder)
    identity = try decoder.readBytes(limit: 64)
    bytes = try decoder.readBytes(limit: largestAttributes + 64)
  }
}

/// Seals attributes under the attribute keys of their classes. Reply: ``AttributeBatch`` with a value for each.
/// Failure: `errSecInteractionNotAllowed` when a class is closed.
package struct SealAttributes: WireMessage, Equatable {
  package static var number: UInt8 { 85 }
  package let entries: [AttributesEntry]
  package init(entries: [AttributesEntry]) { self.entries = entries }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeArray(entries) { $1.encode(into: &$0) }
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    entries = try decoder.readArray(limit: largestBatch, elementSize: 9) {
      (decoder) throws(DecodeError) in try AttributesEntry(from: &decoder)
    }
  }
}

/// Opens sealed attributes. Reply: ``AttributeBatch``; an entry whose class is closed is `closed`, a damaged one `damaged`, and one that
/// was sealed beside a later keybag `newer`.
package struct OpenAttributes: WireMessage, Equatable {
  package static var number: UInt8 { 86 }
  package let entries: [AttributesEntry]
  package init(entries: [AttributesEntry]) { self.entries = entries }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeArray(entries) { $1.encode(into: &$0) }
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    entries = try decoder.readArray(limit: largestBatch, elementSize: 9) {
      (decoder) throws(DecodeError) in try AttributesEntry(from: &decoder)
    }
  }
}

/// The results of a batch, in the order of its entries.
package struct AttributeBatch: WireMessage, Equatable {
  package static var number: UInt8 { 87 }
  /// One result.
  package enum Result: Equatable, Sendable {
    case value([UInt8])
    case closed
    case damaged
    /// Sealed under keys that the keybag does not hold, because an old copy of it has been put back.
    case newer
  }
  package let results: [Result]
  package init(results: [Result]) { self.results = results }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeArray(results) { $1.encode(into: &$0) }
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    results = try decoder.readArray(limit: largestBatch, elementSize: 1) {
      (decoder) throws(DecodeError) in try Result(from: &decoder)
    }
  }
}

extension AttributeBatch.Result {
  func encode(into encoder: inout WireEncoder) {
    switch self {
    case .value(let bytes):
      encoder.writeByte(1)
      encoder.writeBytes(bytes)
    case .closed: encoder.writeByte(2)
    case .damaged: encoder.writeByte(3)
    case .newer: encoder.writeByte(4)
    }
  }
  init(from decoder: inout WireDecoder) throws(DecodeError) {
    switch try decoder.readByte() {
    case 1: self = .value(try decoder.readBytes(limit: largestAttributes + 64))
    case 2: self = .closed
    case 3: self = .damaged
    case 4: self = .newer
    default: throw .invalidValue(field: "batch result")
    }
  }
}

/// Hashes attribute values (name and value encoded by the keychain) under the index key, which is open in every state: so that rows
/// can be found, and closed ones be told from missing ones, without being opened. Reply: ``AttributeBatch`` of 32-byte values.
package struct HashAttributes: WireMessage, Equatable {
  package static var number: UInt8 { 88 }
  package let values: [[UInt8]]
  package init(values: [[UInt8]]) { self.values = values }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeArray(values) { $0.writeBytes($1) }
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    values = try decoder.readArray(limit: largestBatch, elementSize: 4) {
      (decoder) throws(DecodeError) in try decoder.readBytes(limit: largestAttributes)
    }
  }
}
