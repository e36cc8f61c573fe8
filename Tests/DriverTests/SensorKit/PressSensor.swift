import FrameAssembly
import SensorKit

/// The driver of Drivers/Template once more, in Swift.
struct PressSensor {
  private static let messages = USBEndpoint.interrupt(0x81)
  private static let images = USBEndpoint.bulk(0x82)
  private static let setMode: UInt8 = 1

  private let usb: USBDevice
  private let clock: HostClock
  private var fingerIsDown = false

  init(context: SensorContext) throws(SensorFailure) {
    usb = try context.usb()
    clock = try context.host.clock()
    guard try usb.info().interfaces.map(\.endpoints) == [[0x81, 0x82]] else {
      throw SensorFailure(.unsupported, "The reader has other endpoints than this driver knows")
    }
    try usb.claimInterface(0)
    guard try usb.read(USBControlRequest(2), length: 4) == [96, 112, 1, 1] else {
      throw SensorFailure(.unsupported, "The reader is another model than this driver knows")
    }
  }

  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    let end = clock.now() + timeout
    if fingerIsDown { try awaitMessage(2, mode: 3, until: end) }
    fingerIsDown = false
    try awaitMessage(1, mode: 1, until: end)
    fingerIsDown = true
    var image = try usb.submitRead(from: Self.images, length: 8 + 96 * 112)
    try usb.write(USBControlRequest(Self.setMode, value: 2))
    let bytes: [UInt8]
    do throws(SensorFailure) {
      bytes = try image.wait(deadline: .seconds(1))
    } catch {
      guard error.code == .stall else { throw error }
      try usb.clearHalt(Self.images)
      return .retry(.general)
    }
    guard bytes.count == 8 + 96 * 112 else { return .retry(.general) }
    return .frame(
      try Frame(
        width: 96, height: 112, pixelsPerInch: 500, layout: .inverted, pixels: Array(bytes[8...])))
  }

  private func awaitMessage(_ kind: UInt8, mode: UInt16, until end: Duration)
    throws(SensorFailure)
  {
    var isFirst = true
    while true {
      var message = try usb.submitRead(from: Self.messages, length: 8)
      if isFirst { try usb.write(USBControlRequest(Self.setMode, value: mode)) }
      isFirst = false
      if try message.wait(deadline: end - clock.now()).first == kind { return }
    }
  }
}
