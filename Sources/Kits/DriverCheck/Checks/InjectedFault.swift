import DriverKit

/// What the simulated transport can do to a device (docs/simulated-devices.md).
enum InjectedFault: String {
  case gone, stall, short, garbage, nak, silent

  /// How a setting of the transport begins that orders one.
  static let setting = "fault="

  func at(call: Int) -> String { Self.setting + rawValue + "@\(call)" }

  /// What has happened to the device, for a report.
  func place(_ call: Int) -> String {
    switch self {
    case .gone: "while unplugged at call \(call)"
    case .stall: "with an endpoint that halts at call \(call)"
    case .short: "with half an answer at call \(call)"
    case .garbage: "with garbage at call \(call)"
    case .nak: "with a storm of NAKs at call \(call)"
    case .silent: "with a device that is silent from call \(call) on"
    }
  }
}

extension CheckCause {
  /// Of a capture that gives no frame after something happened, unless it gives none of a sound
  /// touch either.
  static func noFrame(_ reason: String) -> CheckCause {
    CheckCause(own: reason, consequenceOf: noFrame)
  }
}

/// How many calls of usb/1 it takes to open, capture twice and close: every one of them is a place
/// for a fault.
struct FaultPlaces {
  /// Most that are tried; what comes later repeats what came before.
  private static let most = 300

  let calls: Int

  init(_ loaded: LoadedTestDriver) throws(CheckEnd) {
    guard let device = try loaded.plug() else { throw .notRun("the driver uses no USB device") }
    let sensor = try CheckedSensor.openHealthy(loaded, "a sound device")
    for number in 1...2 { _ = try sensor.capture(5000, "number \(number) of a sound device") }
    try sensor.close("after two captures", device: device)
    calls = min(device.calls, Self.most)
  }
}
