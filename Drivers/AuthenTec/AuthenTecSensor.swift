// AuthenTecDriver: AuthenTec's AES3500 and AES4000, which are pressed, and AES2500 and AES2501,
// which are swiped.

public import AuthcoreABI
internal import SensorKit

/// The entry point, which is linked under the name `ac_sensor_entry` (sensor.h).
@c(AuthenTecDriver_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
) -> ac_status_t {
  unsafe export(AuthenTecSensor.self, host: host, ret: ret_driver)
}

/// An AuthenTec reader. Some are pressed, and some, as in laptops, are swiped; ``deviceInfo`` says
/// which.
struct AuthenTecSensor: SensorDriver {
  static let description = SensorDescription(
    name: "authentec", fullName: "AuthenTec AES2500/AES2501, AES3500, AES4000", version: "1",
    usbMatches: AuthenTecChip.allCases.map {
      SensorDescription.USBMatch(vendor: AuthenTecChip.vendor, product: $0.rawValue)
    },
    scanType: .swipe)

  private enum Reader {
    case press(PressReader)
    case swipe(SwipeReader)
  }

  private var reader: Reader

  init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {
    let port = try AuthenTecPort(context: context)
    switch port.chip {
    case .aes3500: reader = try .press(PressReader(.aes3500, port, context))
    case .aes4000: reader = try .press(PressReader(.aes4000, port, context))
    case .aes2500, .aes2501: reader = try .swipe(SwipeReader(port, context))
    }
  }

  var deviceInfo: DeviceInfo? {
    switch reader {
    case .press(let press): press.deviceInfo
    case .swipe: SwipeReader.deviceInfo
    }
  }

  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    switch reader {
    case .press(var press):
      defer { reader = .press(press) }
      return try press.capture(timeout: timeout)
    case .swipe(var swipe):
      defer { reader = .swipe(swipe) }
      return try swipe.capture(timeout: timeout)
    }
  }
}

/// The chips by their USB product number.
enum AuthenTecChip: UInt16, CaseIterable {
  static let vendor: UInt16 = 0x08FF

  case aes3500 = 0x5731
  case aes4000 = 0x5501
  case aes2500 = 0x2500
  case aes2501 = 0x2580
}
