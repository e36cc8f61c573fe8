internal import SensorKit

/// An AES2500 or AES2501, which shows stripes of 16 rows of the finger.
struct SwipeSimulation: SimulatedChip {
  private static let width = 192
  /// The time from request to answer, for a look and for a stripe.
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
  /// When the finger comes, or nil before the host looks for it and after the last finger.
  private var arrival: Duration?
  /// The first row of the next stripe.
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

  /// The answer to a scan. Register 98 says whether pictures, histograms or neither are wanted.
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

  /// Begins the next touch when the host looks for one. A swipe that is not read is over after a
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

  /// The rows under the sensor, or zeros once the finger has gone by.
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

/// The finger of the models: a picture of ridges. Every touch shows another part of it.
package enum SyntheticRidges {
  private static let width = 256
  private static let height = 640

  /// How strong the ridge is at each place, 0...15. Made once, because a swipe shows most places
  /// several times.
  private static let picture: [UInt8] = {
    var picture: [UInt8] = []
    picture.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        // Rings by squared distance get narrower toward the outside, so no two places look alike.
        let (dx, dy) = (x - 70, 2 * y / 3 + 90)
        let phase = (dx * dx + dy * dy + 31 * x) / 14 % 240
        let grain = (x * 7919 + y * 104_729 + x * y) >> 3 & 1
        picture.append(UInt8(min(15, abs(phase - 120) / 8 + grain)))
      }
    }
    return picture
  }()

  /// The pixels of a part of a touch, row by row, 0...15. The finger repeats beyond its end.
  package static func part(x: Int, y: Int, width: Int, height: Int, touch: Int) -> [UInt8] {
    let left = x + touch % 5 * 13
    var part: [UInt8] = []
    for row in y..<y + height {
      let start = (row + touch % 7 * 9) % Self.height * Self.width + left
      part += picture[start..<start + width]
    }
    return part
  }

  /// Packs a stripe of 16 rows as the chips do: column by column, two pixels a byte, the upper one
  /// in the low nibble.
  static func packed(_ pixels: [UInt8], width: Int) -> [UInt8] {
    var packed: [UInt8] = []
    for column in 0..<width {
      for pair in 0..<8 {
        let upper = 2 * pair * width + column
        packed.append(pixels[upper] | pixels[upper + width] << 4)
      }
    }
    return packed
  }
}
