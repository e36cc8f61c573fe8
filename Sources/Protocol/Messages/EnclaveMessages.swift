// What the keychain asks of the enclave. The core passes it on unread in a ``KeychainRequest``,
// which adds the context.

package let largestBatch = 4096

package protocol SealingMessage: WireMessage, ~Copyable {}

/// Core → enclave: a ``SealingMessage`` of the keychain, which the core has not read. Reply: that
/// of the message. The enclave accepts nothing else in here.
package struct KeychainRequest: ~Escapable {
  package static var number: UInt8 { 13 }
  /// The longest message, in bytes: the largest batch of attributes.
  package static let longestMessage = 16 << 20
  /// The context whose evidence counts, unless its number is ``noContext``, and the application for
  /// which the keychain works, by the core's word.
  package let context: ContextName
  /// Number and fields of a ``SealingMessage``, in the memory of the envelope.
  package let message: Span<UInt8>

  @_lifetime(copy bytes)
  package init(decoding bytes: Span<UInt8>) throws(DecodeError) {
    var decoder = WireDecoder(bytes)
    try decoder.read(number: Self.number)
    context = try decoder.read()
    message = try decoder.readSpan(limit: Self.longestMessage)
    try decoder.finish()
  }

  /// What precedes a message of `count` bytes.
  package static func head(context: ContextName, count: Int) -> [UInt8] {
    var encoder = WireEncoder()
    encoder.write(number, context)
    encoder.writeLength(count)
    return encoder.finishPlain()
  }
}

/// Seals an item in one message, because the way to the enclave takes longer than its work: hashes
/// the names, seals the attributes and seals the secret. Needs an open class; with access control
/// also a passcode that is set and an unlocked device.
///
/// Reply: ``SealedItem``. Failures, with which nothing is sealed: `errSecInteractionNotAllowed`,
/// `errSecParam`, `passcodeNotSet`, `biometryNotEnrolled` (biometry constraints).
package struct SealItem: ~Escapable {
  package static var number: UInt8 { 80 }
  /// The identity ends with the hash of the first name, which says to which application the item
  /// belongs.
  package let protection: ItemProtection
  /// Names to hash, as in ``HashAttributes``; may be empty.
  package let names: [[UInt8]]
  package let attributes: [UInt8]
  /// In the memory of the caller or of the message: neither side makes another copy.
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

  @_lifetime(copy bytes)
  package init(decoding bytes: Span<UInt8>) throws(DecodeError) {
    var decoder = WireDecoder(bytes)
    try decoder.read(number: Self.number)
    (protection, names, attributes) = try decoder.read()
    secret = try decoder.readSpan(limit: largestItemSecret)
    try decoder.finish()
  }

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
  /// The secret, in the memory of its message.
  package static func secret(
    of message: consuming SecretBytes
  ) throws(DecodeError) -> SecretBytes {
    let count = try secretCount(in: message.bytes)
    let end = message.count
    return message.extracting(end - count..<end)
  }

  private static func secretCount(in message: Span<UInt8>) throws(DecodeError) -> Int {
    var decoder = WireDecoder(message)
    try decoder.read(number: number)
    let count = try decoder.readSpan(limit: largestItemSecret).count
    try decoder.finish()
    return count
  }
}

package protocol AttributesRequest: SealingMessage {
  var entries: [AttributesEntry] { get }
  init(entries: [AttributesEntry])
}

extension AttributeBatch {
  package init(values: [[UInt8]]) { self.init(results: values.map { .value($0) }) }
}

extension OpenedItemWithAttributes {
  package consuming func takeItemReply() -> SecretBytes { itemReply }

  /// The most bytes of an opened secret with its number and length.
  static let longestReply = largestItemSecret + 64

  /// The message with an ``OpenedItem`` in it. The secret is written only once.
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

  /// Both results; the item's reply stays in the memory of the message.
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
    try decoder.read(number: number)
    let attributes = try AttributeBatch.Result(from: &decoder)
    let count = try decoder.readSpan(limit: longestReply).count
    try decoder.finish()
    return (attributes, count)
  }
}

// Several items in one message from the keychain to the enclave.

/// Seals several items as ``SealItem`` does, and hashes a few more names. Reply: ``SealedItems``,
/// or a failure if this is not a message.
package struct SealItems: ~Escapable {
  package static var number: UInt8 { 147 }
  package typealias Item = BulkItem
  /// Names to hash that belong to no item, as in ``HashAttributes``; may be empty.
  package let names: [[UInt8]]
  package let items: [Item]
  /// The secrets of all items one after another, in the memory of the caller or of the message.
  package let secrets: Span<UInt8>

  @_lifetime(copy secrets)
  package init(names: [[UInt8]], items: [Item], secrets: Span<UInt8>) {
    self.names = names
    self.items = items
    self.secrets = secrets
  }

  @_lifetime(copy bytes)
  package init(decoding bytes: Span<UInt8>) throws(DecodeError) {
    var decoder = WireDecoder(bytes)
    try decoder.read(number: Self.number)
    (names, items) = try decoder.read()
    secrets = try decoder.readSpan(limit: KeychainRequest.longestMessage)
    try decoder.finish()
    guard items.allSatisfy({ $0.secretCount <= largestItemSecret }),
      items.reduce(0, { $0 + Int($1.secretCount) }) == secrets.count
    else { throw .invalidValue(field: "the secrets of several items") }
  }

  package func encoded() -> SecretBytes {
    let size = items.reduce(64) { $0 + $1.size } + names.reduce(0) { $0 + $1.count + 4 }
    var encoder = WireEncoder(capacity: size)
    encoder.write(Self.number, names, items)
    encoder.writeBytes(secrets)
    return encoder.finish()
  }
}

extension BulkItem {
  /// The approximate size of the item in a message, in bytes, with its secret.
  package var size: Int {
    names.reduce(attributes.count + protection.identity.count + Int(secretCount) + 32) {
      $0 + $1.count + 4
    }
  }
}
