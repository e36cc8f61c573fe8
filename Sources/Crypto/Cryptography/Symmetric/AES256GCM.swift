import CLibcrypto
package import Protocol

/// Authenticated encryption: AES-256 in Galois/Counter Mode (NIST SP 800-38D) with 96-bit nonces
/// and 128-bit tags.
///
/// A random nonce is drawn for every message, so at most 2³² messages may be sealed under one key
/// (SP 800-38D §8.3); item keys seal a few.
package enum AES256GCM {
  /// Bytes of a nonce.
  package static let nonceSize = 12
  /// Bytes of an authentication tag.
  package static let tagSize = 16
  /// How much longer sealed bytes are than what is in them.
  package static let overhead = nonceSize + tagSize
  /// The longest plaintext or associated data taken, in bytes.
  package static let limit = 1 << 30

  /// Encrypts and authenticates.
  /// - Parameters:
  ///   - plaintext: at most ``limit`` bytes; may be empty.
  ///   - key: one that seals nothing else but messages of this kind.
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

  /// The same for a plaintext of three parts, of which the middle one is not copied.
  package static func seal(
    _ plaintext: Span<UInt8>, between head: [UInt8], _ end: [UInt8],
    with key: borrowing SymmetricKey, authenticating associated: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    let nonce = try RandomBytes.open(count: nonceSize)
    return try seal(
      plaintext, between: head, end, with: key, nonce: nonce, authenticating: associated)
  }

  /// ``seal(_:with:authenticating:)`` with a nonce that the caller never uses again under this key;
  /// for published test vectors.
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
    let cipher = try GCMContext(.seal, key: key.bytes, nonce: nonce)
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

  /// Checks and decrypts what ``seal(_:with:authenticating:)`` gave. Nothing of a plaintext leaves
  /// before its tag was checked.
  /// - Throws: ``CryptographyError/notAuthentic`` for anything else than the very same bytes, key
  ///   and associated data.
  package static func open(
    _ sealed: [UInt8], with key: borrowing SymmetricKey, authenticating associated: [UInt8]
  ) throws(CryptographyError) -> SecretBytes {
    guard sealed.count >= overhead else { throw .notAuthentic }
    let nonce = Array(sealed[..<nonceSize])
    let tag = Array(sealed[(sealed.count - tagSize)...])
    let ciphertext = sealed.span.extracting(nonceSize..<sealed.count - tagSize)
    try check(nonce, ciphertext.count, associated.count)
    var plaintext = SecretBytes(count: ciphertext.count)
    let cipher = try GCMContext(.open, key: key.bytes, nonce: nonce)
    try cipher.authenticate(associated)
    try unsafe plaintext.withUnsafeMutableBytes { (target) throws(CryptographyError) in
      try unsafe cipher.update(ciphertext, into: target.assumingMemoryBound(to: UInt8.self))
    }
    guard cipher.finishOpening(tag: tag) else { throw .notAuthentic }
    return plaintext
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
