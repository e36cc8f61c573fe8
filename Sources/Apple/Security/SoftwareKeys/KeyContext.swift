import CLibcrypto
import Cryptography
import Protocol

/// A context of libcrypto for one operation with a key, or to make one (`EVP_PKEY_CTX`).
@safe struct KeyContext: ~Copyable {
  private let context: OpaquePointer

  init(family: SoftwareKeyFamily) throws(CryptographyError) {
    guard Libcrypto.isStarted else { throw Libcrypto.failure("start") }
    let name: StaticString = family == .curve ? "EC" : "RSA"
    guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, Libcrypto.key(name), nil) else {
      throw Libcrypto.failure("key context")
    }
    unsafe self.context = context
  }

  @unsafe init(key: OpaquePointer) throws(CryptographyError) {
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
      throw Libcrypto.failure("key context")
    }
    unsafe self.context = context
  }

  deinit { unsafe EVP_PKEY_CTX_free(context) }

  /// A random key, or nil on failure.
  @unsafe borrowing func generated(_ parameters: [OSSL_PARAM]) -> OpaquePointer? {
    guard unsafe EVP_PKEY_keygen_init(context) == 1 else { return nil }
    let terminated = unsafe parameters + [OSSL_PARAM_construct_end()]
    var key: OpaquePointer?
    guard unsafe EVP_PKEY_CTX_set_params(context, terminated) == 1,
      unsafe EVP_PKEY_generate(context, &key) == 1
    else {
      unsafe EVP_PKEY_free(key)
      return nil
    }
    return unsafe key
  }

  /// A key from its parts, or nil if they are invalid.
  @unsafe borrowing func made(of parts: [OSSL_PARAM], isPrivate: Bool) -> OpaquePointer? {
    guard unsafe EVP_PKEY_fromdata_init(context) == 1 else { return nil }
    var terminated = unsafe parts + [OSSL_PARAM_construct_end()]
    var key: OpaquePointer?
    let shared =
      OSSL_KEYMGMT_SELECT_PUBLIC_KEY | OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS
      | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS
    let selection = isPrivate ? shared | OSSL_KEYMGMT_SELECT_PRIVATE_KEY : shared
    guard unsafe EVP_PKEY_fromdata(context, &key, Int32(selection), &terminated) == 1 else {
      unsafe EVP_PKEY_free(key)
      return nil
    }
    return unsafe key
  }

  /// Whether the key is valid: on its curve, in range, and both halves of one pair.
  borrowing func isSound(isPrivate: Bool) -> Bool {
    let isSound =
      isPrivate
      ? unsafe EVP_PKEY_check(context) == 1 : unsafe EVP_PKEY_public_check(context) == 1
    if !isSound { Libcrypto.forgetErrors() }
    return isSound
  }

  /// The operations that transform bytes.
  enum Transformation {
    case sign
    case encrypt
    case decrypt
  }

  /// Runs an operation, after `configure` has set its parameters.
  /// - Returns: the result, or nil if libcrypto refuses the input.
  /// - Throws: ``CryptographyError/libraryFailed(operation:reason:)`` if it cannot be begun.
  @unsafe borrowing func run(
    _ transformation: Transformation, _ input: Span<UInt8>, longest: Int,
    configure: (OpaquePointer) -> Bool
  ) throws(CryptographyError) -> SecretBytes? {
    let begun =
      switch transformation {
      case .sign: unsafe EVP_PKEY_sign_init(context)
      case .encrypt: unsafe EVP_PKEY_encrypt_init(context)
      case .decrypt: unsafe EVP_PKEY_decrypt_init(context)
      }
    guard begun == 1, unsafe configure(context) else { throw Libcrypto.failure("key operation") }
    var output = SecretBytes(count: longest)
    var count = longest
    let done = unsafe input.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBytes { output in
        let target = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return switch transformation {
        case .sign: unsafe EVP_PKEY_sign(context, target, &count, input.baseAddress, input.count)
        case .encrypt:
          unsafe EVP_PKEY_encrypt(context, target, &count, input.baseAddress, input.count)
        case .decrypt:
          unsafe EVP_PKEY_decrypt(context, target, &count, input.baseAddress, input.count)
        }
      }
    }
    guard done == 1, count <= output.count else {
      Libcrypto.forgetErrors()
      return nil
    }
    return output.extracting(0..<count)
  }

  /// Whether a signature was made over a digest.
  @unsafe borrowing func verifies(
    _ signature: Span<UInt8>, over digest: Span<UInt8>, configure: (OpaquePointer) -> Bool
  ) throws(CryptographyError) -> Bool {
    guard unsafe EVP_PKEY_verify_init(context) == 1, unsafe configure(context) else {
      throw Libcrypto.failure("key operation")
    }
    let fits = unsafe signature.withUnsafeBufferPointer { signature in
      unsafe digest.withUnsafeBufferPointer { digest in
        unsafe EVP_PKEY_verify(
          context, signature.baseAddress, signature.count, digest.baseAddress, digest.count) == 1
      }
    }
    if !fits { Libcrypto.forgetErrors() }
    return fits
  }

  /// The x coordinate of the product of this private key and another point, `count` bytes.
  borrowing func sharedSecret(
    with other: KeyObject, count: Int
  ) throws(CryptographyError) -> SecretBytes {
    let begun =
      unsafe EVP_PKEY_derive_init(context) == 1
      && other.withPointer { unsafe EVP_PKEY_derive_set_peer(context, $0) == 1 }
    guard begun else { throw Libcrypto.failure("ECDH") }
    var secret = SecretBytes(count: count)
    var written = count
    let done = unsafe secret.withUnsafeMutableBytes { target in
      unsafe EVP_PKEY_derive(
        context, target.baseAddress?.assumingMemoryBound(to: UInt8.self), &written)
    }
    guard done == 1, written == count else { throw Libcrypto.failure("ECDH") }
    return secret
  }
}
