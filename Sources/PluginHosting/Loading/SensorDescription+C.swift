import AuthcoreABI
import Wire

/// Copies a driver's description out of its memory. Pointers cannot be checked, which is why this runs in a host; counts, texts and
/// values are.
extension SensorDescription {
  /// - Parameters:
  ///   - source: what the driver's table points to.
  ///   - abiVersion: the version the driver was built for.
  ///   - path: of its file, for the messages.
  /// - Throws: `driverFailed` naming the file and the field.
  @unsafe init(
    copying source: UnsafePointer<ac_sensor_description_t>, abiVersion: UInt32, path: String
  ) throws(Failure) {
    unsafe try PluginABI.check(
      structSize: source.pointee.struct_size, atLeast: MemoryLayout<ac_sensor_description_t>.size,
      "ac_sensor_description_t", of: path, code: .driverFailed)
    let source = unsafe source.pointee
    self.abiVersion = abiVersion
    name = try unsafe Self.name(source.name, "name", path)
    fullName = try unsafe Self.text(source.full_name, "full_name", path)
    version = try unsafe Self.text(source.version, "version", path)
    usbMatches = try unsafe Self.array(
      source.usb_matches, source.usb_match_count, Self.maximumMatches, "usb_matches", path
    ).map { USBMatch(vendor: $0.vendor_id, product: $0.product_id) }
    guard let scanType = ScanType(rawValue: unsafe source.scan_type) else {
      throw unsafe Self.objection(path, "scan_type is \(source.scan_type)")
    }
    self.scanType = scanType
    width = unsafe source.width_px
    height = unsafe source.height_px
    pixelsPerInch = unsafe source.ppi
    guard width <= SensorFrame.maximumSide, height <= SensorFrame.maximumSide else {
      throw Self.objection(
        path,
        "its frames are \(width) by \(height) pixels; at most \(SensorFrame.maximumSide) a side")
    }
    guard pixelsPerInch == 0 || 100...2000 ~= pixelsPerInch else {
      throw Self.objection(path, "ppi is \(pixelsPerInch), not 100 to 2000 or 0")
    }
    flags = unsafe Flags(rawValue: source.flags).intersection(.known)
    options = try unsafe Self.array(
      source.options, source.option_count, Self.maximumOptions, "options", path
    ).map { (option) throws(Failure) in unsafe try Self.option(option, path) }
    realOption =
      unsafe source.real_option == nil
      ? nil : try unsafe Self.name(source.real_option, "real_option", path)
  }

  private static let longestText = 200

  private static func objection(_ path: String, _ reason: String) -> Failure {
    Failure(
      .driverFailed, "Cannot use \(path): its description does not hold: \(reason)",
      hint: "the driver's author can find the rules in include/authcore/sensor.h")
  }

  private static func name(
    _ pointer: UnsafePointer<CChar>?, _ field: String, _ path: String
  ) throws(Failure) -> String {
    guard let text = unsafe PluginABI.text(pointer, limit: 65), isName(text) else {
      throw objection(path, "\(field) is not 1 to 64 of a-z, 0-9 and -")
    }
    return text
  }

  private static func option(
    _ source: ac_option_description_t, _ path: String
  ) throws(Failure) -> Option {
    guard let kind = SensorOption.Kind(rawValue: unsafe source.kind) else {
      throw unsafe Self.objection(path, "the kind of an option is \(source.kind)")
    }
    let name = try unsafe Self.name(source.name, "the name of an option", path)
    let summary = unsafe PluginABI.text(source.summary, limit: Self.longestText) ?? ""
    return Option(name: name, kind: kind, summary: summary)
  }

  private static func text(
    _ pointer: UnsafePointer<CChar>?, _ field: String, _ path: String
  ) throws(Failure) -> String {
    guard let text = unsafe PluginABI.text(pointer, limit: longestText), !text.isEmpty else {
      throw objection(path, "\(field) is missing")
    }
    return text
  }

  private static func array<Element>(
    _ pointer: UnsafePointer<Element>?, _ count: UInt32, _ limit: Int, _ field: String,
    _ path: String
  ) throws(Failure) -> [Element] {
    guard count > 0 else { return [] }
    guard count <= limit else { throw objection(path, "\(count) \(field); at most \(limit)") }
    guard let pointer = unsafe pointer else { throw objection(path, "\(field) is NULL") }
    return unsafe Array(UnsafeBufferPointer(start: pointer, count: Int(count)))
  }
}
