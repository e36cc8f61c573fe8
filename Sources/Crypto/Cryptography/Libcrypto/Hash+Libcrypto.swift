import CLibcrypto

extension Libcrypto {
  /// The hash of a message by a function of libcrypto's whose hashes have `count` bytes.
  @unsafe static func hash(
    _ message: Span<UInt8>, _ function: OpaquePointer?, count: Int
  ) throws(CryptographyError) -> [UInt8] {
    guard let function = unsafe function else { throw failure("hash") }
    var hash = [UInt8](repeating: 0, count: count)
    let done = unsafe message.withUnsafeBufferPointer { message in
      unsafe hash.withUnsafeMutableBufferPointer { hash in
        unsafe EVP_Digest(
          message.baseAddress, message.count, hash.baseAddress, nil, function, nil)
      }
    }
    guard done == 1 else { throw failure("hash") }
    return hash
  }
}
