import DriverKit

/// A finger that stays where it is.
struct LiftCheck {
  private let loaded: LoadedTestDriver

  /// How long it stays, in milliseconds of the device's time.
  private static let stay: UInt64 = 60_000
  private static let pause: UInt64 = 5000

  init(_ loaded: LoadedTestDriver) { self.loaded = loaded }

  func run() throws(CheckEnd) -> String? {
    guard !loaded.isSwipe else {
      throw .notRun("a finger that is drawn over the sensor leaves it by itself")
    }
    let device = try loaded.plugStaying(milliseconds: Self.stay)
    let sensor = try CheckedSensor.openHealthy(loaded, "a device whose finger stays")
    try captureFrame(sensor, "of a finger that will stay")
    let touch = try sensor.capture(2000, "of a finger that still lies there")
    guard touch.frame == nil else {
      throw .failed(
        "capture delivered a second frame of a finger that was not lifted",
        advice: "await the lift before the touch: AC_ERR_TIMEOUT or AC_RETRY_LIFT without it")
    }
    try captureFrame(sensor, "once the finger was lifted")
    try sensor.close("after the lift", device: device)
    return nil
  }

  /// Until the finger has had time to leave and to come again.
  private func captureFrame(_ sensor: CheckedSensor, _ place: String) throws(CheckEnd) {
    let end = CheckClock.now() + 2 * Self.stay * 1_000_000
    while CheckClock.now() < end {
      if try sensor.capture(UInt32(2 * Self.stay), place).frame != nil { return }
      // A retry may come at once.
      _ = CheckClock.sleep(Self.pause * 1_000_000)
    }
    let reason = "no capture \(place) gave a frame"
    throw .failed(
      reason, advice: "a lift ends the wait for it: begin anew with the next touch",
      cause: .noFrame(reason))
  }
}
