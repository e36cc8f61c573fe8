internal import AuthcoreABI
internal import Glibc

extension SensorTable {
  /// Copies the facts to C memory that is never freed; see ``make(_:)``.
  @unsafe static func describe(_ facts: SensorDescription)
    -> UnsafePointer<ac_sensor_description_t>
  {
    let matches = unsafe immortal(
      facts.usbMatches.map { ac_usb_match_t(vendor_id: $0.vendor, product_id: $0.product) })
    let options = unsafe immortal(
      facts.options.map { option in
        unsafe ac_option_description_t(
          name: immortal(option.name), kind: kind(option.kind), summary: immortal(option.summary))
      })
    return unsafe immortal(
      ac_sensor_description_t(
        struct_size: UInt32(MemoryLayout<ac_sensor_description_t>.size),
        name: immortal(facts.name), full_name: immortal(facts.fullName),
        version: immortal(facts.version), usb_matches: matches,
        usb_match_count: UInt32(facts.usbMatches.count),
        scan_type: ac_scan_type_t(facts.scanType == .press ? AC_SCAN_PRESS : AC_SCAN_SWIPE),
        width_px: facts.width, height_px: facts.height, ppi: facts.pixelsPerInch,
        flags: facts.traits.rawValue, options: options, option_count: UInt32(facts.options.count),
        real_option: facts.realOption.map { unsafe immortal($0) } ?? nil))
  }

  private static func kind(_ kind: SensorDescription.Option.Kind) -> ac_option_kind_t {
    switch kind {
    case .text: ac_option_kind_t(AC_OPTION_TEXT)
    case .number: ac_option_kind_t(AC_OPTION_NUMBER)
    case .file: ac_option_kind_t(AC_OPTION_FILE)
    }
  }
}
