import AuthcoreABI

/// A finger that comes a known number of times, and how often the driver answers.
struct FreshCheck {
  let loaded: LoadedTestDriver

  private static let touches = 2
  /// More captures than that many touches can answer.
  private static let captures = 8
  /// When a late finger comes, and how long the call before waits and the one after, in
  /// milliseconds of the device's time.
  private static let delay: UInt32 = 2000
  private static let wait: UInt32 = 500
  private static let pause: UInt64 = 5000

  func run() throws(CheckEnd) -> String? {
    if loaded.matchesOnChip { return try matches() }
    let device = try loaded.plug(touches: Self.touches)
    let sensor = try CheckedSensor.openHealthy(loaded, "a device that is touched twice")
    var frames = 0
    for number in 1...Self.captures {
      let touch = try sensor.capture(5000, "number \(number) of a finger that comes twice")
      // A finger that comes no more.
      if touch.status >= 100 { break }
      frames += touch.isSound ? 1 : 0
      guard frames <= Self.touches else {
        throw .failed(
          "captures delivered \(frames) frames of \(Self.touches) touches",
          advice: "read a new frame for every touch, and forget the last one when it is delivered")
      }
    }
    try sensor.close("after two touches", device: device)
    guard frames > 0 else {
      let reason = "no capture of a finger that comes twice gave a frame"
      throw .failed(reason, cause: .noFrame(reason))
    }
    return "\(frames) frames of \(Self.touches) touches"
  }

  // MARK: Chips

  /// A chip is touched as often as an enrollment takes, and once more.
  private func matches() throws(CheckEnd) -> String? {
    let device = try loaded.plug()
    let sensor = try CheckedSensor.openHealthy(loaded, "a sound chip")
    let touches = try ChipCheck.enroll(sensor).touches
    try sensor.close("after an enrollment", device: device)
    try matchOnce(after: touches)
    try matchLate(after: touches)
    return "1 answer of 1 touch"
  }

  private func matchOnce(after touches: Int) throws(CheckEnd) {
    let device = try loaded.plug(touches: touches + 1)
    let (sensor, chip, name) = try enrolled("a chip that is touched once")
    try chip.expectOK(
      chip.identify([name], 5000).status, "identify", "of the enrolled finger")
    try expectNoAnswer(
      chip.identify([name], 5000).status,
      "identify answered a second time with one touch")
    try sensor.close("after one touch", device: device)
  }

  private func matchLate(after touches: Int) throws(CheckEnd) {
    let device = try loaded.plug(touches: touches + 1, ["delay=\(Self.delay)"])
    let (sensor, chip, name) = try enrolled("a chip whose finger comes late")
    try expectNoAnswer(
      chip.identify([name], Self.wait).status, "identify answered before the finger came")
    _ = CheckClock.sleep(Self.pause * 1_000_000)
    try expectNoAnswer(
      chip.identify([name], Self.wait).status,
      "identify answered with the touch that came after the call before had ended")
    try sensor.close("after a late touch", device: device)
  }

  private func enrolled(
    _ place: String
  ) throws(CheckEnd) -> (sensor: CheckedSensor, chip: ChipCalls, name: ac_chip_id_t) {
    let sensor = try CheckedSensor.openHealthy(loaded, place)
    let (chip, name, _) = try ChipCheck.enroll(sensor)
    return (sensor, chip, name)
  }

  private func expectNoAnswer(_ status: ac_status_t, _ reason: String) throws(CheckEnd) {
    _ = loaded.host.takeMessage()
    guard status == Status.ok else { return }
    throw .failed(
      reason,
      advice: "have the chip, and the queue of reads, forget the last call before the next question"
    )
  }
}
