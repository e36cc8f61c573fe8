internal import SensorKit

extension ElanSensor {
  /// The first firmware that can be calibrated.
  private static let calibratedFirmware = 0x0138
  /// How far the mean of the background may lie from the one the reader wants.
  private static let tolerance = 500
  /// The means that `ElanVariant.wideAnswers` may have.
  private static let wideAnswersMeans = 2500...5500
  /// The reader is asked for the state of its calibrations so many times in all.
  private static let queries = 9

  /// Takes a picture of the empty sensor, after a calibration where one is needed.
  func readBackground(until end: Duration) throws(SensorFailure) -> [UInt16] {
    var queriesLeft = Self.queries
    while true {
      let frame = try port.readFrame(geometry.frameLength, until: end)
      let background = try geometry.pixels(of: frame)
      let version = Int(firmware[0]) << 8 | Int(firmware[1])
      guard variant == .wideAnswers || version >= Self.calibratedFirmware else {
        return background
      }
      let answer = try port.ask(.calibrationMean, until: end)
      // 255 as libfprint has it; against the tolerance it makes no difference.
      let wanted = Int(answer[0]) * 255 + Int(answer[1])
      if isCalibrated(background, wanted: wanted) { return background }
      try calibrate(queriesLeft: &queriesLeft, until: end)
    }
  }

  private func isCalibrated(_ background: [UInt16], wanted: Int) -> Bool {
    if variant == .wideAnswers { return Self.wideAnswersMeans ~= wanted }
    let mean = background.reduce(0) { $0 + Int($1) } / background.count
    return abs(mean - wanted) <= Self.tolerance
  }

  /// Lets the reader calibrate itself: it runs, and then is done. That it is done before it ran is
  /// old news.
  private func calibrate(queriesLeft: inout Int, until end: Duration) throws(SensorFailure) {
    var hasRun = false
    while queriesLeft > 0 {
      queriesLeft -= 1
      let state = try port.ask(.calibrationStatus, until: end)[0]
      if state == CalibrationAnswer.running { hasRun = true }
      if state == CalibrationAnswer.done && hasRun { return }
      guard clock.now() < end else { throw Self.noSwipe }
      try interruption.wait(for: .milliseconds(50), on: clock)
    }
    throw SensorFailure(
      .protocolViolation,
      "The reader cannot be calibrated; take the finger away, clean the sensor and try again")
  }
}
