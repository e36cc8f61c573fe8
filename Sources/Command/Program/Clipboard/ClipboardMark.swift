import Cryptography
import Protocol

/// By what a secret is known again on the clipboard without being kept: the hash of it and of
/// something random.
struct ClipboardMark {
  private let salt: [UInt8]
  private let hash: [UInt8]

  init(_ secret: borrowing SecretBytes) throws(Failure) {
    salt = try KeyText.cryptographic { () throws(CryptographyError) in
      try RandomBytes.open(count: 32)
    }
    hash = try Self.hash(salt, secret)
  }

  /// Whether these are the same bytes.
  func isThat(of other: borrowing SecretBytes) throws(Failure) -> Bool {
    try Self.hash(salt, other) == hash
  }

  private static func hash(
    _ salt: [UInt8], _ secret: borrowing SecretBytes
  ) throws(Failure) -> [UInt8] {
    var both = WireEncoder(capacity: salt.count + secret.count)
    both.writeRaw(salt.span)
    both.writeRaw(secret.bytes)
    let bytes = both.finish()
    return try KeyText.cryptographic { () throws(CryptographyError) in
      try SHA2.sha256(bytes.bytes)
    }
  }
}
