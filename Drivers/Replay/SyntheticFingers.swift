internal import GrayImage
internal import SensorKit
internal import SyntheticPrints

/// The fingers of the built-in tape. Growing one takes a moment, so it happens at its first touch.
struct SyntheticFingers {
  private let seed: UInt64
  private var grown: [SyntheticTouch.Person: SyntheticFinger] = [:]

  /// - Parameter seed: Whose fingers; equal seeds give equal prints.
  init(seed: UInt64) {
    self.seed = seed
  }

  mutating func frame(of touch: SyntheticTouch) throws(SensorFailure) -> Frame {
    let finger: SyntheticFinger
    if let known = grown[touch.person] {
      finger = known
    } else {
      finger = SyntheticFinger(seed: seed &* 2 &+ touch.person.rawValue)
      grown[touch.person] = finger
    }
    let print = finger.impression(seed: UInt64(touch.impression), conditions: .careful)
    return try Frame(
      width: print.width, height: print.height, pixelsPerInch: SyntheticFinger.pixelsPerInch,
      pixels: print.pixels)
  }
}
