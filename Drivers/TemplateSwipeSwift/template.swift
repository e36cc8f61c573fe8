// A complete driver to copy: a swipe sensor that does not exist, with the protocol of README.md.
// SPDX-License-Identifier: Apache-2.0

public import AuthcoreABI
internal import FrameAssembly
internal import SensorKit

/// The driver, and the one device it has open; closing the device is its death.
struct TemplateSensor: SensorDriver, ~Copyable {
  static let description = SensorDescription(
    name: "template", fullName: "Template swipe sensor (imaginary)", version: "1",
    usbMatches: [.init(vendor: 0x1209, product: 0x0002)], scanType: .swipe,
    // The height is 0: a swipe is as high as it is long.
    width: UInt32(imageWidth), pixelsPerInch: 500)

  /// What the sensor sees at once.
  private static let (width, height) = (128, 12)
  private static let stripeLength = width * height
  /// The picture that is made of a swipe: with room for steps to the side, 5 to 30 mm high.
  private static let imageWidth = 160
  private static let imageHeights = 96...600
  private static let stripesInReport = 4
  private static let headerLength = 8
  private static let reportLength = headerLength + stripesInReport * stripeLength

  private static let messages = USBEndpoint.interrupt(0x81)
  private static let reports = USBEndpoint.bulk(0x82)
  private static let messageLength = 8
  /// The device answers a command, and sends its next report, well within this.
  private static let answerTime = Duration.seconds(1)
  /// A finger that is longer on its way rests on the sensor.
  private static let swipeTime = Duration.seconds(3)

  private enum Request {
    static let setMode: UInt8 = 1
    static let identity: UInt8 = 2
  }

  private enum Mode: UInt16 {
    case off, awaitTouch, sendStripes, awaitLift
  }

  private enum Message: UInt8 {
    case touch = 1
    case lift = 2
  }

  private let usb: USBDevice
  private let host: DriverServices
  private let clock: HostClock
  private var fingerIsDown = false

  init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {
    let usb = try context.usb()
    let clock = try context.host.clock()
    try usb.claimInterface(0)
    let identity = try usb.read(
      USBControlRequest(Request.identity), length: 4, deadline: Self.answerTime)
    guard identity.count == 4, identity[0] == Self.width, identity[1] == Self.height
    else {
      throw SensorFailure(.unsupported, "The reader is not the model that this driver knows")
    }
    self.usb = usb
    self.clock = clock
    host = context.host
  }

  // Fails on a device that is gone, which is fine. The interface is released with `usb`.
  deinit { try? set(.off) }

  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    let end = clock.now() + timeout
    do throws(SensorFailure) {
      if fingerIsDown { try wait(for: .lift, in: .awaitLift, until: end) }
      try wait(for: .touch, in: .awaitTouch, until: end)
      switch try readSwipe() {
      case .retry(let reason): return .retry(reason)
      case .stripes(let pixels): return try assemble(pixels)
      }
    } catch {
      // An endpoint that halted is set going again, at the price of this swipe.
      guard error.code == .stall else { throw error }
      try usb.clearHalt(Self.messages)
      try usb.clearHalt(Self.reports)
      return .retry(.general)
    }
  }

  private func set(_ mode: Mode) throws(SensorFailure) {
    try usb.write(
      USBControlRequest(Request.setMode, value: mode.rawValue), deadline: Self.answerTime)
  }

  /// Sets a mode and awaits its message. The read is queued first: the device drops a message that
  /// nobody awaits.
  private mutating func wait(
    for wanted: Message, in mode: Mode, until end: Duration
  ) throws(SensorFailure) {
    var isModeSet = false
    while true {
      var message = try usb.submitRead(from: Self.messages, length: Self.messageLength)
      if !isModeSet { try set(mode) }
      isModeSet = true
      let left = end - clock.now()
      guard left > .zero else { throw SensorFailure(.timeout, "No finger came in time") }
      guard try message.wait(deadline: left).first == wanted.rawValue else { continue }
      fingerIsDown = wanted == .touch
      return
    }
  }

  /// What was seen of a swipe.
  private enum Swipe {
    /// The pixels of stripe after stripe.
    case stripes([UInt8])
    case retry(RetryReason)
  }

  /// Fetches what the sensor sees while the finger is drawn over it. A read is queued whenever the
  /// device may send.
  private mutating func readSwipe() throws(SensorFailure) -> Swipe {
    let end = clock.now() + Self.swipeTime
    var pixels: [UInt8] = []
    var number: UInt8 = 0
    var answer = try usb.submitRead(from: Self.reports, length: Self.reportLength)
    try set(.sendStripes)
    while true {
      let report = try Self.report(&answer, number: number)
      guard report.count == Self.reportLength else { return .retry(.general) }
      let count = Int(report[2])
      pixels += report[Self.headerLength..<Self.headerLength + count * Self.stripeLength]
      // Fewer than there is room for: the finger has gone.
      fingerIsDown = count == Self.stripesInReport
      guard fingerIsDown else { return .stripes(pixels) }
      guard clock.now() < end else { return .retry(.tooSlow) }
      number &+= 1
      answer = try usb.submitRead(from: Self.reports, length: Self.reportLength)
    }
  }

  /// The next report, whole or not.
  private static func report(
    _ answer: inout PendingRead, number: UInt8
  ) throws(SensorFailure) -> [UInt8] {
    let bytes: [UInt8]
    do throws(SensorFailure) {
      bytes = try answer.wait(deadline: answerTime)
    } catch {
      guard error.code == .timeout else { throw error }
      throw SensorFailure(
        .protocolViolation, "The reader stopped sending: unplug it and plug it in again")
    }
    guard bytes.count >= headerLength, bytes[0] == UInt8(ascii: "S"), bytes[1] == number,
      bytes[2] <= stripesInReport
    else {
      throw SensorFailure(
        .protocolViolation, "The reader sends no stripes: unplug it and plug it in again")
    }
    return bytes
  }

  /// Puts the stripes together. What is wrong with the swipe, not with the device, is a retry; how
  /// good it was, `--log` shows.
  private func assemble(_ pixels: [UInt8]) throws(SensorFailure) -> CaptureOutcome {
    guard pixels.count >= 2 * Self.stripeLength else { return .retry(.tooShort) }
    let swipe: SwipeImage
    do throws(AssemblyError) {
      swipe = try StripeSeries(width: Self.width, height: Self.height, pixels: pixels)
        .assembled(
          imageWidth: Self.imageWidth, heights: Self.imageHeights, placement: .robust)
    } catch {
      // Higher than a finger is long: the movement was misjudged.
      guard case .tooHigh = error else { throw SensorFailure(error) }
      return .retry(.general)
    }
    let report = swipe.report
    host.log(
      .debug,
      "\(pixels.count / Self.stripeLength) stripes, \(swipe.height) px high, quality "
        + "\(report.quality), \(report.unusablePairs) of \(report.pairs) pairs unusable")
    if let reason = RetryReason(report.verdict) { return .retry(reason) }
    return .frame(try Frame(swipe, pixelsPerInch: 500, layout: .inverted))
  }
}

/// The one symbol of a driver; see sensor.h.
@c @implementation
public func ac_sensor_entry(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
) -> ac_status_t {
  unsafe export(TemplateSensor.self, host: host, ret: ret_driver)
}
