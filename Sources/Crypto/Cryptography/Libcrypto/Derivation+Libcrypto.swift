package import CLibcrypto
package import Protocol

extension Libcrypto {
  /// An octet string parameter. A parameter of no bytes still needs an address.
  @unsafe package static func octets(
    _ name: StaticString, _ bytes: UnsafeRawBufferPointer
  ) -> OSSL_PARAM {
    let address = unsafe bytes.baseAddress ?? UnsafeRawPointer(name.utf8Start)
    return unsafe OSSL_PARAM_construct_octet_string(
      key(name), UnsafeMutableRawPointer(mutating: address), bytes.count)
  }

  /// A number that lies in `numbers` at `index`.
  @unsafe package static func number(
    _ name: StaticString, _ numbers: UnsafeBufferPointer<UInt64>, at index: Int
  ) -> OSSL_PARAM {
    let address = unsafe numbers.baseAddress.map {
      unsafe UnsafeMutablePointer(mutating: $0 + index)
    }
    return unsafe OSSL_PARAM_construct_uint64(key(name), address)
  }

  /// A text parameter.
  @unsafe package static func text(_ name: StaticString, _ value: StaticString) -> OSSL_PARAM {
    unsafe OSSL_PARAM_construct_utf8_string(
      key(name), UnsafeMutablePointer(mutating: key(value)), 0)
  }

  /// A parameter's name; static strings live for ever and end in a zero byte.
  @unsafe package static func key(_ name: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// Runs a key derivation function of libcrypto into locked memory (`EVP_KDF_derive(3)`).
  @unsafe package static func derive(
    _ function: OpaquePointer?, _ parameters: [OSSL_PARAM], count: Int, operation: StaticString
  ) throws(CryptographyError) -> SecretBytes {
    guard let context = unsafe EVP_KDF_CTX_new(function) else { throw failure(operation) }
    defer { unsafe EVP_KDF_CTX_free(context) }
    var derived = SecretBytes(count: count)
    let terminated = unsafe parameters + [OSSL_PARAM_construct_end()]
    let done = unsafe derived.withUnsafeMutableBytes { target in
      unsafe terminated.withUnsafeBufferPointer {
        unsafe EVP_KDF_derive(
          context, target.baseAddress?.assumingMemoryBound(to: UInt8.self), target.count,
          $0.baseAddress)
      }
    }
    guard done == 1 else { throw failure(operation) }
    return derived
  }
}

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
