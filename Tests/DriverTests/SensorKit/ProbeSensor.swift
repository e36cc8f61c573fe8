import FrameAssembly
import SensorKit

/// A driver whose behavior its option chooses. A module has one driver, so this one is all that
/// the tests need.
struct ProbeSensor: SensorDriver {
  static let description = SensorDescription(
    name: "probe", fullName: "Probe of the tests", version: "7",
    usbMatches: [.init(vendor: 0x1209, product: 0x0001)], scanType: .swipe, width: 4, height: 2,
    pixelsPerInch: 508, traits: .readsFiles,
    options: [.init("behavior", .text, summary: "what capture does")])

  /// The frame of the behavior "picture".
  static let picture = TemplateDevice.pixels(touch: 1)

  private let behavior: String
  private let clock: HostClock
  private let interruption: Interruption
  private var captures = 0
  private var press: PressSensor?

  init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {
    behavior = options["behavior"]?.text ?? "frame"
    clock = try context.host.clock()
    interruption = context.interruption
    if behavior == "held" { throw SensorFailure(.lift, "Lift the finger") }
    if behavior == "press" { press = try PressSensor(context: context) }
    context.host.log(.info, "opened\nfor \(behavior)")
  }

  var deviceInfo: DeviceInfo? {
    guard behavior == "told" else { return nil }
    return DeviceInfo(
      scanType: .press, width: 4, height: 2, pixelsPerInch: 508, serial: "a\nb",
      firmware: String(repeating: "f", count: 99))
  }

  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    captures += 1
    switch behavior {
    case "window":
      return .frame(
        try Frame(
          width: 4, height: 2, pixelsPerInch: 508, pixels: Array(0..<8), extents: [0..<4, 2..<2]))
    case "beyond":
      return .frame(
        try Frame(
          width: 4, height: 2, pixelsPerInch: 508, pixels: Array(0..<8), extents: [0..<4, 2..<5]))
    case "picture":
      return .frame(
        try Frame(
          width: 96, height: 112, pixelsPerInch: 500, pixels: Self.picture.map { $0 }))
    case "retry":
      return .retry(.tooFast)
    case "lies":
      return .frame(try Frame(width: 4, height: 2, pixelsPerInch: 508, pixels: [1, 2, 3]))
    case "fail":
      throw SensorFailure(.tooHot, "The sensor is too hot;\nlet it cool down")
    case "wait":
      try interruption.wait(for: timeout, on: clock)
      throw SensorFailure(.timeout, "No touch in time")
    default:
      if let outcome = try press?.capture(timeout: timeout) { return outcome }
      return .frame(
        try Frame(
          width: 4, height: 2, pixelsPerInch: 508, layout: [.inverted, .flippedVertically],
          pixels: (0..<8).map { UInt8($0 * captures) }))
    }
  }
}

extension LoadedDriver {
  /// The entry of ``ProbeSensor``.
  @safe static let probeEntry: Entry = { host, ret in
    unsafe export(ProbeSensor.self, host: host, ret: ret)
  }

  /// ``ProbeSensor``, through its C table.
  static func probe() throws -> LoadedDriver {
    try unsafe LoadedDriver(entry: probeEntry)
  }
}

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
