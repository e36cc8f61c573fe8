import Cryptography
import Protocol

/// The sealed form of a secret, as the keychain stores it.
struct SealedSecretRecord: Equatable, Sendable {
  /// Empty in an item of an earlier version.
  let mark: [UInt8]
  /// The domain state when it was sealed, if it is bound to the set of fingers; else empty.
  let domainState: [UInt8]
  /// How the application password is stretched; nil if there is none.
  var appPassword: AppPasswordRecord?
  let wrappedKey: [UInt8]
  let sealedSecret: [UInt8]

  private static let versionWithoutMark: UInt8 = 1
  private static let version: UInt8 = 2
  private static let versionWithAppPassword: UInt8 = 3

  func encoded() -> [UInt8] {
    var encoder = WireEncoder(capacity: sealedSecret.count + 256)
    encoder.writeByte(appPassword == nil ? Self.version : Self.versionWithAppPassword)
    encoder.writeBytes(mark)
    encoder.writeBytes(domainState)
    appPassword?.encode(into: &encoder)
    encoder.writeBytes(wrappedKey)
    encoder.writeBytes(sealedSecret)
    return encoder.finishPlain()
  }
}

extension SealedSecretRecord {
  init(decoding bytes: [UInt8]) throws(DecodeError) {
    var decoder = WireDecoder(bytes.span)
    let version = try decoder.readByte()
    switch version {
    case Self.version, Self.versionWithAppPassword:
      mark = try decoder.readBytes(limit: GenerationMarks.size)
      guard mark.count == GenerationMarks.size else { throw .invalidValue(field: "mark") }
    case Self.versionWithoutMark: mark = []
    default: throw .invalidValue(field: "sealed secret version")
    }
    domainState = try decoder.readBytes(limit: 64)
    appPassword =
      version == Self.versionWithAppPassword ? try AppPasswordRecord(from: &decoder) : nil
    wrappedKey = try decoder.readBytes(limit: 128)
    sealedSecret = try decoder.readBytes(limit: bytes.count)
    try decoder.finish()
  }
}

/// Pads secrets to multiples of 32 bytes, to hide their length: length, secret, zeros.
enum PaddedSecret {
  private static let block = 32

  /// The bytes before and behind a secret of `count` bytes.
  static func around(count: Int) -> (head: [UInt8], end: [UInt8]) {
    var encoder = WireEncoder()
    encoder.writeLength(count)
    let head = encoder.finishPlain()
    let used = head.count + count
    return (head, [UInt8](repeating: 0, count: (block - used % block) % block))
  }

  static func unpad(_ padded: consuming SecretBytes) throws(DecodeError) -> SecretBytes {
    let count = try count(in: padded.bytes)
    return padded.extracting(4..<4 + count)
  }

  private static func count(in padded: Span<UInt8>) throws(DecodeError) -> Int {
    var decoder = WireDecoder(padded)
    return try decoder.readSpan(limit: padded.count).count
  }
}
