/// The register HWSTAT. What is written is not simply what is read back.
struct HardwareStatus: OptionSet {
  let rawValue: UInt8

  /// Alive again, after ``confused`` was cleared.
  static let alive = HardwareStatus(rawValue: 0x01)
  /// Something is wrong, when ``lowPower`` is set as well.
  static let confused = HardwareStatus(rawValue: 0x04)
  static let lowPower = HardwareStatus(rawValue: 0x80)

  /// The bits that are written back.
  var low: HardwareStatus { HardwareStatus(rawValue: rawValue & 0x0F) }
}
