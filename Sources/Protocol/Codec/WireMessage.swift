/// A message that crosses a wall: a number that tells its kind, then its fields in order.
package protocol WireMessage: ~Copyable, Sendable {
  /// The kind; unique among the messages of one protocol.
  static var number: UInt8 { get }
  /// Writes the fields (not the number).
  borrowing func encode(into encoder: inout WireEncoder)
  /// Reads the fields (not the number). Must not read past what it needs; the caller checks that
  /// nothing is left.
  init(from decoder: inout WireDecoder) throws(DecodeError)
}

/// A message that says all by its number.
package protocol EmptyMessage: WireMessage {
  init()
}

extension EmptyMessage {
  package borrowing func encode(into encoder: inout WireEncoder) {}
  package init(from decoder: inout WireDecoder) throws(DecodeError) { self.init() }
}

extension WireMessage where Self: ~Copyable {
  /// Number and fields, as they cross a wall.
  package borrowing func encoded(capacity: Int = 256) -> SecretBytes {
    var encoder = WireEncoder(capacity: capacity)
    encoder.writeByte(Self.number)
    encode(into: &encoder)
    return encoder.finish()
  }

  /// Reads a whole message of this kind; another kind is ``DecodeError/unknownMessage(number:)``.
  package static func decode(_ bytes: Span<UInt8>) throws(DecodeError) -> Self {
    var decoder = WireDecoder(bytes)
    let number = try decoder.readByte()
    guard number == Self.number else { throw .unknownMessage(number: number) }
    let message = try Self(from: &decoder)
    try decoder.finish()
    return message
  }
}
