import AuthcoreABI
import Protocol

extension SensorIdentity {
  /// Copies what a driver filled in.
  /// - Throws: `driverFailed` naming the value that is not possible.
  init(copying info: ac_device_info_t, path: String) throws(Failure) {
    guard let scanType = DriverDescription.ScanType(rawValue: info.scan_type) else {
      throw Self.objection(path, "scan_type is \(info.scan_type)")
    }
    let (width, height, ppi) = (info.width_px, info.height_px, info.ppi)
    guard width <= SensorFrame.maximumSide, height <= SensorFrame.maximumSide else {
      throw Self.objection(
        path,
        "its frames are \(width) by \(height) pixels; at most \(SensorFrame.maximumSide) a side")
    }
    guard DriverDescription.isPossible(pixelsPerInch: ppi) else {
      throw Self.objection(path, "ppi is \(ppi), not 100 to 2000 or 0")
    }
    self.init(
      scanType: scanType, width: width, height: height, pixelsPerInch: ppi,
      serial: unsafe withUnsafeBytes(of: info.serial) { unsafe Self.text($0) },
      firmware: unsafe withUnsafeBytes(of: info.firmware) { unsafe Self.text($0) })
  }

  private static func objection(_ path: String, _ reason: String) -> Failure {
    Failure(
      .driverFailed, "The driver \(path) says of its device what cannot be: \(reason)",
      hint: "the driver's author can find the rules in include/authcore/sensor.h")
  }

  /// Up to the NUL or the end of the field, without control characters.
  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    let clean = unsafe bytes.prefix { $0 != 0 }.map {
      $0 < 0x20 || $0 == 0x7f ? UInt8(ascii: " ") : $0
    }
    return String(decoding: clean, as: UTF8.self)
  }
}
