internal import SensorKit

/// An AES2500 or AES2501: it shows 16 rows of the finger, stripe after stripe.
struct SwipeSimulation: SimulatedChip {
  private static let width = 192
  /// From request to answer: of a look, and of all columns.
  private static let lookTime = Duration.milliseconds(1)
  private static let stripeTime = Duration.milliseconds(7)

  private let touches: Int
  private let delay: Duration
  private let hold: Duration
  private let step: Int
  private let rows: Int
  private var tuning: Int
  private var registers = [UInt8](repeating: 0, count: 63)
  private var touch = 0
  /// When the finger comes; nil until the host looks for it, and after the last touch.
  private var arrival: Duration?
  /// The upper row of the next stripe.
  private var row = 0

  init(_ settings: ModelSettings) {
    touches = settings["touches", default: 1000]
    delay = .milliseconds(settings["delay", default: 200])
    hold = .milliseconds(settings["hold", default: 400])
    step = settings["step", default: 5]
    rows = settings["rows", default: 150]
    tuning = settings["tuning", default: 0]
    registers[0x97 - 0x80] = 0x08
  }

  mutating func write(_ register: UInt8, _ value: UInt8, at now: Duration)
    -> AuthenTecDevice.Message?
  {
    if 0x80...0xBE ~= register { registers[Int(register) - 0x80] = value }
    switch (register, value) {
    case (0x80, 0x01):
      registers[0x98 - 0x80] = 0
      registers[0x97 - 0x80] = 0x08
      return nil
    case (0x81, 0x02):
      registers[0xAF - 0x80] = tuning > 0 ? 0x6B : 0x20
      tuning -= tuning > 0 ? 1 : 0
      return AuthenTecDevice.Message(time: now + Self.lookTime, bytes: dump)
    case (0x81, 0x04): return scan(at: now)
    default: return nil
    }
  }

  /// What a scan sends: register 98 asks for pictures, histograms or neither.
  private mutating func scan(at now: Duration) -> AuthenTecDevice.Message {
    switch registers[0x98 - 0x80] {
    case 0x22:
      let pixels = stripe()
      return AuthenTecDevice.Message(
        time: now + Self.stripeTime,
        bytes: [0xE0] + SyntheticRidges.packed(pixels, width: Self.width) + histogram(of: pixels)
          + [0xDF] + Array(repeating: 0, count: 8) + dump)
    case 0x23:
      return AuthenTecDevice.Message(
        time: now + Self.stripeTime,
        bytes: histogram(of: Array(repeating: 0, count: 16 * Self.width)) + dump)
    default:
      let picture: UInt8 = isFingerThere(at: now) ? 0xE7 : 0
      return AuthenTecDevice.Message(
        time: now + Self.lookTime,
        bytes: [0xF0] + Array(repeating: picture, count: 8) + [0xDF]
          + Array(repeating: 0, count: 8) + [0x9A, 0x16])
    }
  }

  /// Begins the next touch when the host looks for one. A swipe that is not read ends after a
  /// while.
  private mutating func isFingerThere(at now: Duration) -> Bool {
    if let begun = arrival, step > 0, now >= begun + hold {
      arrival = nil
      return false
    }
    if arrival == nil {
      guard touch < touches else { return false }
      touch += 1
      row = 0
      arrival = now + delay
    }
    return arrival.map { $0 <= now } ?? false
  }

  /// The rows under the sensor; empty after the finger has gone by.
  private mutating func stripe() -> [UInt8] {
    guard arrival != nil, row + 16 <= rows else {
      arrival = nil
      return Array(repeating: 0, count: 16 * Self.width)
    }
    defer { row += step }
    return SyntheticRidges.part(x: 0, y: row, width: Self.width, height: 16, touch: touch)
  }

  private func histogram(of pixels: [UInt8]) -> [UInt8] {
    var counts = [Int](repeating: 0, count: 16)
    for pixel in pixels { counts[Int(pixel)] += 1 }
    return [0xDE] + counts.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  private var dump: [UInt8] {
    registers.indices.flatMap { [UInt8(0x80 + $0), registers[$0]] }
  }
}
