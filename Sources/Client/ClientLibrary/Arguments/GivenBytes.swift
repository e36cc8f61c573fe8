import Protocol

enum GivenBytes {
  /// A caller's secret.
  /// - Parameters:
  ///   - pointer: may be NULL where `count` is 0.
  ///   - count: how many.
  ///   - name: the argument's.
  ///   - limit: how many there may be.
  /// - Returns: a copy, wiped with its owner.
  /// - Throws: `errSecParam` where it is missing or too long.
  @unsafe static func secret(
    _ pointer: UnsafePointer<UInt8>?, _ count: Int, _ name: String, atMost limit: Int
  ) throws(Failure) -> SecretBytes {
    let bytes = try unsafe checked(pointer, count, name, atMost: limit)
    return unsafe SecretBytes(copying: bytes.bindMemory(to: UInt8.self).span)
  }

  /// Bytes that are no secret; as ``secret(_:_:_:atMost:)``.
  @unsafe static func copy(
    _ pointer: UnsafeRawPointer?, _ count: Int, _ name: String, atMost limit: Int
  ) throws(Failure) -> [UInt8] {
    unsafe Array(try checked(pointer, count, name, atMost: limit))
  }

  /// The bytes where they lie.
  @unsafe static func checked(
    _ pointer: UnsafeRawPointer?, _ count: Int, _ name: String, atMost limit: Int
  ) throws(Failure) -> UnsafeRawBufferPointer {
    // size_t is imported as Int: what is larger than that is negative here.
    guard count >= 0, count <= limit else {
      throw .outOfRange("the size of \(name)", "at most \(limit) bytes")
    }
    guard unsafe pointer != nil || count == 0 else { throw .missing(name) }
    return unsafe UnsafeRawBufferPointer(start: pointer, count: count)
  }
}
