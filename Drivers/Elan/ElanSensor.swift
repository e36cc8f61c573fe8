// Elan: image sensors 04f3:…, small areas for swiping.

public import AuthcoreABI
internal import SensorKit

/// The entry point, which is linked under the name `ac_sensor_entry` (sensor.h).
@c(ElanDriver_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
) -> ac_status_t {
  unsafe export(ElanSensor.self, host: host, ret: ret_driver)
}

/// An open Elan reader.
///
/// The sensor sends small pictures while a finger passes, of which one picture is made. A picture
/// of the empty sensor is taken before each swipe, and subtracted.
struct ElanSensor: SensorDriver {
  static let description = SensorDescription(
    name: "elan", fullName: "Elan 04f3 swipe sensors", version: "1",
    usbMatches: ElanVariant.products.flatMap { entry in
      entry.ranges.flatMap { range in
        range.map { .init(vendor: ElanVariant.vendor, product: $0) }
      }
    },
    scanType: .swipe, pixelsPerInch: UInt32(ElanSensor.pixelsPerInch))

  /// What matchers assume for these pictures. The reader does not say, and its maker publishes
  /// nothing.
  static let pixelsPerInch = 500

  let port: ElanPort
  let clock: HostClock
  let interruption: Interruption
  let variant: ElanVariant
  let geometry: ElanGeometry
  /// The firmware's version, two bytes.
  let firmware: [UInt8]
  /// Whether the previous capture ended cleanly. Otherwise answers may still be under way.
  private var isInStep = true
  /// Whether the finger was still there when the previous capture ended.
  private var fingerMayLie = false

  init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {
    let usb = try context.usb()
    let info = try usb.info()
    guard info.vendor == ElanVariant.vendor, let variant = ElanVariant(product: info.product) else {
      throw Self.unknown(info.product)
    }
    self.variant = variant
    clock = try context.host.clock()
    interruption = context.interruption
    try usb.claimInterface(0)
    port = ElanPort(usb, clock: clock, variant: variant)
    firmware = try port.ask(.firmware)
    geometry = try ElanGeometry(answer: port.ask(.sensorSize), variant: variant)
    if variant == .linearGray { _ = try port.ask(.greeting) }
  }

  var deviceInfo: DeviceInfo? {
    DeviceInfo(
      scanType: .swipe, width: geometry.imageWidth, pixelsPerInch: Self.pixelsPerInch,
      firmware: firmware.map(\.hexadecimal).joined())
  }

  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    let end = clock.now() + timeout
    if !isInStep {
      try port.resume(firmware: firmware, frameLength: geometry.frameLength, until: end)
    }
    isInStep = false
    let swipe: ElanSwipe
    do throws(SensorFailure) {
      if fingerMayLie { try awaitLift(until: end) }
      fingerMayLie = false
      swipe = try readSwipe(background: readBackground(until: end), until: end)
    } catch {
      if error.code != .gone { port.giveUp() }
      throw error
    }
    try port.send(.stop)
    isInStep = swipe.ending != .stalled
    fingerMayLie = [.full, .darkerThanBackground].contains(swipe.ending)
    return try outcome(of: swipe)
  }

  /// Waits until the reader no longer sees a finger.
  private func awaitLift(until end: Duration) throws(SensorFailure) {
    try port.send(.lightOn, until: end)
    while try port.fingerComes(within: ElanSwipe.pause, until: end) {
      guard clock.now() < end else {
        throw SensorFailure(.timeout, "The finger still lies on the reader; lift it")
      }
      try interruption.wait(for: .milliseconds(50), on: clock)
    }
    try port.send(.stop, until: end)
  }

  static let noSwipe = SensorFailure(.timeout, "No finger was swiped over the reader in time")

  static func unknown(_ product: UInt16) -> SensorFailure {
    SensorFailure(
      .unsupported,
      "The reader 0x\(String(product, radix: 16)) is not of the family that this driver knows; `authcore driver info "
        + "elan` lists those it does")
  }
}

extension ElanSensor {
  /// The first firmware that can be calibrated.
  private static let calibratedFirmware = 0x0138
  /// How far the mean of the background may be from the one that the reader wants.
  private static let tolerance = 500
  /// The means that are good for `ElanVariant.wideAnswers`.
  private static let wideAnswersMeans = 2500...5500
  /// How often the reader is asked for the state of its calibration, in all.
  private static let queries = 9

  /// Takes a picture of the empty sensor, after a calibration if one is needed.
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
      // 255 as in libfprint. It makes no difference against the tolerance.
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

  /// Lets the reader calibrate itself. If it says that it is done before it ran, it means the
  /// previous calibration.
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
