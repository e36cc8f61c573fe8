/// Writes the data types of RFC 4251 §5 into memory that is treated as secret.
///
/// Every message is built in ``SecretBytes``, whether or not it contains a secret, so that no
/// message has to remember that it does.
package struct WireEncoder: ~Copyable {
  private var buffer: SecretBytes
  package private(set) var count = 0

  package init(capacity: Int = 256) { buffer = SecretBytes(count: max(16, capacity)) }

  private mutating func append(_ bytes: Span<UInt8>) {
    reserve(bytes.count)
    buffer.copy(bytes, at: count)
    count += bytes.count
  }

  /// A number, big endian: a `uint32` or `uint64`, or a signed one in two's complement inside it.
  mutating func writeInteger(_ value: some FixedWidthInteger) {
    let size = value.bitWidth / 8
    reserve(size)
    let start = count
    unsafe buffer.withUnsafeMutableBytes { target in
      unsafe target.storeBytes(of: value.bigEndian, toByteOffset: start, as: type(of: value))
    }
    count += size
  }

  private mutating func reserve(_ additional: Int) {
    guard count + additional > buffer.count else { return }
    var larger = SecretBytes(count: max(buffer.count * 2, count + additional))
    larger.copy(buffer.bytes.extracting(first: count))
    buffer = larger
  }

  /// A `byte`.
  package mutating func writeByte(_ value: UInt8) { writeInteger(value) }

  /// A `boolean`.
  package mutating func writeBoolean(_ value: Bool) { writeByte(value ? 1 : 0) }

  /// A `uint32`, big endian.
  package mutating func writeUInt32(_ value: UInt32) { writeInteger(value) }

  /// A `uint64`, big endian.
  package mutating func writeUInt64(_ value: UInt64) { writeInteger(value) }

  /// A finite IEEE 754 double inside a `uint64`.
  mutating func writeDouble(_ value: Double) {
    precondition(value.isFinite, "a message holds finite numbers only")
    writeUInt64(value.bitPattern)
  }

  /// Fields that are encoded already.
  package mutating func writeRaw(_ fields: Span<UInt8>) { append(fields) }

  /// A `string`.
  package mutating func writeBytes(_ bytes: Span<UInt8>) {
    writeLength(bytes.count)
    append(bytes)
  }

  /// A `string` of `count` bytes, which `body` writes in place.
  package mutating func writeBytes(count: Int, _ body: (inout MutableSpan<UInt8>) -> Void) {
    writeLength(count)
    reserve(count)
    let start = self.count
    unsafe buffer.withUnsafeMutableBytes { bytes in
      var target = unsafe MutableSpan<UInt8>(
        _unsafeBytes: UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + count]))
      body(&target)
    }
    self.count += count
  }

  /// The beginning of a `string` whose `count` bytes follow.
  package mutating func writeLength(_ count: Int) { writeUInt32(UInt32(count)) }

  /// A `string`.
  package mutating func writeBytes(_ bytes: [UInt8]) { writeBytes(bytes.span) }

  /// A `string` holding a secret.
  package mutating func writeSecret(_ secret: borrowing SecretBytes) { writeBytes(secret.bytes) }

  /// A `string` of UTF-8.
  package mutating func writeText(_ text: String) { writeBytes(Array(text.utf8)) }

  /// An optional: a boolean and, if there is a value, what `body` writes.
  package mutating func writeOptional<Value>(
    _ value: Value?, _ body: (inout WireEncoder, Value) -> Void
  ) {
    writeBoolean(value != nil)
    if let value { body(&self, value) }
  }

  /// An array: a count and the elements, which `body` writes.
  package mutating func writeArray<Value>(
    _ values: [Value], _ body: (inout WireEncoder, Value) -> Void
  ) {
    writeUInt32(UInt32(values.count))
    for value in values { body(&self, value) }
  }

  /// What has been written. It is copied only if most of the memory was not used.
  package consuming func finish() -> SecretBytes {
    let used = count
    return buffer.extracting(0..<used)
  }

  /// What has been written, if it is not secret.
  package consuming func finishPlain() -> [UInt8] {
    let written = buffer.bytes.extracting(first: count)
    return unsafe written.withUnsafeBytes { unsafe Array($0) }
  }
}
