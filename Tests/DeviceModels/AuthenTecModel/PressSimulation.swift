internal import SensorKit

/// An AES3500 or AES4000: armed, it sends an image as soon as a finger lies there.
struct PressSimulation: SimulatedChip {
  /// For detecting a finger and for scanning it.
  private static let scanTime = Duration.milliseconds(70)

  private let side: Int
  /// Bytes after the stripes.
  private let trailer: Int
  private let touches: Int
  private let delay: Duration
  private let hold: Duration
  private var touch = 0
  /// When the finger of this touch is lifted.
  private var liftTime = Duration.zero

  init(_ settings: ModelSettings, side: Int, trailer: Int) {
    self.side = side
    self.trailer = trailer
    touches = settings["touches", default: 1000]
    delay = .milliseconds(settings["delay", default: 200])
    hold = .milliseconds(settings["hold", default: 400])
  }

  mutating func write(_ register: UInt8, _ value: UInt8, at now: Duration)
    -> AuthenTecDevice.Message?
  {
    guard register == 0x81, value == 0x04 else { return nil }
    if now >= liftTime || touch == 0 {
      guard touch < touches else { return nil }
      touch += 1
      liftTime = now + delay + hold
      return image(at: now + delay + Self.scanTime)
    }
    return image(at: now + Self.scanTime)
  }

  private func image(at time: Duration) -> AuthenTecDevice.Message {
    var bytes: [UInt8] = []
    for stripe in 0..<side / 16 {
      bytes.append(0xE0 | UInt8(stripe))
      bytes += SyntheticRidges.packed(
        SyntheticRidges.part(x: 0, y: stripe * 16, width: side, height: 16, touch: touch),
        width: side)
    }
    bytes += [0xDF] + Array(repeating: 0, count: trailer - 1)
    return AuthenTecDevice.Message(time: time, bytes: bytes)
  }
}
