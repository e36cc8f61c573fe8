import CLibcrypto

/// SHA-256 of a message that comes in parts (FIPS 180-4).
@safe package struct SHA256Stream: ~Copyable {
  /// Bytes of a hash.
  package static let size = 32

  private let context: OpaquePointer

  /// An empty message.
  package init() throws(CryptographyError) {
    guard let context = unsafe EVP_MD_CTX_new() else { throw Libcrypto.failure("SHA-256") }
    guard unsafe EVP_DigestInit_ex2(context, Libcrypto.sha256, nil) == 1 else {
      unsafe EVP_MD_CTX_free(context)
      throw Libcrypto.failure("SHA-256")
    }
    unsafe self.context = context
  }

  /// The next part of the message; may be empty.
  package mutating func update(_ part: Span<UInt8>) throws(CryptographyError) {
    let done = unsafe part.withUnsafeBufferPointer {
      unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
    }
    guard done == 1 else { throw Libcrypto.failure("SHA-256") }
  }

  /// The hash of all parts, of which none may follow.
  package mutating func finish() throws(CryptographyError) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: Self.size)
    let done = unsafe hash.withUnsafeMutableBufferPointer {
      unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil)
    }
    guard done == 1 else { throw Libcrypto.failure("SHA-256") }
    return hash
  }

  deinit { unsafe EVP_MD_CTX_free(context) }
}
