package import Protocol

/// AES-GCM (NIST SP 800-38D) under a key that encrypts one message and no other, which is why its
/// nonce may be anything: what encryption to a public key ends in.
package enum OneMessageCipher {
  /// Bytes of an authentication tag.
  package static let tagSize = AES256GCM.tagSize
  /// The nonce where the form of a message gives none.
  package static let zeroNonce = [UInt8](repeating: 0, count: 16)

  /// Encrypts and authenticates.
  /// - Parameters:
  ///   - plaintext: at most ``AES256GCM/limit`` bytes; may be empty.
  ///   - head: what the message begins with; not encrypted.
  ///   - key: 16 or 32 bytes, for this message alone.
  ///   - nonce: at least one byte.
  ///   - associated: authenticated but not contained in the result.
  /// - Returns: head, ciphertext, tag.
  /// - Throws: ``CryptographyError``.
  package static func seal(
    _ plaintext: Span<UInt8>, behind head: [UInt8], key: borrowing SecretBytes,
    nonce: [UInt8] = zeroNonce, authenticating associated: [UInt8] = []
  ) throws(CryptographyError) -> [UInt8] {
    guard plaintext.count <= AES256GCM.limit else { throw .invalidParameter(field: "plaintext") }
    let cipher = try GCMContext(.seal, keySize(of: key), key: key, nonce: nonce)
    try cipher.authenticate(associated)
    var sealed = head
    sealed.reserveCapacity(head.count + plaintext.count + tagSize)
    sealed.append(contentsOf: repeatElement(0, count: plaintext.count + tagSize))
    try unsafe sealed.withUnsafeMutableBufferPointer { (target) throws(CryptographyError) in
      let text = unsafe UnsafeMutableBufferPointer(rebasing: target[head.count...])
      try unsafe cipher.update(plaintext, into: text)
      try unsafe cipher.finishSealing(
        tag: UnsafeMutableBufferPointer(rebasing: text[plaintext.count...]))
    }
    return sealed
  }

  /// Decrypts what ``seal(_:behind:key:nonce:authenticating:)`` gave, without its head. Nothing of a
  /// plaintext leaves before its tag was checked.
  /// - Throws: ``CryptographyError/notAuthentic`` for what is too short, was changed, or was
  ///   encrypted under another key.
  package static func open(
    _ sealed: Span<UInt8>, key: borrowing SecretBytes, nonce: [UInt8] = zeroNonce,
    authenticating associated: [UInt8] = []
  ) throws(CryptographyError) -> SecretBytes {
    guard sealed.count >= tagSize, sealed.count <= AES256GCM.limit else { throw .notAuthentic }
    let count = sealed.count - tagSize
    let tag = (count..<sealed.count).map { sealed[$0] }
    let cipher = try GCMContext(.open, keySize(of: key), key: key, nonce: nonce)
    try cipher.authenticate(associated)
    var plaintext = SecretBytes(count: count)
    try unsafe plaintext.withUnsafeMutableBytes { (target) throws(CryptographyError) in
      try unsafe cipher.update(
        sealed.extracting(0..<count), into: target.assumingMemoryBound(to: UInt8.self))
    }
    guard cipher.finishOpening(tag: tag) else { throw .notAuthentic }
    return plaintext
  }

  private static func keySize(
    of key: borrowing SecretBytes
  ) throws(CryptographyError) -> GCMContext.KeySize {
    guard let size = GCMContext.KeySize(rawValue: key.count) else {
      throw .invalidParameter(field: "key")
    }
    return size
  }
}
