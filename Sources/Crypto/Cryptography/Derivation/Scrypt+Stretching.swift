package import Protocol

extension Scrypt {
  /// What a passcode, a password or a passphrase becomes before it enters a key.
  ///
  /// Its length goes in front of it, because HMAC inside of scrypt fills keys up with zeros:
  /// without it "a" and "a" with a zero byte behind would be one.
  package func stretch(
    _ password: borrowing SecretBytes, salt: [UInt8]
  ) throws(CryptographyError) -> SecretBytes {
    var encoder = WireEncoder(capacity: password.count + 4)
    encoder.writeSecret(password)
    let input = encoder.finish()
    return try deriveKey(from: input.bytes, salt: salt, count: SymmetricKey.size)
  }
}
