internal import AuthcoreABI
internal import Glibc
internal import Synchronization

extension SensorTable {
  /// Copies the facts to C memory that is never freed.
  @unsafe static func describe(_ facts: SensorDescription)
    -> UnsafePointer<ac_sensor_description_t>
  {
    let matches = unsafe immortal(facts.usbMatches.map(match))
    let options = unsafe immortal(
      facts.options.map { option in
        unsafe ac_option_description_t(
          name: immortal(option.name), kind: option.kind.rawValue, summary: immortal(option.summary)
        )
      })
    return unsafe immortal(
      ac_sensor_description_t(
        struct_size: UInt32(MemoryLayout<ac_sensor_description_t>.size),
        name: immortal(facts.name), full_name: immortal(facts.fullName),
        version: immortal(facts.version), usb_matches: matches,
        usb_match_count: UInt32(facts.usbMatches.count),
        scan_type: DeviceInfoTable.scanType(facts.scanType),
        width_px: facts.width, height_px: facts.height, ppi: facts.pixelsPerInch,
        flags: facts.traits.rawValue, options: options, option_count: UInt32(facts.options.count),
        real_option: facts.realOption.map { unsafe immortal($0) } ?? nil,
        usb_match_size: UInt32(MemoryLayout<ac_usb_match_t>.size),
        option_description_size: UInt32(MemoryLayout<ac_option_description_t>.size)))
  }

  private static func match(_ match: SensorDescription.USBMatch) -> ac_usb_match_t {
    var result = ac_usb_match_t()
    result.vendor_id = match.vendor
    result.product_id = match.product
    func set<Value>(
      _ field: WritableKeyPath<ac_usb_match_t, Value>, _ value: Value?, _ flag: Int
    ) {
      guard let value else { return }
      result[keyPath: field] = value
      result.flags |= UInt16(flag)
    }
    set(\.bcd_device_first, match.releases?.lowerBound, AC_USB_MATCH_RELEASE)
    set(\.bcd_device_last, match.releases?.upperBound, AC_USB_MATCH_RELEASE)
    let interface = match.interface
    set(\.interface_number, interface?.number, AC_USB_MATCH_INTERFACE_NUMBER)
    set(\.interface_class, interface?.classCode, AC_USB_MATCH_INTERFACE_CLASS)
    set(\.interface_subclass, interface?.subclassCode, AC_USB_MATCH_INTERFACE_SUBCLASS)
    set(\.interface_protocol, interface?.protocolCode, AC_USB_MATCH_INTERFACE_PROTOCOL)
    return result
  }
}

/// The C side of ``SensorDriver/deviceInfo``: the table of `device-info/1`.
enum DeviceInfoTable {
  @safe private static let table = unsafe Mutex<UnsafePointer<ac_device_info_extension_t>>(
    immortal(
      ac_device_info_extension_t(
        struct_size: UInt32(MemoryLayout<ac_device_info_extension_t>.size),
        get: { unsafe DeviceInfoTable.get($0, ret: $1) })))

  /// The table by its name, or nil for any other name.
  static func find(_ name: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
    guard let name = unsafe name, unsafe String(cString: name) == AC_DEVICE_INFO_EXTENSION else {
      return nil
    }
    return unsafe table.withLock { unsafe UnsafeRawPointer($0) }
  }

  private static func get(
    _ sensor: OpaquePointer?, ret: UnsafeMutablePointer<ac_device_info_t>?
  ) -> ac_status_t {
    guard let sensor = unsafe sensor, let ret = unsafe ret,
      unsafe Int(ret.pointee.struct_size) >= MemoryLayout<ac_device_info_t>.size
    else { return SensorFailure.Code.argument.rawValue }
    guard let info = unsafe SensorTable.openSensor(sensor).deviceInfo else {
      return SensorFailure.Code.unsupported.rawValue
    }
    unsafe ret.pointee.scan_type = scanType(info.scanType)
    unsafe ret.pointee.width_px = UInt32(clamping: info.width)
    unsafe ret.pointee.height_px = UInt32(clamping: info.height)
    unsafe ret.pointee.ppi = UInt32(clamping: info.pixelsPerInch)
    unsafe withUnsafeMutableBytes(of: &ret.pointee.serial) { unsafe store(info.serial, in: $0) }
    unsafe withUnsafeMutableBytes(of: &ret.pointee.firmware) { unsafe store(info.firmware, in: $0) }
    return ac_status_t(AC_OK)
  }

  static func scanType(_ type: SensorDescription.ScanType) -> ac_scan_type_t {
    ac_scan_type_t(type == .press ? AC_SCAN_PRESS : AC_SCAN_SWIPE)
  }

  private static func store(_ text: String, in field: UnsafeMutableRawBufferPointer) {
    let bytes = SingleLine.text(text).utf8.prefix(field.count - 1)
    for (index, byte) in bytes.enumerated() { unsafe field[index] = byte }
    unsafe field[bytes.count] = 0
  }
}
