import FingerprintMatching
import Protocol

/// An enrolled finger without its template.
struct FingerRecord: Equatable, Sendable {
  /// Random; names the finger for good.
  let identifier: UInt32
  /// Where the template lies: `finger-1` … `finger-5`.
  let slot: UInt8
  /// Where the touches came from that it was enrolled with; nil: from a reader or a tape, as a
  /// version enrolled it that did not tell these apart.
  let origin: FrameOrigin?
  /// How rarely a stranger may be taken for it; fixed when it was enrolled.
  let rate: MatchRate
  /// Seconds since 1970.
  let enrolledAt: Int64
  /// What the owner calls it.
  var name: String

  /// Where in the byte of origin and rate it says whether it was a reader or a tape.
  private static let toldShift: UInt8 = 6

  /// The name of the template's file in a slot.
  static func fileName(slot: UInt8) -> String { "finger-\(slot)" }

  /// The name of the file of what matches have taught about the finger in a slot.
  static func adaptedFileName(slot: UInt8) -> String { "adapted-\(slot)" }

  /// What the template is sealed for: this finger of this origin in this slot and no other.
  var templateIdentity: [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: identifier >> ($0 * 8)) } + [
      slot, origin?.rawValue ?? 0,
    ]
  }

  /// Whether frames of this origin may match it.
  func matches(_ other: FrameOrigin) -> Bool {
    origin.map { $0 == other } ?? (other != .synthetic)
  }

  /// Eight hexadecimal digits.
  var identifierText: String {
    let digits = String(identifier, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// As it may be shown; `wantsEnrollment` where its template is known to be of an earlier version.
  func finger(wantsEnrollment: Bool) -> Finger {
    Finger(
      identifier: identifierText, name: name, enrolledAt: enrolledAt,
      isSynthetic: origin == .synthetic,
      isRelaxed: rate.isRelaxed, wantsEnrollment: wantsEnrollment)
  }

  func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt32(identifier)
    encoder.writeByte(slot)
    // Keybags from before there was a rate have 0 or 1 here.
    let isSynthetic: UInt8 = origin == .synthetic ? 1 : 0
    let told: UInt8 = origin == .reader ? 1 : origin == .tape ? 2 : 0
    encoder.writeByte(isSynthetic | rate.rawValue << 1 | told << Self.toldShift)
    encoder.writeUInt64(UInt64(bitPattern: enrolledAt))
    encoder.writeText(name)
  }

  init(
    identifier: UInt32, slot: UInt8, origin: FrameOrigin?, rate: MatchRate, enrolledAt: Int64,
    name: String
  ) {
    self.identifier = identifier
    self.slot = slot
    self.origin = origin
    self.rate = rate
    self.enrolledAt = enrolledAt
    self.name = name
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    identifier = try decoder.readUInt32()
    slot = try decoder.readByte()
    guard 1...UInt8(Keybag.mostFingers) ~= slot else { throw .invalidValue(field: "slot") }
    let kind = try decoder.readByte()
    let told = kind >> Self.toldShift
    guard let rate = MatchRate(rawValue: (kind - told << Self.toldShift) >> 1) else {
      throw .invalidValue(field: "rate")
    }
    switch (kind & 1, told) {
    case (0, 0): origin = nil
    case (1, 0): origin = .synthetic
    case (0, 1): origin = .reader
    case (0, 2): origin = .tape
    default: throw .invalidValue(field: "origin")
    }
    self.rate = rate
    enrolledAt = Int64(bitPattern: try decoder.readUInt64())
    name = try decoder.readText(limit: 256)
  }
}
