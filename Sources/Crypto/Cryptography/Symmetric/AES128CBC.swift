import CLibcrypto
package import Protocol

/// AES-128-CBC with the padding of PKCS #7 (SP 800-38A, RFC 5652 §6.3), for reading what other
/// programs wrote. It authenticates nothing.
package enum AES128CBC {
  /// The length of the key and of the initialization vector, in bytes.
  package static let size = 16

  /// Decrypts.
  /// - Returns: the plaintext in locked memory.
  /// - Throws: ``CryptographyError/notAuthentic`` where the padding is none.
  package static func decrypt(
    _ sealed: Span<UInt8>, key: borrowing SecretBytes, vector: [UInt8]
  ) throws(CryptographyError) -> SecretBytes {
    guard key.count == size else {
      throw .wrongSize(field: "key", expected: size, found: key.count)
    }
    guard vector.count == size else {
      throw .wrongSize(field: "initialization vector", expected: size, found: vector.count)
    }
    guard sealed.count > 0, sealed.count.isMultiple(of: size), sealed.count <= 1 << 30 else {
      throw .notAuthentic
    }
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw Libcrypto.failure("AES-CBC") }
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    let started = unsafe key.withUnsafeBytes { key in
      unsafe EVP_CipherInit_ex2(
        context, Libcrypto.aes128CBC, key.baseAddress?.assumingMemoryBound(to: UInt8.self), vector,
        0, nil)
    }
    guard started == 1 else { throw Libcrypto.failure("AES-CBC") }
    var plain = SecretBytes(count: sealed.count)
    var (count, rest): (Int32, Int32) = (0, 0)
    let isWhole = unsafe plain.withUnsafeMutableBytes { target in
      unsafe sealed.withUnsafeBufferPointer { sealed in
        let start = unsafe target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard
          unsafe EVP_CipherUpdate(
            context, start, &count, sealed.baseAddress, Int32(sealed.count)) == 1
        else { return false }
        return unsafe EVP_CipherFinal_ex(context, start.map { unsafe $0 + Int(count) }, &rest) == 1
      }
    }
    guard isWhole else {
      Libcrypto.forgetErrors()
      throw .notAuthentic
    }
    return plain.extracting(0..<Int(count + rest))
  }
}
