/// Reads the data types of RFC 4251 §5 from bytes that nobody vouches for.
///
/// Total: any bytes give a value or a ``DecodeError``. Nothing is allocated before the bytes it is
/// for are known to be there.
package struct WireDecoder: ~Copyable, ~Escapable {
  private var remaining: Span<UInt8>
  /// The message that is read, where it lies in locked memory: a secret in it is shared with it.
  private let message: SecretBytes?

  /// Reads from the beginning of `bytes`.
  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>) {
    remaining = bytes
    message = nil
  }

  /// Reads from the beginning of a message, whose secrets stay where they lie.
  @_lifetime(borrow bytes)
  package init(_ bytes: borrowing SecretBytes) {
    remaining = bytes.bytes
    message = bytes.shared()
  }

  /// How many bytes have not been read.
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

  /// A `boolean`: 0 or 1. RFC 4251 takes every other value for true; here it is an error, so that
  /// one value has one encoding.
  package mutating func readBoolean() throws(DecodeError) -> Bool {
    switch try readByte() {
    case 0: return false
    case 1: return true
    default: throw .invalidValue(field: "boolean")
    }
  }

  /// A number, big endian: a `uint32` or `uint64`, or a signed one in two's complement inside it.
  package mutating func readInteger<Value: FixedWidthInteger>(
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
  package mutating func readDouble() throws(DecodeError) -> Double {
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

  /// A `string` of at most `limit` bytes, straight into locked memory.
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

  /// A `string` of at most `limit` bytes where it lies, without a copy.
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

  /// The number of elements that follow, at most `limit`, each at least `elementSize` bytes: what
  /// an array may reserve.
  package mutating func readCount(limit: Int, elementSize: Int) throws(DecodeError) -> Int {
    let count = Int(try readUInt32())
    guard count <= limit else { throw .tooLong(count: count, limit: limit) }
    try require(count * max(1, elementSize))
    return count
  }

  /// A boolean and, if it is true, what `body` reads.
  package mutating func readOptional<Value>(
    _ body: (inout WireDecoder) throws(DecodeError) -> Value
  ) throws(DecodeError) -> Value? {
    try readBoolean() ? try body(&self) : nil
  }

  /// A count and that many of what `body` reads.
  package mutating func readArray<Value>(
    limit: Int, elementSize: Int, _ body: (inout WireDecoder) throws(DecodeError) -> Value
  ) throws(DecodeError) -> [Value] {
    let count = try readCount(limit: limit, elementSize: elementSize)
    var values: [Value] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try body(&self)) }
    return values
  }

  /// A text that was read may be at most `limit` bytes long.
  package func require(_ text: String, atMost limit: Int) throws(DecodeError) {
    guard text.utf8.count <= limit else { throw .tooLong(count: text.utf8.count, limit: limit) }
  }

  /// An array that was read may have at most `limit` elements.
  package func require(_ values: [some Any], atMost limit: Int) throws(DecodeError) {
    guard values.count <= limit else { throw .tooLong(count: values.count, limit: limit) }
  }

  /// Nothing may be left.
  package func finish() throws(DecodeError) {
    guard remaining.count == 0 else { throw .trailingBytes(count: remaining.count) }
  }
}

/// Why bytes are not the message they should be.
package enum DecodeError: Error, Equatable, Sendable {
  /// `wanted` more bytes were needed and `left` were there.
  case truncated(wanted: Int, left: Int)
  /// A field says it is `count` bytes or elements long; at most `limit` are taken.
  case tooLong(count: Int, limit: Int)
  /// Text that is not UTF-8.
  case invalidText
  /// A field holds a value that has no meaning: `field` names it.
  case invalidValue(field: String)
  /// The message is over and `count` bytes are left.
  case trailingBytes(count: Int)
  /// A message number nobody here knows.
  case unknownMessage(number: UInt8)
}
