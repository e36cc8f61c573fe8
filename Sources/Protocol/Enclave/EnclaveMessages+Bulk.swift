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
