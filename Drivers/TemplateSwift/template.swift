// A complete driver to copy, for the imaginary device of README.md.
// SPDX-License-Identifier: Apache-2.0

public import AuthcoreABI
internal import FrameAssembly
internal import SensorKit

/// The driver, and the one device it has open. The host closes the device by letting it die.
struct TemplateSensor: SensorDriver, ~Copyable {
  #if SWIPE
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
    private static let headerLength = 8
    private static let stripesInReport = 4
    private static let reportLength = headerLength + stripesInReport * stripeLength

    /// Where its reports come from.
    private static let images = USBEndpoint.bulk(0x82)
    /// A finger that takes longer rests on the sensor.
    private static let swipeTime = Duration.seconds(3)
  #else
    static let description = SensorDescription(
      name: "template", fullName: "Template press sensor (imaginary)", version: "1",
      usbMatches: [.init(vendor: 0x1209, product: 0x0001)], scanType: .press,
      width: UInt32(width), height: UInt32(height), pixelsPerInch: 500)

    private static let (width, height) = (96, 112)
    private static let headerLength = 8
    private static let imageLength = headerLength + width * height

    private static let images = USBEndpoint.bulk(0x82)
  #endif
  private static let messages = USBEndpoint.interrupt(0x81)
  private static let messageLength = 8
  /// The device answers a command, and sends what it sees, well within this.
  private static let answerTime = Duration.seconds(1)

  private enum Request {
    static let setMode: UInt8 = 1
    static let identity: UInt8 = 2
  }

  private enum Mode: UInt16 {
    case off, awaitTouch, sendImage, awaitLift
  }

  private enum Message: UInt8 {
    case touch = 1
    case lift = 2
  }

  private let usb: USBDevice
  private let clock: HostClock
  private var fingerIsDown = false
  #if SWIPE
    private let host: DriverServices
  #endif

  init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {
    let usb = try context.usb()
    let clock = try context.host.clock()
    try usb.claimInterface(0)
    let identity = try usb.read(
      USBControlRequest(Request.identity), length: 4, deadline: Self.answerTime)
    guard identity.count == 4, identity[0] == Self.width, identity[1] == Self.height else {
      throw SensorFailure(.unsupported, "The reader is not the model that this driver knows")
    }
    self.usb = usb
    self.clock = clock
    #if SWIPE
      host = context.host
    #endif
  }

  // Fails on a device that is gone, which is fine. The interface is released with `usb`.
  deinit { try? set(.off) }

  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    let end = clock.now() + timeout
    do throws(SensorFailure) {
      if fingerIsDown { try wait(for: .lift, in: .awaitLift, until: end) }
      try wait(for: .touch, in: .awaitTouch, until: end)
      return try readImage()
    } catch {
      // Sets an endpoint that halted going again, at the price of this touch.
      guard error.code == .stall else { throw error }
      try usb.clearHalt(Self.messages)
      try usb.clearHalt(Self.images)
      return .retry(.general)
    }
  }

  private func set(_ mode: Mode) throws(SensorFailure) {
    try usb.write(
      USBControlRequest(Request.setMode, value: mode.rawValue), deadline: Self.answerTime)
  }

  /// Sets a mode and waits for its message. The read is queued first: the device drops a message
  /// that no read waits for.
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

  /// Waits for what was asked for in `read`: the device sends it at once, or is broken.
  private func receive(_ read: inout PendingRead) throws(SensorFailure) -> [UInt8] {
    do throws(SensorFailure) {
      return try read.wait(deadline: Self.answerTime)
    } catch {
      throw error.code == .timeout ? Self.silence : error
    }
  }

  private static var silence: SensorFailure {
    SensorFailure(.protocolViolation, "The reader sends no image: unplug it and plug it in again")
  }

  #if SWIPE
    /// Fetches what the sensor sees while the finger is drawn over it. A read is queued whenever
    /// the device may send.
    private mutating func readImage() throws(SensorFailure) -> CaptureOutcome {
      let end = clock.now() + Self.swipeTime
      var pixels: [UInt8] = []
      var number: UInt8 = 0
      var answer = try usb.submitRead(from: Self.images, length: Self.reportLength)
      try set(.sendImage)
      while true {
        let report = try receive(&answer)
        guard report.count >= Self.headerLength, report[0] == UInt8(ascii: "S"),
          report[1] == number, report[2] <= Self.stripesInReport
        else { throw Self.silence }
        guard report.count == Self.reportLength else { return .retry(.general) }
        let count = Int(report[2])
        pixels += report[Self.headerLength..<Self.headerLength + count * Self.stripeLength]
        // If there are fewer than fit, the finger has gone.
        fingerIsDown = count == Self.stripesInReport
        guard fingerIsDown else { return try assemble(pixels) }
        guard clock.now() < end else { return .retry(.tooSlow) }
        number &+= 1
        answer = try usb.submitRead(from: Self.images, length: Self.reportLength)
      }
    }

    /// Makes one picture of the stripes. A bad swipe is a retry; `--log` shows how good it was.
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
  #else
    /// Fetches the image of a finger in one transfer. A bad touch is a retry; a device that
    /// misbehaves is a failure.
    private func readImage() throws(SensorFailure) -> CaptureOutcome {
      var answer = try usb.submitRead(from: Self.images, length: Self.imageLength)
      try set(.sendImage)
      let bytes = try receive(&answer)
      guard bytes.count >= Self.headerLength, bytes[0] == UInt8(ascii: "I") else {
        throw Self.silence
      }
      switch bytes[1] {
      case 0: break
      case 1: return .retry(.tooDry)
      case 2: return .retry(.tooWet)
      case 3: return .retry(.center)
      case 4: return .retry(.tooShort)
      default:
        throw SensorFailure(.protocolViolation, "The reader's verdict on the touch is \(bytes[1])")
      }
      guard bytes.count == Self.imageLength else { return .retry(.general) }
      return .frame(
        try Frame(
          width: Self.width, height: Self.height, pixelsPerInch: 500, layout: .inverted,
          pixels: Array(bytes[Self.headerLength...])))
    }
  #endif
}

/// The one symbol of a driver; see sensor.h.
@c @implementation
public func ac_sensor_entry(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
) -> ac_status_t {
  unsafe export(TemplateSensor.self, host: host, ret: ret_driver)
}
