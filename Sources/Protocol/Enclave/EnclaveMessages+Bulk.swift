// Several items in one message of the keychain's to the enclave.

/// Seals several items, each as ``SealItem`` does, and hashes a few names beside them. Reply:
/// ``SealedItems``; a failure only where this is no message.
package struct SealItems: ~Escapable {
  package static var number: UInt8 { 147 }
  /// One of the items, its secret apart.
  package struct Item: Equatable, WireField {
    /// As in ``SealItem``: the hash of the first name ends the identity.
    package let protection: ItemProtection
    package let names: [[UInt8]]
    package let attributes: [UInt8]
    /// Bytes of its secret.
    package let secretCount: UInt32
    package init(
      protection: ItemProtection, names: [[UInt8]], attributes: [UInt8], secretCount: UInt32
    ) {
      self.protection = protection
      self.names = names
      self.attributes = attributes
      self.secretCount = secretCount
    }
    package func encode(into encoder: inout WireEncoder) {
      encoder.write(protection, names, attributes, secretCount)
    }
    package init(from decoder: inout WireDecoder) throws(DecodeError) {
      (protection, names, attributes, secretCount) = try decoder.read()
    }
    /// About how many bytes the item takes in a message, its secret included.
    package var size: Int {
      names.reduce(attributes.count + protection.identity.count + Int(secretCount) + 32) {
        $0 + $1.count + 4
      }
    }
  }
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

/// What became of each item of ``SealItems``, in their order.
package struct SealedItems: WireMessage, Equatable {
  package static var number: UInt8 { 148 }
  /// What became of one item.
  package enum Result: Equatable, WireField {
    case sealed(SealedItem)
    /// As ``SealItem`` would have failed.
    case failed(Failure)

    package func encode(into encoder: inout WireEncoder) {
      switch self {
      case .sealed(let item):
        encoder.writeByte(1)
        item.encode(into: &encoder)
      case .failed(let failure):
        encoder.writeByte(2)
        failure.encode(into: &encoder)
      }
    }

    package init(from decoder: inout WireDecoder) throws(DecodeError) {
      switch try decoder.readByte() {
      case 1: self = .sealed(try SealedItem(from: &decoder))
      case 2: self = .failed(try Failure(from: &decoder))
      default: throw .invalidValue(field: "what became of an item")
      }
    }
  }
  /// 32 bytes for each name of the message, in their order.
  package let hashes: [[UInt8]]
  package let results: [Result]
  package init(hashes: [[UInt8]], results: [Result]) {
    self.hashes = hashes
    self.results = results
  }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(hashes, results) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (hashes, results) = try decoder.read()
  }
}
