import CLibcrypto
import Protocol

/// One run of libcrypto's AES-GCM; wiped with the value (`EVP_CIPHER_CTX_free(3)`).
@safe struct GCMContext: ~Copyable {
  enum Direction: Int32 {
    case open = 0
    case seal = 1
  }

  /// The length of the key, in bytes.
  enum KeySize: Int {
    case aes128 = 16
    case aes256 = 32
  }

  private let context: OpaquePointer

  /// A nonce of 12 bytes is used as it is, another one is hashed (SP 800-38D §7.1).
  init(
    _ direction: Direction, _ size: KeySize = .aes256, key: borrowing SecretBytes, nonce: [UInt8]
  ) throws(CryptographyError) {
    guard key.count == size.rawValue else {
      throw .wrongSize(field: "key", expected: size.rawValue, found: key.count)
    }
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw Libcrypto.failure("AES-GCM") }
    let cipher = unsafe size == .aes128 ? Libcrypto.aes128GCM : Libcrypto.aes256GCM
    // The length of the nonce is said between cipher and nonce: naming the cipher forgets it.
    let started = unsafe key.withUnsafeBytes { key in
      unsafe nonce.withUnsafeBufferPointer { nonce in
        unsafe EVP_CipherInit_ex2(context, cipher, nil, nil, direction.rawValue, nil) == 1
          && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) == 1
          && EVP_CipherInit_ex2(
            context, nil, key.baseAddress?.assumingMemoryBound(to: UInt8.self), nonce.baseAddress,
            direction.rawValue, nil) == 1
      }
    }
    guard started else {
      unsafe EVP_CIPHER_CTX_free(context)
      throw Libcrypto.failure("AES-GCM")
    }
    unsafe self.context = context
  }

  borrowing func authenticate(_ associated: [UInt8]) throws(CryptographyError) {
    guard associated.count > 0 else { return }
    var count: Int32 = 0
    let done = unsafe associated.withUnsafeBufferPointer {
      unsafe EVP_CipherUpdate(context, nil, &count, $0.baseAddress, Int32($0.count))
    }
    guard done == 1 else { throw Libcrypto.failure("AES-GCM") }
  }

  /// `target` has room for as many bytes as `input` has.
  @unsafe borrowing func update(
    _ input: Span<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
  ) throws(CryptographyError) {
    guard input.count > 0 else { return }
    var count: Int32 = 0
    let done = unsafe input.withUnsafeBufferPointer {
      unsafe EVP_CipherUpdate(
        context, target.baseAddress, &count, $0.baseAddress, Int32($0.count))
    }
    guard done == 1, Int(count) == input.count else { throw Libcrypto.failure("AES-GCM") }
  }

  /// `tag` has room for 16 bytes.
  @unsafe borrowing func finishSealing(
    tag: UnsafeMutableBufferPointer<UInt8>
  ) throws(CryptographyError) {
    var count: Int32 = 0
    guard unsafe EVP_CipherFinal_ex(context, tag.baseAddress, &count) == 1, count == 0,
      unsafe EVP_CIPHER_CTX_ctrl(
        context, EVP_CTRL_AEAD_GET_TAG, Int32(AES256GCM.tagSize), tag.baseAddress) == 1
    else { throw Libcrypto.failure("AES-GCM") }
  }

  /// Whether `tag` fits; libcrypto compares in constant time.
  borrowing func finishOpening(tag: [UInt8]) -> Bool {
    var tag = tag
    var count: Int32 = 0
    var rest: (UInt64, UInt64) = (0, 0)
    let fits = unsafe tag.withUnsafeMutableBytes { tag in
      unsafe withUnsafeMutableBytes(of: &rest) { rest in
        unsafe EVP_CIPHER_CTX_ctrl(
          context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), tag.baseAddress) == 1
          && EVP_CipherFinal_ex(
            context, rest.baseAddress?.assumingMemoryBound(to: UInt8.self), &count) == 1
      }
    }
    if !fits { Libcrypto.forgetErrors() }
    return fits
  }

  deinit { unsafe EVP_CIPHER_CTX_free(context) }
}
