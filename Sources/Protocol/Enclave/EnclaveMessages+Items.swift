// What the keychain asks of the enclave. The core passes it on unread, as a ``KeychainRequest``
// that says in which context.

/// Most entries in one batch of attributes.
package let largestBatch = 4096

/// A message of the keychain's to the enclave, in a ``KeychainRequest``.
package protocol SealingMessage: WireMessage, ~Copyable {}

/// Core → enclave: a ``SealingMessage`` of the keychain's, which the core has not read. Reply: that
/// message's.
///
/// The enclave accepts nothing else in here.
package struct KeychainRequest: ~Escapable {
  /// The number of this message.
  package static var number: UInt8 { 13 }
  /// The longest message in here, in bytes: the largest batch of attributes.
  package static let longestMessage = 16 << 20
  /// The context whose evidence counts, where its number is not ``noContext``, and for whom
  /// the keychain works: the core's word.
  package let context: ContextName
  /// Number and fields of a ``SealingMessage``, where they lie.
  package let message: Span<UInt8>

  /// Reads an envelope that must use up all bytes.
  @_lifetime(copy bytes)
  package init(decoding bytes: Span<UInt8>) throws(DecodeError) {
    var decoder = WireDecoder(bytes)
    let number = try decoder.readByte()
    guard number == Self.number else { throw .unknownMessage(number: number) }
    context = try decoder.read()
    message = try decoder.readSpan(limit: Self.longestMessage)
    try decoder.finish()
  }

  /// What lies in front of a message of `count` bytes.
  package static func head(context: ContextName, count: Int) -> [UInt8] {
    var encoder = WireEncoder()
    encoder.write(number, context)
    encoder.writeLength(count)
    return encoder.finishPlain()
  }
}

/// How an item is protected, and which item it is. All of it is authenticated with the item.
package struct ItemProtection: Equatable, WireField {
  package let accessibility: Accessibility
  package let accessControl: AccessControl?
  /// Which item this is (the keychain's 16 random bytes, its class, and the hash of its
  /// application); a sealed item opens under no other identity.
  package let identity: [UInt8]
  package init(accessibility: Accessibility, accessControl: AccessControl?, identity: [UInt8]) {
    self.accessibility = accessibility
    self.accessControl = accessControl
    self.identity = identity
  }
  package func encode(into encoder: inout WireEncoder) {
    encoder.write(accessibility, accessControl, identity)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (accessibility, accessControl, identity) = try decoder.read()
  }
}

/// Seals an item as a whole, in one message, because the way to the enclave and back takes longer
/// than its work: hashes what it is found by, seals its attributes and seals its secret. Needs the
/// class open; with access control also a passcode that is set and an unlocked device.
/// Reply: ``SealedItem``. Failures, with which nothing is sealed: `errSecInteractionNotAllowed`,
/// `errSecParam`, `passcodeNotSet`, `biometryNotEnrolled` (biometry constraints).
package struct SealItem: ~Escapable {
  package static var number: UInt8 { 80 }
  /// The hash of the first name ends the identity, which says which application's item it is.
  package let protection: ItemProtection
  /// What is hashed, as in ``HashAttributes``; may be empty.
  package let names: [[UInt8]]
  package let attributes: [UInt8]
  /// Where it lies: neither side makes another copy of it.
  package let secret: Span<UInt8>

  @_lifetime(copy secret)
  package init(
    protection: ItemProtection, names: [[UInt8]], attributes: [UInt8], secret: Span<UInt8>
  ) {
    self.protection = protection
    self.names = names
    self.attributes = attributes
    self.secret = secret
  }

  /// Reads a message that must use up all bytes.
  @_lifetime(copy bytes)
  package init(decoding bytes: Span<UInt8>) throws(DecodeError) {
    var decoder = WireDecoder(bytes)
    let number = try decoder.readByte()
    guard number == Self.number else { throw .unknownMessage(number: number) }
    (protection, names, attributes) = try decoder.read()
    secret = try decoder.readSpan(limit: largestItemSecret)
    try decoder.finish()
  }

  /// Number and fields.
  package func encoded() -> SecretBytes {
    let size = names.reduce(attributes.count + protection.identity.count) { $0 + $1.count + 4 }
    var encoder = WireEncoder(capacity: secret.count + size + 64)
    encoder.write(Self.number, protection, names, attributes)
    encoder.writeBytes(secret)
    return encoder.finish()
  }
}

