import Wire

/// Secrets are sealed in multiples of 32 bytes, so that a sealed one does not tell how long it is.
enum PaddedSecret {
  private static let block = 32

  /// Length, secret, zeros.
  static func pad(_ secret: borrowing SecretBytes) -> SecretBytes {
    let used = 4 + secret.count
    var encoder = WireEncoder(capacity: used + block)
    encoder.writeSecret(secret)
    for _ in 0..<(block - used % block) % block { encoder.writeByte(0) }
    return encoder.finish()
  }

  /// The secret in what ``pad(_:)`` gave.
  static func unpad(_ padded: borrowing SecretBytes) throws(DecodeError) -> SecretBytes {
    var decoder = WireDecoder(padded.bytes)
    return try decoder.readSecret(limit: padded.count)
  }
}
