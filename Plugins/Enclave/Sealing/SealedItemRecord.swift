import Wire

/// The form of a sealed item, as the keychain stores it: docs/enclave-state.md.
struct SealedItemRecord: Equatable, Sendable {
  /// The mark of its generation; empty in an item of an earlier version.
  let mark: [UInt8]
  /// The domain state when it was sealed, for items that are bound to the set of fingers; else
  /// empty.
  let domainState: [UInt8]
  /// The item's own key, wrapped.
  let wrappedKey: [UInt8]
  /// The padded secret, sealed with the item's key.
  let sealedSecret: [UInt8]

  private static let version: UInt8 = 2
  private static let versionWithoutMark: UInt8 = 1

  /// The bytes.
  func encoded() -> [UInt8] {
    var encoder = WireEncoder(capacity: sealedSecret.count + 128)
    encoder.writeByte(Self.version)
    encoder.writeBytes(mark)
    encoder.writeBytes(domainState)
    encoder.writeBytes(wrappedKey)
    encoder.writeBytes(sealedSecret)
    return encoder.finishPlain()
  }

  init(mark: [UInt8], domainState: [UInt8], wrappedKey: [UInt8], sealedSecret: [UInt8]) {
    self.mark = mark
    self.domainState = domainState
    self.wrappedKey = wrappedKey
    self.sealedSecret = sealedSecret
  }

  init(decoding bytes: [UInt8]) throws(DecodeError) {
    var decoder = WireDecoder(bytes.span)
    switch try decoder.readByte() {
    case Self.version:
      mark = try decoder.readBytes(limit: GenerationMarks.size)
      guard mark.count == GenerationMarks.size else { throw .invalidValue(field: "mark") }
    case Self.versionWithoutMark: mark = []
    default: throw .invalidValue(field: "sealed item version")
    }
    domainState = try decoder.readBytes(limit: 64)
    wrappedKey = try decoder.readBytes(limit: 64)
    sealedSecret = try decoder.readBytes(limit: bytes.count)
    try decoder.finish()
  }
}
