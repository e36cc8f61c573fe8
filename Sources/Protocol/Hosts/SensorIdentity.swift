/// What an open device is (`ac_device_info_t` of sensor.h), where its driver's description holds
/// for several.
package struct SensorIdentity: Equatable, WireField {
  /// Press or swipe.
  package let scanType: DriverDescription.ScanType
  /// Pixels in a row of a frame; 0 where it varies.
  package let width: UInt32
  /// Rows of a frame; 0 where it varies.
  package let height: UInt32
  /// Pixels per inch; 0 where it varies.
  package let pixelsPerInch: UInt32
  /// Of the device; "" where it has none.
  package let serial: String
  /// Its version; "" where it is unknown.
  package let firmware: String

  private static let longestText = 64

  /// Describes a device.
  package init(
    scanType: DriverDescription.ScanType, width: UInt32, height: UInt32, pixelsPerInch: UInt32,
    serial: String = "", firmware: String = ""
  ) {
    self.scanType = scanType
    self.width = width
    self.height = height
    self.pixelsPerInch = pixelsPerInch
    self.serial = serial
    self.firmware = firmware
  }

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(scanType, width, height, pixelsPerInch, serial, firmware)
  }

  /// They come from a process that ran somebody's plugin: everything is checked again.
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (scanType, width, height, pixelsPerInch, serial, firmware) = try decoder.read()
    try DriverDescription.requirePossible(width: width, height: height, pixelsPerInch)
    // What is no UTF-8 became U+FFFD, three bytes for one.
    for text in [serial, firmware] { try decoder.require(text, atMost: 3 * Self.longestText) }
  }
}
