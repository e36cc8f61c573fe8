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

extension ResealItem {
  package init(
    _ sealed: [UInt8], as protection: ItemProtection, under replacement: ItemProtection,
    names: [[UInt8]], attributes: [UInt8]
  ) {
    self.init(
      protection: protection, sealed: sealed, replacement: replacement, names: names,
      attributes: attributes)
  }
}

extension OpenedItem {
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

/// A batch of attributes to be sealed or opened.
package protocol AttributesRequest: SealingMessage {
  var entries: [AttributesEntry] { get }
  init(entries: [AttributesEntry])
}

extension AttributeBatch {
  /// Results that are all values.
  package init(values: [[UInt8]]) { self.init(results: values.map { .value($0) }) }
}

extension OpenedItemWithAttributes {
  /// Gives the message up for what it holds.
  package consuming func takeItemReply() -> SecretBytes { itemReply }

  /// An opened secret with its number and length.
  static let longestReply = largestItemSecret + 64

  /// The message with an ``OpenedItem`` in it: the secret is written once.
  package static func encoded(
    _ attributes: AttributeBatch.Result, opened secret: borrowing SecretBytes
  ) -> SecretBytes {
    var encoder = WireEncoder(capacity: max(1024, secret.count + 512))
    encoder.write(number, attributes)
    // Its number and the length of the secret come before that.
    encoder.writeLength(secret.count + 5)
    encoder.writeByte(OpenedItem.number)
    encoder.writeSecret(secret)
    return encoder.finish()
  }

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

// Several items in one message of the keychain's to the enclave.

/// Seals several items, each as ``SealItem`` does, and hashes a few names beside them. Reply:
/// ``SealedItems``; a failure only where this is no message.
package struct SealItems: ~Escapable {
  package static var number: UInt8 { 147 }
  package typealias Item = BulkItem
  /// What is hashed for no item in particular, as in ``HashAttributes``; may be empty.
  package let names: [[UInt8]]
  package let items: [Item]
  /// The secrets of all items, one behind the other, where they lie.
  package let secrets: Span<UInt8>

  @_lifetime(copy secrets)
  package init(names: [[UInt8]], items: [Item], secrets: Span<UInt8>) {
    self.names = names
    self.items = items
    self.secrets = secrets
  }

  /// Reads a message that must use up all bytes.
  @_lifetime(copy bytes)
  package init(decoding bytes: Span<UInt8>) throws(DecodeError) {
    var decoder = WireDecoder(bytes)
    let number = try decoder.readByte()
    guard number == Self.number else { throw .unknownMessage(number: number) }
    (names, items) = try decoder.read()
    secrets = try decoder.readSpan(limit: KeychainRequest.longestMessage)
    try decoder.finish()
    guard items.allSatisfy({ $0.secretCount <= largestItemSecret }),
      items.reduce(0, { $0 + Int($1.secretCount) }) == secrets.count
    else { throw .invalidValue(field: "the secrets of several items") }
  }

  /// Number and fields.
  package func encoded() -> SecretBytes {
    let size = items.reduce(64) { $0 + $1.size } + names.reduce(0) { $0 + $1.count + 4 }
    var encoder = WireEncoder(capacity: size)
    encoder.write(Self.number, names, items)
    encoder.writeBytes(secrets)
    return encoder.finish()
  }
}

extension BulkItem {
  /// About how many bytes the item takes in a message, its secret included.
  package var size: Int {
    names.reduce(attributes.count + protection.identity.count + Int(secretCount) + 32) {
      $0 + $1.count + 4
    }
  }
}
