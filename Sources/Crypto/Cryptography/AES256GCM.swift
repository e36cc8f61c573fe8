import CLibcrypto
package import Protocol

/// Authenticated encryption: AES-256 in Galois/Counter Mode (NIST SP 800-38D) with 96-bit nonces
/// and 128-bit tags.
///
/// Every message has a random nonce, so at most 2³² messages may be sealed under one key (SP
/// 800-38D §8.3).
package enum AES256GCM {
  package static let nonceSize = 12
  package static let tagSize = 16
  /// Bytes that sealing adds.
  package static let overhead = nonceSize + tagSize
  /// Most bytes of a plaintext or associated data.
  package static let limit = 1 << 30

  /// Encrypts and authenticates.
  /// - Parameters:
  ///   - plaintext: at most ``limit`` bytes; may be empty.
  ///   - key: for messages of this kind only.
  ///   - associated: authenticated but not contained in the result;
  ///     ``open(_:with:authenticating:)`` needs the same bytes.
  /// - Returns: nonce, ciphertext, tag.
  /// - Throws: ``CryptographyError``.
  package static func seal(
    _ plaintext: Span<UInt8>, with key: borrowing SymmetricKey,
    authenticating associated: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    let nonce = try RandomBytes.open(count: nonceSize)
    return try seal(plaintext, with: key, nonce: nonce, authenticating: associated)
  }

  /// The same for a plaintext in three parts, without copying the middle one.
  package static func seal(
    _ plaintext: Span<UInt8>, between head: [UInt8], _ end: [UInt8],
    with key: borrowing SymmetricKey, authenticating associated: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    let nonce = try RandomBytes.open(count: nonceSize)
    return try seal(
      plaintext, between: head, end, with: key, nonce: nonce, authenticating: associated)
  }

  /// ``seal(_:with:authenticating:)`` with a given nonce; for test vectors.
  package static func seal(
    _ plaintext: Span<UInt8>, with key: borrowing SymmetricKey, nonce: [UInt8],
    authenticating associated: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    try seal(plaintext, between: [], [], with: key, nonce: nonce, authenticating: associated)
  }

  private static func seal(
    _ plaintext: Span<UInt8>, between head: [UInt8], _ end: [UInt8],
    with key: borrowing SymmetricKey, nonce: [UInt8], authenticating associated: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    let count = head.count + plaintext.count + end.count
    try check(nonce, count, associated.count)
    var sealed = nonce
    sealed.reserveCapacity(count + overhead)
    sealed.append(contentsOf: repeatElement(0, count: count + tagSize))
    let cipher = try CipherContext(.seal, key: key.bytes, nonce: nonce)
    try cipher.authenticate(associated)
    try unsafe sealed.withUnsafeMutableBufferPointer { (target) throws(CryptographyError) in
      func rest(from offset: Int) -> UnsafeMutableBufferPointer<UInt8> {
        unsafe UnsafeMutableBufferPointer(rebasing: target[(nonceSize + offset)...])
      }
      try unsafe cipher.update(head.span, into: rest(from: 0))
      try unsafe cipher.update(plaintext, into: rest(from: head.count))
      try unsafe cipher.update(end.span, into: rest(from: head.count + plaintext.count))
      try unsafe cipher.finishSealing(tag: rest(from: count))
    }
    return sealed
  }

  /// Checks and decrypts. Returns no plaintext before the tag was checked.
  /// - Throws: ``CryptographyError/notAuthentic`` unless bytes, key and associated data are the
  ///   same.
  package static func open(
    _ sealed: [UInt8], with key: borrowing SymmetricKey, authenticating associated: [UInt8]
  ) throws(CryptographyError) -> SecretBytes {
    guard sealed.count >= overhead else { throw .notAuthentic }
    let nonce = Array(sealed[..<nonceSize])
    try check(nonce, sealed.count - overhead, associated.count)
    return try OneMessageCipher.open(
      sealed.span.extracting(nonceSize..<sealed.count), key: key.bytes, nonce: nonce,
      authenticating: associated)
  }

  private static func check(
    _ nonce: [UInt8], _ plaintext: Int, _ associated: Int
  ) throws(CryptographyError) {
    guard nonce.count == nonceSize else {
      throw .wrongSize(field: "nonce", expected: nonceSize, found: nonce.count)
    }
    guard plaintext <= limit else { throw .invalidParameter(field: "plaintext") }
    guard associated <= limit else { throw .invalidParameter(field: "associated data") }
  }
}

