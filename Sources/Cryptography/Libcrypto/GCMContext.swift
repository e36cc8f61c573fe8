import CLibcrypto
import Wire

/// One run of libcrypto's AES-256-GCM; wiped with the value (`EVP_CIPHER_CTX_free(3)`).
@safe struct GCMContext: ~Copyable {
  enum Direction: Int32 {
    case open = 0
    case seal = 1
  }

  private let context: OpaquePointer

  init(
    _ direction: Direction, key: borrowing SymmetricKey, nonce: [UInt8]
  ) throws(CryptographyError) {
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw Libcrypto.failure("AES-256-GCM") }
    let started = unsafe key.bytes.withUnsafeBytes { key in
      unsafe nonce.withUnsafeBufferPointer { nonce in
        unsafe EVP_CipherInit_ex2(
          context, Libcrypto.aes256GCM, key.baseAddress?.assumingMemoryBound(to: UInt8.self),
          nonce.baseAddress, direction.rawValue, nil)
      }
    }
    guard started == 1 else {
      unsafe EVP_CIPHER_CTX_free(context)
      throw Libcrypto.failure("AES-256-GCM")
    }
    unsafe self.context = context
  }

  borrowing func authenticate(_ associated: [UInt8]) throws(CryptographyError) {
    guard associated.count > 0 else { return }
    var count: Int32 = 0
    let done = unsafe associated.withUnsafeBufferPointer {
      unsafe EVP_CipherUpdate(context, nil, &count, $0.baseAddress, Int32($0.count))
    }
    guard done == 1 else { throw Libcrypto.failure("AES-256-GCM") }
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
    guard done == 1, Int(count) == input.count else { throw Libcrypto.failure("AES-256-GCM") }
  }

  /// `tag` has room for 16 bytes.
  @unsafe borrowing func finishSealing(
    tag: UnsafeMutableBufferPointer<UInt8>
  ) throws(CryptographyError) {
    var count: Int32 = 0
    guard unsafe EVP_CipherFinal_ex(context, tag.baseAddress, &count) == 1, count == 0,
      unsafe EVP_CIPHER_CTX_ctrl(
        context, EVP_CTRL_AEAD_GET_TAG, Int32(AES256GCM.tagSize), tag.baseAddress) == 1
    else { throw Libcrypto.failure("AES-256-GCM") }
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
