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

/// A touch on the built-in tape: who touches, and which of that finger's impressions it is.
package struct SyntheticTouch: Hashable, Sendable {
  /// The people at the sensor.
  package enum Person: UInt64, Sendable {
    case owner, stranger
  }

  let person: Person
  /// Counted from 1; each is a different placement of the same finger.
  let impression: Int

  /// What the guided session of the command needs: five touches enroll the owner, a stranger is
  /// refused, and the owner is accepted from then on. A command that only wants the owner finds it
  /// at the start.
  static let builtInTape = Tape(
    name: "the built-in tape",
    events: (1...12).map { number in
      number == 6
        ? .touch(.synthetic(SyntheticTouch(person: .stranger, impression: 1)), times: 1)
        : .touch(.synthetic(SyntheticTouch(person: .owner, impression: number)), times: 1)
    })
}