/// A cipher that encrypts and authenticates with a tag of 16 bytes.
package enum AuthenticatedCipher: Sendable {
  case aes128GCM
  case aes256GCM
  /// RFC 8439; its nonce has 12 bytes.
  case chaCha20Poly1305

  /// In bytes.
  var keySize: Int { self == .aes128GCM ? 16 : 32 }

  @unsafe fileprivate var algorithm: OpaquePointer? {
    switch self {
    case .aes128GCM: unsafe Libcrypto.aes128GCM
    case .aes256GCM: unsafe Libcrypto.aes256GCM
    case .chaCha20Poly1305: unsafe Libcrypto.chaCha20Poly1305
    }
  }
}

/// One run of a cipher of libcrypto; wiped with the value (`EVP_CIPHER_CTX_free(3)`).
@safe struct CipherContext: ~Copyable {
  enum Direction: Int32 {
    case open = 0
    case seal = 1
  }

  private let context: OpaquePointer

  /// AES-GCM uses a nonce of 12 bytes as it is and hashes any other (SP 800-38D §7.1).
  init(
    _ direction: Direction, _ cipher: AuthenticatedCipher = .aes256GCM,
    key: borrowing SecretBytes, nonce: [UInt8]
  ) throws(CryptographyError) {
    guard key.count == cipher.keySize else {
      throw .wrongSize(field: "key", expected: cipher.keySize, found: key.count)
    }
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw Libcrypto.failure("cipher") }
    // The nonce's length is set between cipher and nonce: naming the cipher resets it.
    let started = unsafe key.withUnsafeBytes { key in
      unsafe nonce.withUnsafeBufferPointer { nonce in
        unsafe EVP_CipherInit_ex2(context, cipher.algorithm, nil, nil, direction.rawValue, nil) == 1
          && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) == 1
          && EVP_CipherInit_ex2(
            context, nil, key.baseAddress?.assumingMemoryBound(to: UInt8.self), nonce.baseAddress,
            direction.rawValue, nil) == 1
      }
    }
    guard started else {
      unsafe EVP_CIPHER_CTX_free(context)
      throw Libcrypto.failure("cipher")
    }
    unsafe self.context = context
  }

  borrowing func authenticate(_ associated: [UInt8]) throws(CryptographyError) {
    guard associated.count > 0 else { return }
    var count: Int32 = 0
    let done = unsafe associated.withUnsafeBufferPointer {
      unsafe EVP_CipherUpdate(context, nil, &count, $0.baseAddress, Int32($0.count))
    }
    guard done == 1 else { throw Libcrypto.failure("cipher") }
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
    guard done == 1, Int(count) == input.count else { throw Libcrypto.failure("cipher") }
  }

  /// `tag` has room for 16 bytes.
  @unsafe borrowing func finishSealing(
    tag: UnsafeMutableBufferPointer<UInt8>
  ) throws(CryptographyError) {
    var count: Int32 = 0
    guard unsafe EVP_CipherFinal_ex(context, tag.baseAddress, &count) == 1, count == 0,
      unsafe EVP_CIPHER_CTX_ctrl(
        context, EVP_CTRL_AEAD_GET_TAG, Int32(AES256GCM.tagSize), tag.baseAddress) == 1
    else { throw Libcrypto.failure("cipher") }
  }

  /// Checks `tag` in constant time.
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
