import AuthcoreABI
import CSystemCalls
import DriverKit
import Glibc

/// The frames of sound touches.
struct FrameCheck {
  let loaded: LoadedTestDriver
  private static let captures = 5

  func run() throws(CheckEnd) -> String? {
    if loaded.matchesOnChip { return try ChipCheck(loaded: loaded).run() }
    // Shows a frame that lies in freed memory.
    ac_perturb_freed_memory()
    let device = try loaded.plug()
    let sensor = try CheckedSensor.openHealthy(loaded, "a sound device")
    var last: CapturedFrame?
    var retries = 0
    for number in 1...Self.captures where last == nil || retries == 0 {
      // Every second one is asked for as a host of 1.0 does.
      let isForFirstHost = number.isMultiple(of: 2)
      let host = isForFirstHost ? ", for a host of 1.0" : ""
      let touch = try sensor.capture(
        10_000, "number \(number) of a sound device" + host, isForFirstHost: isForFirstHost)
      if let frame = touch.frame {
        Self.reuseMemory(Int(frame.width) * Int(frame.height))
        guard frame.isUnchanged else {
          throw .failed(
            "the pixels of a frame changed before the driver's next call",
            advice: "keep them in the sensor until the next capture or close")
        }
        last = frame
      } else if Status.isRetry(touch.status) {
        retries += 1
      } else if touch.status == Status.timeout, last != nil {
        break
      } else {
        throw .failed(
          "capture of a sound touch gave \(Status.name(touch.status))"
            + (touch.message.map { ": " + $0 } ?? ""),
          advice: "the device is sound and nothing was disturbed: compare model and driver",
          cause: CheckCause(own: CheckCause.noFrame))
      }
    }
    try sensor.close("after frames", device: device)
    guard let last else {
      throw .failed(
        "no touch of a sound device gave a frame", cause: CheckCause(own: CheckCause.noFrame))
    }
    return "\(last.width) × \(last.height) px"
  }

  /// Allocates blocks of a size and writes to them, to overwrite a block that was freed too early.
  private static func reuseMemory(_ size: Int) {
    let blocks = (0..<8).map { _ in [UInt8](repeating: 0x5A, count: size) }
    precondition(blocks.allSatisfy { $0.count == size })
  }
}

/// A finger that stays where it is.
struct LiftCheck {
  let loaded: LoadedTestDriver

  /// How long it stays, in milliseconds of the device's time.
  private static let stay: UInt64 = 60_000
  private static let pause: UInt64 = 5000

  func run() throws(CheckEnd) -> String? {
    guard !loaded.isSwipe else { return try swipeWithoutEnd() }
    let device = try loaded.plugStaying(milliseconds: Self.stay)
    let sensor = try CheckedSensor.openHealthy(loaded, "a device whose finger stays")
    try captureFrame(sensor, "of a finger that will stay")
    let touch = try sensor.capture(2000, "of a finger that still lies there")
    guard !touch.isSound else {
      throw .failed(
        "capture delivered a second frame of a finger that was not lifted",
        advice: "await the lift before the touch: AC_ERR_TIMEOUT or AC_RETRY_LIFT without it")
    }
    try captureFrame(sensor, "once the finger was lifted")
    try sensor.close("after the lift", device: device)
    return nil
  }

  /// A finger that is drawn over the sensor leaves it by itself. One that rests is a swipe of more
  /// stripes than a driver has room for.
  private func swipeWithoutEnd() throws(CheckEnd) -> String? {
    ac_fence_large_blocks()
    let device = try loaded.plugResting()
    let sensor = try CheckedSensor.openHealthy(loaded, "a device on which a finger rests")
    for _ in 1...2 {
      let touch = try sensor.capture(2000, "of a swipe that does not end")
      guard Status.isRetry(touch.status) || touch.status == Status.timeout else {
        throw .failed(
          "capture of a swipe that does not end gave \(Status.name(touch.status))",
          advice: "end it with AC_RETRY_TOO_SLOW when there is no more room, or after 3 s")
      }
    }
    try sensor.close("after a swipe without end", device: device)
    return "a swipe that does not end"
  }

  /// Captures until there is a frame, or the finger has had time to leave and come again.
  private func captureFrame(_ sensor: CheckedSensor, _ place: String) throws(CheckEnd) {
    let end = CheckClock.now() + 2 * Self.stay * 1_000_000
    while CheckClock.now() < end {
      if try sensor.capture(UInt32(2 * Self.stay), place).isSound { return }
      // A retry may come at once.
      _ = CheckClock.sleep(Self.pause * 1_000_000)
    }
    let reason = "no capture \(place) gave a frame"
    throw .failed(
      reason, advice: "a lift ends the wait for it: begin anew with the next touch",
      cause: .noFrame(reason))
  }
}

/// A finger that does not come.
struct DeadlineCheck {
  let loaded: LoadedTestDriver

  /// How much later than its deadline a capture may return, in milliseconds, and how much earlier,
  /// because the rest is too short to ask the device again.
  private static let late: UInt64 = 1000
  private static let early: UInt64 = 20

  func run() throws(CheckEnd) -> String? {
    let device = try loaded.plugUntouched()
    let sensor = try CheckedSensor.openHealthy(loaded, "a device that nobody touches")
    var longest: UInt64 = 0
    for timeout in [1000, 0, 1, 250, 5000] as [UInt32] {
      let place = "with a timeout of \(timeout) ms and no finger"
      let touch = try sensor.capture(timeout, place)
      guard touch.status == Status.timeout else {
        throw .failed(
          "capture \(place) gave \(Status.name(touch.status)), not AC_ERR_TIMEOUT",
          advice: "a finger that does not come is no failure of the device")
      }
      guard touch.milliseconds + Self.early >= timeout else {
        throw .failed(
          "capture \(place) returned after \(touch.milliseconds) ms (\(Self.early) ms early is allowed)",
          advice: "wait until the deadline: a short wait for a message is not the end")
      }
      let lateness = touch.milliseconds - min(touch.milliseconds, UInt64(timeout))
      guard lateness <= Self.late else {
        throw .failed(
          "capture \(place) returned \(lateness) ms late (\(Self.late) ms is allowed)",
          advice: "give every wait what is left of the timeout, not a time of its own")
      }
      longest = max(longest, lateness)
    }
    try sensor.close("after timeouts", device: device)
    try captureAfterTimeout()
    return "at most \(longest) ms late"
  }

  /// sensor.h: after a timeout the next call works.
  private func captureAfterTimeout() throws(CheckEnd) {
    let device = try loaded.plug()
    let sensor = try CheckedSensor.openHealthy(loaded, "a device that is touched after a timeout")
    _ = try sensor.capture(0, "with a timeout of 0 ms")
    for attempt in 1...3 {
      let touch = try sensor.capture(10_000, "number \(attempt) after one that was too short")
      if touch.isSound {
        return try sensor.close("after a timeout and a frame", device: device)
      }
    }
    let reason = "after a capture with a timeout of 0 ms no further one gave a frame"
    throw .failed(reason, cause: .noFrame(reason))
  }
}
