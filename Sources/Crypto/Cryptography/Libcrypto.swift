// Cryptography: the few primitives authcore uses, over libcrypto 3, straight into locked memory.

package import CLibcrypto
package import Protocol

/// libcrypto's start-up, and the algorithms fetched from it, each once.
///
/// Reads no configuration and opens no file, at start-up or later: the default provider is part of
/// the library, and its generator seeds itself by `getrandom(2)`. So all of this works after the
/// enclave's host has closed its sandbox.
@safe package enum Libcrypto {
  /// Whether the library started without its configuration (`OPENSSL_init_crypto(3)`), as
  /// everything below requires. Names of algorithms are still added on demand: that takes no file,
  /// and other users of the library need it.
  package static let isStarted =
    OPENSSL_init_crypto(
      UInt64(OPENSSL_INIT_NO_LOAD_CONFIG) | UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

  private static func started<Value>(_ value: () -> Value?) -> Value? { isStarted ? value() : nil }

  // Fetched algorithms are immutable and shared by every thread (EVP_CIPHER_fetch(3)); they are
  // never freed.
  nonisolated(unsafe) static let aes128CBC = unsafe started {
    unsafe EVP_CIPHER_fetch(nil, "AES-128-CBC", nil)
  }
  nonisolated(unsafe) static let aes128GCM = unsafe started {
    unsafe EVP_CIPHER_fetch(nil, "AES-128-GCM", nil)
  }
  nonisolated(unsafe) static let aes256GCM = unsafe started {
    unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
  }
  nonisolated(unsafe) static let chaCha20Poly1305 = unsafe started {
    unsafe EVP_CIPHER_fetch(nil, "ChaCha20-Poly1305", nil)
  }
  nonisolated(unsafe) static let sha1 = unsafe started { unsafe EVP_MD_fetch(nil, "SHA1", nil) }
  nonisolated(unsafe) static let sha224 = unsafe started {
    unsafe EVP_MD_fetch(nil, "SHA2-224", nil)
  }
  nonisolated(unsafe) static let sha256 = unsafe started {
    unsafe EVP_MD_fetch(nil, "SHA2-256", nil)
  }
  nonisolated(unsafe) static let sha384 = unsafe started {
    unsafe EVP_MD_fetch(nil, "SHA2-384", nil)
  }
  nonisolated(unsafe) static let sha512 = unsafe started {
    unsafe EVP_MD_fetch(nil, "SHA2-512", nil)
  }
  nonisolated(unsafe) static let hmac = unsafe started { unsafe EVP_MAC_fetch(nil, "HMAC", nil) }
  nonisolated(unsafe) static let hkdf = unsafe started { unsafe EVP_KDF_fetch(nil, "HKDF", nil) }
  nonisolated(unsafe) static let x963 = unsafe started {
    unsafe EVP_KDF_fetch(nil, "X963KDF", nil)
  }
  nonisolated(unsafe) static let scrypt = unsafe started {
    unsafe EVP_KDF_fetch(nil, "SCRYPT", nil)
  }
  nonisolated(unsafe) static let p256 = unsafe started {
    unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
  }

  /// The failure of `operation` with this thread's newest error. Empties the error queue.
  package static func failure(_ operation: StaticString) -> CryptographyError {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    return .libraryFailed(operation: operation, reason: Int32(truncatingIfNeeded: code & 0x7f_ffff))
  }

  /// Empties this thread's error queue after an expected failure.
  package static func forgetErrors() { ERR_clear_error() }
}

extension Libcrypto {
  /// An octet string parameter. An empty one still needs an address.
  @unsafe package static func octets(
    _ name: StaticString, _ bytes: UnsafeRawBufferPointer
  ) -> OSSL_PARAM {
    let address = unsafe bytes.baseAddress ?? UnsafeRawPointer(name.utf8Start)
    return unsafe OSSL_PARAM_construct_octet_string(
      key(name), UnsafeMutableRawPointer(mutating: address), bytes.count)
  }

  @unsafe package static func number(
    _ name: StaticString, _ numbers: UnsafeBufferPointer<UInt64>, at index: Int
  ) -> OSSL_PARAM {
    let address = unsafe numbers.baseAddress.map {
      unsafe UnsafeMutablePointer(mutating: $0 + index)
    }
    return unsafe OSSL_PARAM_construct_uint64(key(name), address)
  }

  @unsafe package static func text(_ name: StaticString, _ value: StaticString) -> OSSL_PARAM {
    unsafe OSSL_PARAM_construct_utf8_string(
      key(name), UnsafeMutablePointer(mutating: key(value)), 0)
  }

  /// A parameter's name. Static strings live forever and end in a zero byte.
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
  /// The hash of a message, of `count` bytes.
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

/// Why a primitive gave no result. Reveals nothing about a key or a plaintext.
package enum CryptographyError: Error, Equatable, Sendable {
  case wrongSize(field: StaticString, expected: Int, found: Int)
  /// A parameter is out of range.
  case invalidParameter(field: StaticString)
  /// Sealed bytes that were changed or cut, or sealed under another key or for another purpose.
  case notAuthentic
  case invalidKey
  /// libcrypto refused `operation`; `reason` is `ERR_GET_REASON`.
  case libraryFailed(operation: StaticString, reason: Int32)
  case randomUnavailable(errno: Int32)

  package static func == (left: CryptographyError, right: CryptographyError) -> Bool {
    "\(left)" == "\(right)"
  }
}

/// Runs what fails only if libcrypto does, or if the core answers with an invalid key.
package func cryptographic<Value: ~Copyable>(
  _ body: () throws(CryptographyError) -> Value
) throws(Failure) -> Value {
  do throws(CryptographyError) {
    return try body()
  } catch {
    throw Failure(
      .coreFailed, "A cryptographic operation failed: \(error)",
      hint: "Check that libcrypto 3 is installed, and that core and command have one version.")
  }
}
