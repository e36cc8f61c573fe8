// Replay: the driver that needs no sensor. It plays a tape of touches.

public import AuthcoreABI
internal import GrayImage
package import SensorKit
internal import SyntheticPrints

/// The entry point, which is linked under the name `ac_sensor_entry` (sensor.h).
@c(ReplayDriver_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
) -> ac_status_t {
  unsafe export(ReplaySensor.self, host: host, ret: ret_driver)
}

package struct ReplaySensor: SensorDriver {
  package static let description = SensorDescription(
    name: "replay", fullName: "Replay of a tape of touches", version: "1",
    scanType: .press, pixelsPerInch: 500, traits: [.synthetic, .readsFiles],
    options: [
      .init(
        "tape", .file, summary: "the tape to play; without it a built-in one of synthetic prints"),
      .init("pace", .number, summary: "1: waits on the tape take real time"),
      .init(
        "hold", .number, summary: "1: after the end of the tape a capture waits until its timeout"),
      .init("seed", .number, summary: "whose synthetic prints the built-in tape has"),
    ],
    realOption: "tape")

  private let tapeName: String
  private let isPaced: Bool
  private let holdsAtEnd: Bool
  private let clock: HostClock
  private let interruption: Interruption
  private var playback: TapePlayback
  private var fingers: SyntheticFingers

  package init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {
    isPaced = try options.isOn("pace")
    holdsAtEnd = try options.isOn("hold")
    clock = try context.host.clock()
    interruption = context.interruption
    let seed = options["seed"]
    let tape: Tape
    if let option = options["tape"] {
      guard seed == nil else {
        throw SensorFailure(
          .option, "The option seed is for the built-in tape; leave it or tape out")
      }
      tape = try Self.readTape(option)
    } else {
      tape = SyntheticTouch.builtInTape
    }
    tapeName = tape.name
    playback = TapePlayback(tape)
    fingers = SyntheticFingers(seed: UInt64(bitPattern: seed?.number ?? 1))
  }

  package mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    var left = timeout
    while true {
      switch playback.next(within: left) {
      case .wait(let duration):
        if isPaced { try interruption.wait(for: duration, on: clock) }
        playback.passed(duration)
        left -= duration
      case .deliver(let source):
        return .frame(try frame(of: source))
      case .askAgain(let reason):
        return .retry(reason)
      case .fail:
        throw SensorFailure(.gone, "The device was unplugged (\(tapeName) says so)")
      case .timeOut:
        throw SensorFailure(.timeout, "No touch in time: the next one on \(tapeName) comes later")
      case .end:
        if holdsAtEnd { try interruption.wait(for: left, on: clock) }
        throw SensorFailure(.timeout, "No touch can come any more: \(tapeName) has ended")
      }
    }
  }

  private mutating func frame(of source: TouchSource) throws(SensorFailure) -> Frame {
    switch source {
    case .file(let path, let pixelsPerInch):
      let picture = try TapePicture.load(path)
      return try Frame(
        width: picture.width, height: picture.height, pixelsPerInch: pixelsPerInch,
        pixels: picture.pixels)
    case .synthetic(let touch):
      return try fingers.frame(of: touch)
    }
  }

  private static func readTape(_ option: SensorOptions.Value) throws(SensorFailure) -> Tape {
    let path = option.text
    let bytes: [UInt8]
    do throws(SensorFailure) {
      let file =
        option.fileDescriptor >= 0
        ? try ReadableFile(borrowing: option.fileDescriptor) : try ReadableFile(path: path)
      guard file.size <= TapeParser.maximumSize else {
        throw SensorFailure(
          .data, "it has \(file.size) bytes; the limit of a tape is \(TapeParser.maximumSize)")
      }
      bytes = try file.read(from: 0, count: TapeParser.maximumSize)
    } catch {
      throw SensorFailure(error.code, "The tape \(path) cannot be read: \(error.message)")
    }
    do throws(TapeError) {
      return try TapeParser.parse(bytes, path: path, check: TapePicture.problem(of:))
    } catch {
      throw SensorFailure(.data, "The tape \(path), line \(error.line): \(error.reason)")
    }
  }
}

/// The fingers of the built-in tape. Making one takes a moment, so it is made at its first touch.
struct SyntheticFingers {
  private let seed: UInt64
  private var grown: [SyntheticTouch.Person: SyntheticFinger] = [:]

  /// Equal seeds give equal prints.
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

/// A touch on the built-in tape.
package struct SyntheticTouch: Hashable, Sendable {
  package enum Person: UInt64, Sendable {
    case owner, stranger
  }

  let person: Person
  /// Counted from 1. Each is a different placement of the same finger.
  let impression: Int

  /// For the guided session of the command: five touches enroll the owner, a stranger is refused,
  /// and from then on the owner is accepted. A command that only wants the owner finds it at the
  /// start.
  static let builtInTape = Tape(
    name: "the built-in tape",
    events: (1...12).map { number in
      number == 6
        ? .touch(.synthetic(SyntheticTouch(person: .stranger, impression: 1)), times: 1)
        : .touch(.synthetic(SyntheticTouch(person: .owner, impression: number)), times: 1)
    })
}