/// What the keychain stores of an item that was sealed.
package struct SealedItem: WireMessage, Equatable {
  package static var number: UInt8 { 81 }
  /// 32 bytes for each name, in their order.
  package let hashes: [[UInt8]]
  package let attributes: [UInt8]
  package let secret: [UInt8]
  package init(hashes: [[UInt8]], attributes: [UInt8], secret: [UInt8]) {
    self.hashes = hashes
    self.attributes = attributes
    self.secret = secret
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(hashes, attributes, secret)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (hashes, attributes, secret) = try decoder.read()
  }
}

/// Opens a sealed secret against the evidence of the request's context. Reply: ``OpenedItem`` or
/// ``EvidenceNeeded``; with `onlyAuthorize` ``Done`` in place of the secret. Failures:
/// `errSecInteractionNotAllowed` (class closed), `errSecDecode` (damaged, or its key is gone),
/// `errSecAuthFailed` (biometry-current, and the set of fingers has changed), `stateDamaged`
/// (sealed beside a later keybag).
package struct OpenItem: SealingMessage, WireField, Equatable {
  package static var number: UInt8 { 82 }
  package let protection: ItemProtection
  package let sealed: [UInt8]
  /// Only checks that the evidence would open it (an update).
  package let onlyAuthorize: Bool
  package init(protection: ItemProtection, sealed: [UInt8], onlyAuthorize: Bool = false) {
    self.protection = protection
    self.sealed = sealed
    self.onlyAuthorize = onlyAuthorize
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(protection, sealed, onlyAuthorize)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (protection, sealed, onlyAuthorize) = try decoder.read()
  }
}

/// Seals an item anew as something else guards it, without its secret leaving the enclave: what
/// guards it now is asked as by ``OpenItem``, and what it becomes is sealed as by ``SealItem``.
/// Reply: ``SealedItem`` or ``EvidenceNeeded``. Failures: those of both; nothing is sealed then.
package struct ResealItem: SealingMessage, Equatable {
  package static var number: UInt8 { 75 }
  /// As it is.
  package let protection: ItemProtection
  package let sealed: [UInt8]
  /// As it will be; the hash of the first name ends the identity, as in ``SealItem``.
  package let replacement: ItemProtection
  package let names: [[UInt8]]
  package let attributes: [UInt8]
  package init(
    _ sealed: [UInt8], as protection: ItemProtection, under replacement: ItemProtection,
    names: [[UInt8]], attributes: [UInt8]
  ) {
    self.sealed = sealed
    self.protection = protection
    self.replacement = replacement
    self.names = names
    self.attributes = attributes
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(protection, sealed, replacement, names, attributes)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (protection, sealed, replacement, names, attributes) = try decoder.read()
  }
}

/// Asks for the owner's presence, for what the keychain itself permits beside what guards an item.
/// Where no passcode is set nobody can prove it, and nothing asks for it. Reply: ``Done`` or
/// ``EvidenceNeeded``.
package struct RequirePresence: SealingMessage, Equatable {
  package static var number: UInt8 { 101 }
  package init() {}
  package borrowing func encode(into encoder: inout WireEncoder) {}
  package init(from decoder: inout WireDecoder) throws(DecodeError) {}
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

  /// The secret, in place of the message it came in.
  package static func secret(
    of message: consuming SecretBytes
  ) throws(DecodeError) -> SecretBytes {
    let count = try secretCount(in: message.bytes)
    let end = message.count
    return message.extracting(end - count..<end)
  }

  private static func secretCount(in message: Span<UInt8>) throws(DecodeError) -> Int {
    var decoder = WireDecoder(message)
    let found = try decoder.readByte()
    guard found == number else { throw .unknownMessage(number: found) }
    let count = try decoder.readSpan(limit: largestItemSecret).count
    try decoder.finish()
    return count
  }
}

/// One entry of a batch: attributes of one item, clear or sealed.
package struct AttributesEntry: Equatable, WireField {
  package let accessibility: Accessibility
  package let identity: [UInt8]
  package let bytes: [UInt8]
  package init(accessibility: Accessibility, identity: [UInt8], bytes: [UInt8]) {
    self.accessibility = accessibility
    self.identity = identity
    self.bytes = bytes
  }
  package func encode(into encoder: inout WireEncoder) {
    encoder.write(accessibility, identity, bytes)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (accessibility, identity, bytes) = try decoder.read()
  }
}

/// A batch of attributes; `code` is its number.
package struct AttributesRequest<let code: Int>: SealingMessage, Equatable {
  package static var number: UInt8 { UInt8(code) }
  package let entries: [AttributesEntry]
  package init(entries: [AttributesEntry]) { self.entries = entries }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(entries) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { entries = try decoder.read() }
}

