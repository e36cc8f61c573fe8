import CLibcrypto
import Cryptography
import Protocol

/// The least that the enclave's work can be: a key that is derived and one AES-256-GCM, and ECDSA
/// with a key that libcrypto holds ready.
@safe struct BareCryptography: ~Copyable {
  private let key: SymmetricKey
  private let signingKey: OpaquePointer
  private static let purpose = Array("authcore-bench".utf8)

  init() throws(Failure) {
    let key = try Self.plain { () throws(CryptographyError) in try SymmetricKey() }
    guard let generated = unsafe Self.generateKey() else { throw Self.failed("P-256") }
    unsafe signingKey = generated
    self.key = key
  }

  borrowing func seal(_ secret: borrowing SecretBytes) throws(Failure) -> [UInt8] {
    try Self.plain { () throws(CryptographyError) in
      let derived = try key.derivedKey(for: Self.purpose)
      return try AES256GCM.seal(secret.bytes, with: derived, authenticating: Self.purpose)
    }
  }

  borrowing func open(_ sealed: [UInt8]) throws(Failure) -> SecretBytes {
    try Self.plain { () throws(CryptographyError) in
      let derived = try key.derivedKey(for: Self.purpose)
      return try AES256GCM.open(sealed, with: derived, authenticating: Self.purpose)
    }
  }

  /// Signs a hash of 32 bytes (`EVP_PKEY_sign(3)`).
  borrowing func sign(_ digest: [UInt8]) throws(Failure) {
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, signingKey, nil) else {
      throw Self.failed("ECDSA")
    }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: 80)
    var count = signature.count
    let done =
      unsafe EVP_PKEY_sign_init(context) == 1
      && EVP_PKEY_sign(context, &signature, &count, digest, digest.count) == 1
    guard done else { throw Self.failed("ECDSA") }
  }

  /// Owned by the caller.
  @unsafe private static func generateKey() -> OpaquePointer? {
    guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    let done =
      unsafe EVP_PKEY_keygen_init(context) == 1
      && EVP_PKEY_CTX_set_group_name(context, "P-256") == 1
      && EVP_PKEY_generate(context, &key) == 1
    return unsafe done ? key : nil
  }

  private static func plain<Value: ~Copyable>(
    _ body: () throws(CryptographyError) -> Value
  ) throws(Failure) -> Value {
    do throws(CryptographyError) {
      return try body()
    } catch {
      throw Failure(.engineFailed, "\(error)")
    }
  }

  private static func failed(_ operation: String) -> Failure {
    Failure(.engineFailed, "\(operation) of libcrypto failed")
  }

  deinit { unsafe EVP_PKEY_free(signingKey) }
}
