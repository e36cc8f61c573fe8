import AuthcoreABI
import Glibc

/// The driver's tables and what it says about itself.
@safe
struct LayoutCheck {
  private let table: UnsafePointer<ac_sensor_driver_t>

  private static let longestText = 200
  private static let mostOptions: UInt32 = 64
  private static let mostMatches: UInt32 = 4096

  init(_ loaded: LoadedTestDriver) { unsafe table = loaded.table }

  func run() throws(CheckEnd) -> String? {
    unsafe try Self.size(
      table.pointee.struct_size, MemoryLayout<ac_sensor_driver_t>.size, "ac_sensor_driver_t")
    guard unsafe table.pointee.abi_version >> 16 == sensorABI >> 16 else {
      throw unsafe .failed(
        "its abi_version is \(table.pointee.abi_version >> 16).\(table.pointee.abi_version & 0xFFFF)",
        advice: "set abi_version to AC_SENSOR_ABI")
    }
    let functions: [(String, Bool)] = unsafe [
      ("open", table.pointee.open == nil), ("capture", table.pointee.capture == nil),
      ("interrupt", table.pointee.interrupt == nil), ("close", table.pointee.close == nil),
    ]
    for (name, isMissing) in functions where isMissing {
      throw .failed("its function \(name) is NULL", advice: "only extension may be NULL")
    }
    guard let description = unsafe table.pointee.description else {
      throw .failed("it has no description", advice: "the host reads it before it opens anything")
    }
    unsafe try check(description.pointee)
    return nil
  }

  private func check(_ facts: ac_sensor_description_t) throws(CheckEnd) {
    unsafe try Self.size(
      facts.struct_size,
      MemoryLayout<ac_sensor_description_t>.offset(of: \.usb_match_size) ?? 0,
      "ac_sensor_description_t")
    try unsafe checkElementSizes(facts)
    try unsafe Self.name(facts.name, "name")
    try unsafe Self.text(facts.full_name, "full_name", mayBeEmpty: false)
    try unsafe Self.text(facts.version, "version", mayBeEmpty: false)
    guard unsafe facts.scan_type == 0 || facts.scan_type == 1 else {
      throw unsafe .failed("its scan_type is \(facts.scan_type)", advice: "AC_SCAN_PRESS or _SWIPE")
    }
    guard unsafe facts.width_px <= 4096, unsafe facts.height_px <= 4096 else {
      throw unsafe .failed("its frames are \(facts.width_px) × \(facts.height_px) pixels")
    }
    guard unsafe facts.ppi == 0 || 100...2000 ~= facts.ppi else {
      throw unsafe .failed("its ppi is \(facts.ppi)", advice: "100 to 2000, or 0 where it varies")
    }
    guard unsafe facts.flags & ~15 == 0 else {
      throw unsafe .failed("its flags are \(facts.flags)", advice: "only AC_SENSOR_… are known")
    }
    guard unsafe facts.usb_match_count <= Self.mostMatches,
      unsafe facts.option_count <= Self.mostOptions
    else {
      throw .failed("it has more than \(Self.mostMatches) devices or \(Self.mostOptions) options")
    }
    guard unsafe facts.usb_match_count == 0 || facts.usb_matches != nil,
      unsafe facts.option_count == 0 || facts.options != nil
    else { throw .failed("a list of the description is NULL and has a count") }
    try unsafe checkOptions(facts)
  }

  /// Since 1.1 a driver says how large the elements of its arrays are.
  private func checkElementSizes(_ facts: ac_sensor_description_t) throws(CheckEnd) {
    guard unsafe facts.struct_size >= MemoryLayout<ac_sensor_description_t>.size else { return }
    for (said, known, name) in unsafe [
      (facts.usb_match_size, MemoryLayout<ac_usb_match_t>.size, "usb_match"),
      (
        facts.option_description_size, MemoryLayout<ac_option_description_t>.size,
        "option_description"
      ),
    ] where said != 0 && said < known {
      throw .failed(
        "\(name)_size is \(said); in version 1.1 an element has \(known) bytes",
        advice: "set it to sizeof(ac_\(name)_t)")
    }
  }

  private func checkOptions(_ facts: ac_sensor_description_t) throws(CheckEnd) {
    var names: Set<String> = []
    for index in 0..<Int(unsafe facts.option_count) {
      let option = unsafe facts.options[index]
      try unsafe Self.name(option.name, "the name of option \(index)")
      try unsafe Self.text(option.summary, "the summary of option \(index)", mayBeEmpty: false)
      guard unsafe 0...2 ~= option.kind else {
        throw unsafe .failed("the kind of option \(index) is \(option.kind)")
      }
      let name = unsafe String(cString: option.name)
      guard names.insert(name).inserted else {
        throw .failed("the option \(name) is described twice")
      }
    }
    guard let real = unsafe facts.real_option else { return }
    guard unsafe facts.flags & 1 != 0, unsafe names.contains(String(cString: real)) else {
      throw .failed(
        "real_option names no option, or the driver is not AC_SENSOR_SYNTHETIC",
        advice: "leave it NULL for a driver of real sensors")
    }
  }

  private static func size(_ said: UInt32, _ least: Int, _ name: String) throws(CheckEnd) {
    guard said >= least else {
      throw .failed(
        "the struct_size of its \(name) is \(said); in version 1.0 it has \(least) bytes",
        advice: "set struct_size to sizeof(\(name))")
    }
  }

  private static func name(_ pointer: UnsafePointer<CChar>?, _ field: String) throws(CheckEnd) {
    try unsafe text(pointer, field, mayBeEmpty: false)
    guard let pointer = unsafe pointer else { return }
    let text = unsafe String(cString: pointer)
    guard text.utf8.count <= 64,
      text.utf8.allSatisfy({ 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D })
    else {
      throw .failed(
        "\(field) is \u{201C}\(text)\u{201D}", advice: "up to 64 of lower case, digits and '-'")
    }
  }

  private static func text(
    _ pointer: UnsafePointer<CChar>?, _ field: String, mayBeEmpty: Bool
  ) throws(CheckEnd) {
    guard let pointer = unsafe pointer else { throw .failed("\(field) is NULL") }
    let length = unsafe strnlen(pointer, longestText + 1)
    guard length <= longestText, length > 0 || mayBeEmpty else {
      throw .failed("\(field) is empty or longer than \(longestText) bytes")
    }
    let bytes = unsafe UnsafeBufferPointer(start: pointer, count: length).map {
      UInt8(bitPattern: $0)
    }
    guard String(validating: bytes, as: UTF8.self) != nil,
      bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { throw .failed("\(field) is no UTF-8 text of one line") }
  }
}
