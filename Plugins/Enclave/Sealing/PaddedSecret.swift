import Protocol

/// Secrets are sealed in multiples of 32 bytes, so that a sealed one does not tell how long it is:
/// length, secret, zeros.
enum PaddedSecret {
  private static let block = 32

  /// What lies before and behind a secret of `count` bytes.
  static func around(count: Int) -> (head: [UInt8], end: [UInt8]) {
    var encoder = WireEncoder()
    encoder.writeLength(count)
    let head = encoder.finishPlain()
    let used = head.count + count
    return (head, [UInt8](repeating: 0, count: (block - used % block) % block))
  }

  /// The secret of what was sealed so, in place of it.
  static func unpad(_ padded: consuming SecretBytes) throws(DecodeError) -> SecretBytes {
    let count = try count(in: padded.bytes)
    return padded.extracting(4..<4 + count)
  }

  private static func count(in padded: Span<UInt8>) throws(DecodeError) -> Int {
    var decoder = WireDecoder(padded)
    return try decoder.readSpan(limit: padded.count).count
  }
}
