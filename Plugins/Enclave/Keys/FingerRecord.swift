import FingerprintMatching
import Wire

/// An enrolled finger without its template.
struct FingerRecord: Equatable, Sendable {
  /// Random; names the finger for good.
  let identifier: UInt32
  /// Where the template lies: `finger-1` … `finger-5`.
  let slot: UInt8
  /// Whether a synthetic driver enrolled it; it never matches frames of the other kind.
  let isSynthetic: Bool
  /// How rarely a stranger may be taken for it; fixed when it was enrolled.
  let rate: MatchRate
  /// Seconds since 1970.
  let enrolledAt: Int64
  /// What the owner calls it.
  var name: String

  /// The name of the template's file in a slot.
  static func fileName(slot: UInt8) -> String { "finger-\(slot)" }

  /// The name of the file of what matches have taught about the finger in a slot.
  static func adaptedFileName(slot: UInt8) -> String { "adapted-\(slot)" }

  /// What the template is sealed for: this finger of this kind in this slot and no other.
  var templateIdentity: [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: identifier >> ($0 * 8)) } + [slot, isSynthetic ? 1 : 0]
  }

  /// Eight hexadecimal digits.
  var identifierText: String {
    let digits = String(identifier, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// As it may be shown; `wantsEnrollment` where its template is known to be of an earlier version.
  func finger(wantsEnrollment: Bool) -> Finger {
    Finger(
      identifier: identifierText, name: name, enrolledAt: enrolledAt, isSynthetic: isSynthetic,
      isRelaxed: rate.isRelaxed, wantsEnrollment: wantsEnrollment)
  }

  func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt32(identifier)
    encoder.writeByte(slot)
    // Keybags from before there was a rate have 0 or 1 here.
    encoder.writeByte((isSynthetic ? 1 : 0) | rate.rawValue << 1)
    encoder.writeUInt64(UInt64(bitPattern: enrolledAt))
    encoder.writeText(name)
  }

  init(
    identifier: UInt32, slot: UInt8, isSynthetic: Bool, rate: MatchRate, enrolledAt: Int64,
    name: String
  ) {
    self.identifier = identifier
    self.slot = slot
    self.isSynthetic = isSynthetic
    self.rate = rate
    self.enrolledAt = enrolledAt
    self.name = name
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    identifier = try decoder.readUInt32()
    slot = try decoder.readByte()
    guard 1...UInt8(Keybag.mostFingers) ~= slot else { throw .invalidValue(field: "slot") }
    let kind = try decoder.readByte()
    guard let rate = MatchRate(rawValue: kind >> 1) else { throw .invalidValue(field: "rate") }
    isSynthetic = kind & 1 == 1
    self.rate = rate
    enrolledAt = Int64(bitPattern: try decoder.readUInt64())
    name = try decoder.readText(limit: 256)
  }
}
