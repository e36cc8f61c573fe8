// Cryptography: the few primitives authcore uses, over libcrypto 3, straight into locked memory.

import CLibcrypto

/// libcrypto's start-up and the algorithms that are fetched from it, each once.
///
/// No configuration is read and no file is opened, at start-up or later: the default provider is
/// part of the library, and its generator seeds itself by `getrandom(2)`. So all of this works
/// after the enclave's host closed its sandbox.
@safe package enum Libcrypto {
  /// Whether the library started without its configuration (`OPENSSL_init_crypto(3)`). Everything
  /// below goes through it first. That names of algorithms are added when somebody asks by them is
  /// left as it is: it takes no file, and other users of the library in a process need them.
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

  /// The failure of `operation` with the newest error of this thread, whose queue is emptied.
  package static func failure(_ operation: StaticString) -> CryptographyError {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    return .libraryFailed(operation: operation, reason: Int32(truncatingIfNeeded: code & 0x7f_ffff))
  }

  /// Empties this thread's error queue after a failure that is an answer.
  package static func forgetErrors() { ERR_clear_error() }
}
