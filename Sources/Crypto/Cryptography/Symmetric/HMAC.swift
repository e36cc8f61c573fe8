import CLibcrypto
package import Protocol

/// Message authentication with a hash function (RFC 2104, FIPS 198-1).
package enum HMAC {
  /// The code of `message`; tells nothing about key or message to whoever has no key.
  ///
  /// `key` may have any length.
  package static func code(
    for message: Span<UInt8>, with key: borrowing SecretBytes, by function: HashFunction
  ) throws(CryptographyError) -> [UInt8] {
    guard let context = unsafe EVP_MAC_CTX_new(Libcrypto.hmac) else {
      throw Libcrypto.failure("HMAC")
    }
    defer { unsafe EVP_MAC_CTX_free(context) }
    var code = [UInt8](repeating: 0, count: function.size)
    var written = 0
    let parameters = unsafe [
      Libcrypto.text("digest", function.libcryptoName), OSSL_PARAM_construct_end(),
    ]
    let done = unsafe parameters.withUnsafeBufferPointer { parameters in
      unsafe key.withUnsafeBytes { key in
        unsafe EVP_MAC_init(
          context, key.baseAddress?.assumingMemoryBound(to: UInt8.self), key.count,
          parameters.baseAddress)
      } == 1
        && message.withUnsafeBufferPointer { message in
          unsafe message.isEmpty
            || EVP_MAC_update(context, message.baseAddress, message.count) == 1
        }
    }
    let finished = unsafe code.withUnsafeMutableBufferPointer { target in
      unsafe EVP_MAC_final(context, target.baseAddress, &written, target.count)
    }
    guard done, finished == 1, written == code.count else { throw Libcrypto.failure("HMAC") }
    return code
  }
}
