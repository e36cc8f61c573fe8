// Many items in one message, as a way of their own: each way to the keychain and back, to the
// enclave and back, and to the disk costs more than an item's own share of it.

/// Adds several items, each as ``AddItem`` does. What can be added is stored in one transaction;
/// what cannot be hinders nothing else. Reply: ``ItemsAdded``, once all is on the disk. Failures,
/// with which nothing is stored: those of the keychain as a whole, as `storageFailed`.
package struct AddItems: EngineMessage, ~Copyable {
  package static var number: UInt8 { 145 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { ItemsAdded.number }
  /// Most items of one message.
  package static let mostItems = 1024
  package let items: [NewItem]
  /// The secrets of all items, one behind the other.
  package let secrets: SecretBytes

  /// An item to be added, its secret apart.
  package struct NewItem: Equatable, WireField {
    /// Identifier and times are ignored.
    package let attributes: ItemAttributes
    /// Bytes of its secret.
    package let secretCount: UInt32
    package init(attributes: ItemAttributes, secretCount: UInt32) {
      self.attributes = attributes
      self.secretCount = secretCount
    }
    package func encode(into encoder: inout WireEncoder) { encoder.write(attributes, secretCount) }
    package init(from decoder: inout WireDecoder) throws(DecodeError) {
      (attributes, secretCount) = try decoder.read()
      guard secretCount <= largestItemSecret else {
        throw .tooLong(count: Int(secretCount), limit: largestItemSecret)
      }
    }
  }

  package init(items: [NewItem], secrets: consuming SecretBytes) {
    self.items = items
    self.secrets = secrets
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(items)
    encoder.writeSecret(secrets)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let items = try [NewItem](from: &decoder)
    try decoder.require(items, atMost: Self.mostItems)
    let secrets = try decoder.readSecret(limit: decoder.remainingCount)
    guard items.reduce(0, { $0 + Int($1.secretCount) }) == secrets.count else {
      throw .invalidValue(field: "the secrets of several items")
    }
    self.init(items: items, secrets: secrets)
  }
}

/// What became of each item of ``AddItems``, in their order.
package struct ItemsAdded: WireMessage, Equatable {
  package static var number: UInt8 { 146 }
  /// What became of one item.
  package enum Result: Equatable, WireField {
    /// It is stored; this is its identifier.
    case added(String)
    /// There is an item of its name already, perhaps one that stands before it in the message.
    case duplicate
    /// It is not stored, for a reason of its own.
    case failed(Failure)

    /// Whether it is stored by this message.
    package var isAdded: Bool { if case .added = self { true } else { false } }

    package func encode(into encoder: inout WireEncoder) {
      switch self {
      case .added(let identifier): encoder.write(UInt8(1), identifier)
      case .duplicate: encoder.writeByte(2)
      case .failed(let failure):
        encoder.writeByte(3)
        failure.encode(into: &encoder)
      }
    }

    package init(from decoder: inout WireDecoder) throws(DecodeError) {
      switch try decoder.readByte() {
      case 1: self = .added(try decoder.read())
      case 2: self = .duplicate
      case 3: self = .failed(try Failure(from: &decoder))
      default: throw .invalidValue(field: "what became of an item")
      }
    }
  }
  package let results: [Result]
  package init(results: [Result]) { self.results = results }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(results) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    results = try decoder.read()
    try decoder.require(results, atMost: AddItems.mostItems)
  }
}
