/// Reads the data types of RFC 4251 §5 from untrusted bytes.
///
/// It is total: any bytes give a value or a ``DecodeError``. Memory is allocated only for bytes
/// that are there.
package struct WireDecoder: ~Copyable, ~Escapable {
  private var remaining: Span<UInt8>
  /// The message in locked memory, with which secrets in it share their memory.
  private let message: SecretBytes?

  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>) {
    remaining = bytes
    message = nil
  }

  /// Reads a message without copying the secrets in it.
  @_lifetime(borrow bytes)
  package init(_ bytes: borrowing SecretBytes) {
    remaining = bytes.bytes
    message = bytes.shared()
  }

  package var remainingCount: Int { remaining.count }

  private mutating func drop(_ count: Int) {
    remaining = remaining.extracting(droppingFirst: count)
  }

  private func require(_ count: Int) throws(DecodeError) {
    guard remaining.count >= count else {
      throw .truncated(wanted: count, left: remaining.count)
    }
  }

  /// A `byte`.
  package mutating func readByte() throws(DecodeError) -> UInt8 {
    try readInteger()
  }

  /// The number of a message, which must be this one.
  package mutating func read(number: UInt8) throws(DecodeError) {
    let found = try readByte()
    guard found == number else { throw .unknownMessage(number: found) }
  }

  /// A `boolean`: 0 or 1. RFC 4251 takes any other value for true; here it is an error, so that
  /// each value has one encoding.
  package mutating func readBoolean() throws(DecodeError) -> Bool {
    switch try readByte() {
    case 0: return false
    case 1: return true
    default: throw .invalidValue(field: "boolean")
    }
  }

  /// A number, big endian: a `uint32` or `uint64`, or a signed one in two's complement inside it.
  mutating func readInteger<Value: FixedWidthInteger>(
    of type: Value.Type = Value.self
  ) throws(DecodeError) -> Value {
    let size = MemoryLayout<Value>.size
    try require(size)
    let value = unsafe remaining.withUnsafeBytes { unsafe $0.loadUnaligned(as: Value.self) }
    drop(size)
    return Value(bigEndian: value)
  }

  /// A `uint32`, big endian.
  package mutating func readUInt32() throws(DecodeError) -> UInt32 { try readInteger() }

  /// A `uint64`, big endian.
  package mutating func readUInt64() throws(DecodeError) -> UInt64 { try readInteger() }

  /// An IEEE 754 double inside a `uint64`; not-a-number and infinities are errors.
  mutating func readDouble() throws(DecodeError) -> Double {
    let value = Double(bitPattern: try readUInt64())
    guard value.isFinite else { throw .invalidValue(field: "double") }
    return value
  }

  private mutating func readLength(limit: Int) throws(DecodeError) -> Int {
    let count = Int(try readUInt32())
    guard count <= limit else { throw .tooLong(count: count, limit: limit) }
    try require(count)
    return count
  }

  /// A `string` of at most `limit` bytes.
  package mutating func readBytes(limit: Int) throws(DecodeError) -> [UInt8] {
    let string = try readSpan(limit: limit)
    return unsafe string.withUnsafeBytes { unsafe Array($0) }
  }

  /// A `string` of at most `limit` bytes, in locked memory.
  package mutating func readSecret(limit: Int) throws(DecodeError) -> SecretBytes {
    let count = try readLength(limit: limit)
    defer { drop(count) }
    switch message {
    case .some(let message):
      let start = message.count - remaining.count
      return message.sharing(start..<start + count)
    case .none: return SecretBytes(copying: remaining.extracting(first: count))
    }
  }

  /// A `string` of at most `limit` bytes, without a copy.
  @_lifetime(copy self)
  package mutating func readSpan(limit: Int) throws(DecodeError) -> Span<UInt8> {
    let count = try readLength(limit: limit)
    let bytes = remaining.extracting(first: count)
    drop(count)
    return bytes
  }

  /// A `string` of at most `limit` bytes of UTF-8.
  package mutating func readText(limit: Int = 4096) throws(DecodeError) -> String {
    let bytes = try readSpan(limit: limit)
    let text = unsafe bytes.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
    guard let text else { throw .invalidText }
    return text
  }

  /// The number of elements that follow, at most `limit`. Each takes at least `elementSize` bytes,
  /// so that an array may reserve memory for them.
  package mutating func readCount(limit: Int, elementSize: Int) throws(DecodeError) -> Int {
    let count = Int(try readUInt32())
    guard count <= limit else { throw .tooLong(count: count, limit: limit) }
    try require(count * max(1, elementSize))
    return count
  }

  /// An optional: a boolean and, if that is true, what `body` reads.
  package mutating func readOptional<Value>(
    _ body: (inout WireDecoder) throws(DecodeError) -> Value
  ) throws(DecodeError) -> Value? {
    try readBoolean() ? try body(&self) : nil
  }

  /// An array: a count and that many elements, which `body` reads.
  package mutating func readArray<Value>(
    limit: Int, elementSize: Int, _ body: (inout WireDecoder) throws(DecodeError) -> Value
  ) throws(DecodeError) -> [Value] {
    let count = try readCount(limit: limit, elementSize: elementSize)
    var values: [Value] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try body(&self)) }
    return values
  }

  package func require(_ text: String, atMost limit: Int) throws(DecodeError) {
    guard text.utf8.count <= limit else { throw .tooLong(count: text.utf8.count, limit: limit) }
  }

  package func require(_ values: [some Any], atMost limit: Int) throws(DecodeError) {
    guard values.count <= limit else { throw .tooLong(count: values.count, limit: limit) }
  }

  /// Requires that all bytes have been read.
  package func finish() throws(DecodeError) {
    guard remaining.count == 0 else { throw .trailingBytes(count: remaining.count) }
  }
}

/// Why bytes are not the expected message.
package enum DecodeError: Error, Equatable, Sendable {
  /// `wanted` more bytes were needed and only `left` were left.
  case truncated(wanted: Int, left: Int)
  /// A field claims `count` bytes or elements; at most `limit` are accepted.
  case tooLong(count: Int, limit: Int)
  /// Text that is not UTF-8.
  case invalidText
  /// The value of `field` has no meaning.
  case invalidValue(field: String)
  /// `count` bytes follow the message.
  case trailingBytes(count: Int)
  case unknownMessage(number: UInt8)
}
