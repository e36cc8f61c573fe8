import FingerprintMatching
import Protocol

struct FingerRecord: Equatable, Sendable {
  /// Random; never changes.
  let identifier: UInt32
  /// The number of the template's file, `finger-1` … `finger-5`.
  let slot: UInt8
  /// The origin of the touches it was enrolled with; nil: a reader or a tape, which earlier
  /// versions did not tell apart.
  let origin: FrameOrigin?
  /// How rarely a stranger may match it; fixed at enrollment.
  let rate: MatchRate
  /// Seconds since 1970.
  let enrolledAt: Int64
  var name: String
  /// The template on a chip that is this finger's; nil if the enclave compares its touches.
  var chip: ChipBinding?

  /// Position of the bits for reader and tape in the byte of origin and rate.
  private static let toldShift: UInt8 = 6

  static func fileName(slot: UInt8) -> String { "finger-\(slot)" }

  /// The file of what matches have taught about a finger.
  static func adaptedFileName(slot: UInt8) -> String { "adapted-\(slot)" }

  /// Binds the template to this finger, its origin and its slot.
  var templateIdentity: [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: identifier >> ($0 * 8)) } + [
      slot, origin?.rawValue ?? 0,
    ]
  }

  /// Whether it is compared with frames of an origin.
  func matches(_ other: FrameOrigin) -> Bool {
    chip == nil && (origin.map { $0 == other } ?? (other != .synthetic))
  }

  /// Whether its template is on this chip.
  func isOn(_ chip: ChipDevice, from other: FrameOrigin) -> Bool {
    self.chip?.device == chip.identity && origin == other
  }

  /// Eight hexadecimal digits.
  var identifierText: String {
    let digits = String(identifier, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// `wantsEnrollment`: its template is of an earlier version.
  func finger(wantsEnrollment: Bool) -> Finger {
    Finger(
      identifier: identifierText, name: name, enrolledAt: enrolledAt,
      isSynthetic: origin == .synthetic,
      isRelaxed: rate.isRelaxed, wantsEnrollment: wantsEnrollment,
      kind: chip == nil ? .image : .chip, opensItems: chip?.opensItems ?? true)
  }

  func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt32(identifier)
    encoder.writeByte(slot)
    // Keybags without rates have 0 or 1 here.
    let isSynthetic: UInt8 = origin == .synthetic ? 1 : 0
    let told: UInt8 = origin == .reader ? 1 : origin == .tape ? 2 : 0
    encoder.writeByte(isSynthetic | rate.rawValue << 1 | told << Self.toldShift)
    encoder.writeUInt64(UInt64(bitPattern: enrolledAt))
    encoder.writeText(name)
    encoder.write(chip)
  }
}

extension FingerRecord {
  init(from decoder: inout WireDecoder, version: UInt32) throws(DecodeError) {
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
    guard version >= Keybag.firstWithChips else { return }
    chip = try decoder.readOptional { (decoder) throws(DecodeError) in
      try ChipBinding(from: &decoder)
    }
  }
}
