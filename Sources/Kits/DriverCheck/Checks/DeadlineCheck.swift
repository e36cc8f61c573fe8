import AuthcoreABI

/// A finger that does not come.
struct DeadlineCheck {
  private let loaded: LoadedTestDriver

  /// How much later than asked a capture may return, and how much earlier: what is left is too
  /// short to ask the device again.
  private static let late: UInt64 = 1000
  private static let early: UInt64 = 20

  init(_ loaded: LoadedTestDriver) { self.loaded = loaded }

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
          "capture \(place) returned after \(touch.milliseconds) ms",
          advice: "wait until the deadline: a short wait for a message is not the end")
      }
      let lateness = touch.milliseconds - min(touch.milliseconds, UInt64(timeout))
      guard lateness <= Self.late else {
        throw .failed(
          "capture \(place) returned \(lateness) ms late",
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
      if touch.frame != nil {
        return try sensor.close("after a timeout and a frame", device: device)
      }
    }
    let reason = "after a capture with a timeout of 0 ms no further one gave a frame"
    throw .failed(reason, cause: .noFrame(reason))
  }
}