/// Seals attributes under the attribute keys of their classes. Reply: ``AttributeBatch`` with a
/// value for each. Failure: `errSecInteractionNotAllowed` when a class is closed.
package typealias SealAttributes = AttributesRequest<85>
/// Opens sealed attributes. Reply: ``AttributeBatch``; an entry whose class is closed is `closed`,
/// a damaged one `damaged`, and one that was sealed beside a later keybag `newer`.
package typealias OpenAttributes = AttributesRequest<86>

/// The results of a batch, in the order of its entries.
package struct AttributeBatch: WireMessage, Equatable {
  package static var number: UInt8 { 87 }
  /// One result.
  package enum Result: Equatable, WireField {
    case value([UInt8])
    case closed
    case damaged
    /// Sealed under keys that the keybag does not hold, because an old copy of it has been put
    /// back.
    case newer

    package func encode(into encoder: inout WireEncoder) {
      switch self {
      case .value(let bytes): encoder.write(UInt8(1), bytes)
      case .closed: encoder.writeByte(2)
      case .damaged: encoder.writeByte(3)
      case .newer: encoder.writeByte(4)
      }
    }

    package init(from decoder: inout WireDecoder) throws(DecodeError) {
      switch try decoder.readByte() {
      case 1: self = .value(try decoder.read())
      case 2: self = .closed
      case 3: self = .damaged
      case 4: self = .newer
      default: throw .invalidValue(field: "batch result")
      }
    }
  }
  package let results: [Result]
  package init(results: [Result]) { self.results = results }
  /// Results that are all values.
  package init(values: [[UInt8]]) { self.init(results: values.map { .value($0) }) }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(results) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { results = try decoder.read() }
}

/// Hashes attribute values (name and value encoded by the keychain) under the index key, which is
/// open in every state: so that rows can be found, and closed ones be told from missing ones,
/// without being opened. Reply: ``AttributeBatch`` of 32-byte values.
package struct HashAttributes: SealingMessage, Equatable {
  package static var number: UInt8 { 88 }
  package let values: [[UInt8]]
  package init(values: [[UInt8]]) { self.values = values }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(values) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { values = try decoder.read() }
}

/// ``OpenItem`` and an ``OpenAttributes`` of one entry in one message, for the item that is the
/// only one a query names: the way to the enclave and back takes longer than its work. Reply:
/// ``OpenedItemWithAttributes``; a failure only where this is no message.
package struct OpenItemWithAttributes: SealingMessage, Equatable {
  package static var number: UInt8 { 89 }
  package let item: OpenItem
  package let attributes: AttributesEntry
  package init(item: OpenItem, attributes: AttributesEntry) {
    self.item = item
    self.attributes = attributes
  }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(item, attributes) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (item, attributes) = try decoder.read()
  }
}

/// The results of ``OpenItemWithAttributes``, each as if it had been asked for alone.
package struct OpenedItemWithAttributes: WireMessage, ~Copyable {
  package static var number: UInt8 { 90 }
  package let attributes: AttributeBatch.Result
  /// The reply to the ``OpenItem``, encoded; also where that is a failure.
  package let itemReply: SecretBytes
  package init(attributes: AttributeBatch.Result, itemReply: consuming SecretBytes) {
    self.attributes = attributes
    self.itemReply = itemReply
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(attributes)
    encoder.writeSecret(itemReply)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let attributes = try AttributeBatch.Result(from: &decoder)
    self.init(attributes: attributes, itemReply: try decoder.readSecret(limit: Self.longestReply))
  }

  /// Gives the message up for what it holds.
  package consuming func takeItemReply() -> SecretBytes { itemReply }

  /// An opened secret with its number and length.
  private static let longestReply = largestItemSecret + 64

  /// Both results; that of the item in place of the message it came in.
  package static func results(
    of message: consuming SecretBytes
  ) throws(DecodeError) -> OpenedItemWithAttributes {
    let (attributes, count) = try parts(of: message.bytes)
    let end = message.count
    return OpenedItemWithAttributes(
      attributes: attributes, itemReply: message.extracting(end - count..<end))
  }

  private static func parts(
    of message: Span<UInt8>
  ) throws(DecodeError) -> (AttributeBatch.Result, itemReplyCount: Int) {
    var decoder = WireDecoder(message)
    let found = try decoder.readByte()
    guard found == number else { throw .unknownMessage(number: found) }
    let attributes = try AttributeBatch.Result(from: &decoder)
    let count = try decoder.readSpan(limit: longestReply).count
    try decoder.finish()
    return (attributes, count)
  }
}
