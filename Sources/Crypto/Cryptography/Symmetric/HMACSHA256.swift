import CLibcrypto
package import Protocol

/// Message authentication with SHA-256 (RFC 2104, FIPS 198-1).
package enum HMACSHA256 {
  /// Bytes of a code.
  package static let size = 32

  /// The code of `message`; tells nothing about key or message to whoever has no key.
  ///
  /// `key` may have any length; outside of test vectors it is a ``SymmetricKey``'s.
  package static func code(
    for message: Span<UInt8>, with key: borrowing SecretBytes
  ) throws(CryptographyError) -> [UInt8] {
    guard let context = unsafe EVP_MAC_CTX_new(Libcrypto.hmac) else {
      throw Libcrypto.failure("HMAC-SHA-256")
    }
    defer { unsafe EVP_MAC_CTX_free(context) }
    var code = [UInt8](repeating: 0, count: size)
    var written = 0
    let done = unsafe withDigestParameter { parameters in
      unsafe key.withUnsafeBytes { key in
        unsafe EVP_MAC_init(
          context, key.baseAddress?.assumingMemoryBound(to: UInt8.self), key.count, parameters)
      } == 1
        && message.withUnsafeBufferPointer { message in
          unsafe message.isEmpty
            || EVP_MAC_update(context, message.baseAddress, message.count) == 1
        }
    }
    let finished = unsafe code.withUnsafeMutableBufferPointer { target in
      unsafe EVP_MAC_final(context, target.baseAddress, &written, target.count)
    }
    guard done, finished == 1, written == size else { throw Libcrypto.failure("HMAC-SHA-256") }
    return code
  }

  /// Whether `code` belongs to `message`, in a time that does not depend on where it differs.
  package static func isValid(
    _ code: Span<UInt8>, for message: Span<UInt8>, with key: borrowing SecretBytes
  ) throws(CryptographyError) -> Bool {
    let expected = try self.code(for: message, with: key)
    return SecretBytes(copying: expected.span).isEqual(to: code)
  }

  @unsafe private static func withDigestParameter<R>(
    _ body: (UnsafePointer<OSSL_PARAM>?) -> R
  ) -> R {
    let parameters = unsafe [Libcrypto.text("digest", "SHA2-256"), OSSL_PARAM_construct_end()]
    return unsafe parameters.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
  }
}
