// A complete driver to copy: a press sensor that does not exist, with the protocol of README.md.
// SPDX-License-Identifier: Apache-2.0

public import AuthcoreABI
internal import FrameAssembly
internal import SensorKit

/// The driver, and the one device it has open; closing the device is its death.
struct TemplateSensor: SensorDriver, ~Copyable {
  static let description = SensorDescription(
    name: "template", fullName: "Template press sensor (imaginary)", version: "1",
    usbMatches: [.init(vendor: 0x1209, product: 0x0001)], scanType: .press,
    width: UInt32(width), height: UInt32(height), pixelsPerInch: 500)

  private static let width = 96
  private static let height = 112
  private static let headerLength = 8
  private static let imageLength = headerLength + width * height

  private static let messages = USBEndpoint.interrupt(0x81)
  private static let images = USBEndpoint.bulk(0x82)
  private static let messageLength = 8
  /// The device answers a command, and sends its image, well within this.
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

  init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {
    let usb = try context.usb()
    let clock = try context.host.clock()
    try usb.claimInterface(0)
    let identity = try usb.read(
      USBControlRequest(Request.identity), length: 4, deadline: Self.answerTime)
    guard identity.count == 4, identity[0] == Self.width, identity[1] == Self.height else {
      throw SensorFailure(
        .unsupported, "The reader is not the model that this driver knows")
    }
    self.usb = usb
    self.clock = clock
  }

  // Both fail on a device that is gone, which is fine.
  deinit {
    try? set(.off)
    try? usb.releaseInterface(0)
  }

  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    let end = clock.now() + timeout
    do throws(SensorFailure) {
      if fingerIsDown { try wait(for: .lift, in: .awaitLift, until: end) }
      try wait(for: .touch, in: .awaitTouch, until: end)
      return try readImage()
    } catch {
      // An endpoint that halted is set going again, at the price of this touch.
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

  /// Fetches the image of a finger in one transfer. What is wrong with the touch, not with the
  /// device, is a retry.
  private func readImage() throws(SensorFailure) -> CaptureOutcome {
    var answer = try usb.submitRead(from: Self.images, length: Self.imageLength)
    try set(.sendImage)
    let bytes: [UInt8]
    do throws(SensorFailure) {
      bytes = try answer.wait(deadline: Self.answerTime)
    } catch {
      guard error.code == .timeout else { throw error }
      throw SensorFailure(
        .protocolViolation, "The reader sends no image: unplug it and plug it in again")
    }
    guard bytes.count >= Self.headerLength, bytes[0] == UInt8(ascii: "I") else {
      throw SensorFailure(
        .protocolViolation, "The reader sends no image: unplug it and plug it in again")
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
}

/// The one symbol of a driver; see sensor.h.
@c @implementation
public func ac_sensor_entry(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
) -> ac_status_t {
  unsafe export(TemplateSensor.self, host: host, ret: ret_driver)
}
