/// A message that crosses a wall: a number that tells its kind, then its fields in order.
package protocol WireMessage: ~Copyable, Sendable {
  /// The kind; unique among the messages of one protocol.
  static var number: UInt8 { get }
  /// Writes the fields (not the number).
  borrowing func encode(into encoder: inout WireEncoder)
  /// Reads the fields (not the number). It reads only what it needs; the caller checks that nothing
  /// is left.
  init(from decoder: inout WireDecoder) throws(DecodeError)
}

/// A message without fields.
package protocol EmptyMessage: WireMessage {
  init()
}

extension EmptyMessage {
  package borrowing func encode(into encoder: inout WireEncoder) {}
  package init(from decoder: inout WireDecoder) throws(DecodeError) { self.init() }
}

extension WireMessage where Self: ~Copyable {
  package borrowing func encoded(capacity: Int = 256) -> SecretBytes {
    var encoder = WireEncoder(capacity: capacity)
    encoder.writeByte(Self.number)
    encode(into: &encoder)
    return encoder.finish()
  }

  /// Reads a whole message of this kind; another kind is ``DecodeError/unknownMessage(number:)``.
  package static func decode(_ bytes: Span<UInt8>) throws(DecodeError) -> Self {
    var decoder = WireDecoder(bytes)
    try decoder.read(number: Self.number)
    let message = try Self(from: &decoder)
    try decoder.finish()
    return message
  }
}

/// A field of a message: it writes itself, and reads itself from untrusted bytes.
///
/// ``WireEncoder/write(_:)`` and ``WireDecoder/read()`` take any number of fields, so that a
/// message names them once for each direction. Secrets are not copied and therefore are not fields:
/// messages with a secret write and read it by hand.
package protocol WireField: Sendable {
  func encode(into encoder: inout WireEncoder)
  /// Reads a value and nothing beyond it. Any bytes give a value or a ``DecodeError``.
  init(from decoder: inout WireDecoder) throws(DecodeError)
  /// Writes an array of such values: a count and the elements, or a `string` for bytes.
  static func encode(_ values: [Self], into encoder: inout WireEncoder)
  /// Reads an array of such values. Memory grows with what has been read, not with what a count
  /// claims.
  static func array(from decoder: inout WireDecoder) throws(DecodeError) -> [Self]
}

extension WireField {
  package static func encode(_ values: [Self], into encoder: inout WireEncoder) {
    encoder.writeUInt32(UInt32(values.count))
    for value in values { value.encode(into: &encoder) }
  }

  package static func array(
    from decoder: inout WireDecoder
  ) throws(DecodeError) -> [Self] {
    // Every element takes at least a byte.
    let count = try decoder.readCount(limit: WireDecoder.mostElements, elementSize: 1)
    var values: [Self] = []
    for _ in 0..<count { values.append(try Self(from: &decoder)) }
    return values
  }
}

extension WireEncoder {
  /// Writes fields in order.
  package mutating func write<each Field: WireField>(_ fields: repeat each Field) {
    repeat (each fields).encode(into: &self)
  }
}

extension WireDecoder {
  /// The longest text in any message, in bytes.
  package static let longestText = 8192
  /// The most elements of an array in any message.
  static let mostElements = 200_000

  /// Reads fields in order. Their types are those of the variables they are assigned to.
  package mutating func read<each Field: WireField>()
    throws(DecodeError) -> (repeat each Field)
  {
    (repeat try (each Field)(from: &self))
  }
}

extension UInt8: WireField {
  package static func encode(_ values: [UInt8], into encoder: inout WireEncoder) {
    encoder.writeBytes(values)
  }
  package static func array(from decoder: inout WireDecoder) throws(DecodeError) -> [UInt8] {
    try decoder.readBytes(limit: decoder.remainingCount)
  }
}

extension Bool: WireField {
  package func encode(into encoder: inout WireEncoder) { encoder.writeBoolean(self) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    self = try decoder.readBoolean()
  }
}

/// Inside a `uint32`.
extension UInt16: WireField {
  package func encode(into encoder: inout WireEncoder) { encoder.writeUInt32(UInt32(self)) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    guard let value = UInt16(exactly: try decoder.readUInt32()) else {
      throw .invalidValue(field: "a number of 16 bits")
    }
    self = value
  }
}

/// Big endian; the signed ones in two's complement inside a `uint32` or `uint64`.
extension WireField where Self: FixedWidthInteger {
  package func encode(into encoder: inout WireEncoder) { encoder.writeInteger(self) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    self = try decoder.readInteger()
  }
}

extension UInt32: WireField {}
extension Int32: WireField {}
extension UInt64: WireField {}
extension Int64: WireField {}

extension Double: WireField {
  package func encode(into encoder: inout WireEncoder) { encoder.writeDouble(self) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    self = try decoder.readDouble()
  }
}

/// At most ``WireDecoder/longestText`` bytes.
extension String: WireField {
  package func encode(into encoder: inout WireEncoder) { encoder.writeText(self) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    self = try decoder.readText(limit: WireDecoder.longestText)
  }
}

extension Optional: WireField where Wrapped: WireField {
  package func encode(into encoder: inout WireEncoder) {
    encoder.writeBoolean(self != nil)
    self?.encode(into: &encoder)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    self = try decoder.readBoolean() ? try Wrapped(from: &decoder) : nil
  }
}

extension Array: WireField where Element: WireField {
  package func encode(into encoder: inout WireEncoder) {
    Element.encode(self, into: &encoder)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    self = try Element.array(from: &decoder)
  }
}

/// Enumerations and sets with a numeric raw value cross as that number. A number without a meaning
/// is an error that names the type.
extension WireField where Self: RawRepresentable, RawValue: WireField {
  package func encode(into encoder: inout WireEncoder) {
    rawValue.encode(into: &encoder)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    guard let value = Self(rawValue: try RawValue(from: &decoder)) else {
      throw .invalidValue(field: "\(Self.self)")
    }
    self = value
  }
}
