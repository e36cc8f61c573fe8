import AuthcoreABI
import Protocol

/// Copies a driver's description out of its memory. Pointers cannot be checked, so this runs in a
/// host; counts, texts and values are checked.
extension DriverDescription {
  /// - Parameters:
  ///   - source: what the driver's table points to.
  ///   - abiVersion: the version that the driver was built for.
  ///   - path: of its file, for the messages.
  /// - Throws: `driverFailed` naming the file and the field.
  @unsafe init(
    copying source: UnsafePointer<ac_sensor_description_t>, abiVersion: UInt32, path: String
  ) throws(Failure) {
    let sizes = try unsafe ElementSizes(of: source, abiVersion: abiVersion, path: path)
    let source = unsafe source.pointee
    let name = try unsafe Self.name(source.name, "name", path)
    let fullName = try unsafe Self.text(source.full_name, "full_name", path)
    let version = try unsafe Self.text(source.version, "version", path)
    var usbMatches: [USBMatch] = []
    for match in try unsafe Self.array(
      source.usb_matches, source.usb_match_count, size: sizes.usbMatch, ac_usb_match_t(),
      Self.maximumMatches, "usb_matches", path)
    {
      if let match = try USBMatch(match, path) { usbMatches.append(match) }
    }
    guard let scanType = ScanType(rawValue: unsafe source.scan_type) else {
      throw unsafe Self.objection(path, "scan_type is \(source.scan_type)")
    }
    let (width, height, pixelsPerInch) = unsafe (source.width_px, source.height_px, source.ppi)
    if let reason = Self.objection(toFrames: width, height, pixelsPerInch: pixelsPerInch) {
      throw Self.objection(path, reason)
    }
    let options = try unsafe Self.array(
      source.options, source.option_count, size: sizes.option, ac_option_description_t(),
      Self.maximumOptions, "options", path
    ).map { (option) throws(Failure) in unsafe try Self.option(option, path) }
    let realOption =
      unsafe source.real_option == nil
      ? nil : try unsafe Self.name(source.real_option, "real_option", path)
    self.init(
      abiVersion: abiVersion, name: name, fullName: fullName, version: version,
      usbMatches: usbMatches, scanType: scanType, width: width, height: height,
      pixelsPerInch: pixelsPerInch,
      flags: unsafe Flags(rawValue: source.flags),
      options: options, realOption: realOption)
  }

  private static let longestText = 200

  /// Why frames cannot be of this size and resolution; nil if they can.
  static func objection(
    toFrames width: UInt32, _ height: UInt32, pixelsPerInch: UInt32
  ) -> String? {
    let most = SensorFrame.maximumSide
    guard width <= most, height <= most else {
      return "its frames are \(width) by \(height) pixels; at most \(most) a side"
    }
    return isPossible(pixelsPerInch: pixelsPerInch)
      ? nil : "ppi is \(pixelsPerInch), not 100 to 2000 or 0"
  }

  fileprivate static func objection(_ path: String, _ reason: String) -> Failure {
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

  /// Copies elements that are `size` bytes apart: of a longer one what this version knows, of a
  /// shorter one what it has; the rest is 0.
  private static func array<Element>(
    _ pointer: UnsafePointer<Element>?, _ count: UInt32, size: Int, _ empty: Element,
    _ limit: Int, _ field: String, _ path: String
  ) throws(Failure) -> [Element] {
    guard count > 0 else { return [] }
    guard count <= limit else { throw objection(path, "\(count) \(field); at most \(limit)") }
    guard let pointer = unsafe pointer else { throw objection(path, "\(field) is NULL") }
    return (0..<Int(count)).map { index in
      var element = empty
      unsafe withUnsafeMutableBytes(of: &element) { bytes in
        let start = unsafe UnsafeRawPointer(pointer).advanced(by: index * size)
        unsafe bytes.copyMemory(
          from: UnsafeRawBufferPointer(start: start, count: min(size, bytes.count)))
      }
      return element
    }
  }
}

/// The distance between the elements of a description's arrays.
private struct ElementSizes {
  let usbMatch: Int
  let option: Int

  /// The size in version 1.0, and the largest that is accepted.
  private static let firstUSBMatch = MemoryLayout<ac_usb_match_t>.offset(of: \.flags) ?? 0
  private static let largest: UInt32 = 1024

  /// - Throws: `driverFailed` if the description is too short or impossible.
  @unsafe init(
    of source: UnsafePointer<ac_sensor_description_t>, abiVersion: UInt32, path: String
  ) throws(Failure) {
    let structSize = unsafe source.pointee.struct_size
    let first = unsafe MemoryLayout<ac_sensor_description_t>.offset(of: \.usb_match_size) ?? 0
    try PluginABI.check(
      structSize: structSize, atLeast: first, "ac_sensor_description_t", of: path,
      code: .driverFailed)
    func size(_ said: UInt32, _ name: String, first: Int, known: Int) throws(Failure) -> Int {
      guard said > 0 else {
        guard abiVersion <= PluginABI.sensor else {
          throw DriverDescription.objection(path, "\(name) is 0")
        }
        return abiVersion == 1 << 16 ? first : known
      }
      guard said >= first, said <= Self.largest else {
        throw DriverDescription.objection(
          path, "\(name) is \(said), not \(first) to \(Self.largest)")
      }
      return Int(said)
    }
    let options = unsafe MemoryLayout<ac_option_description_t>.size
    guard unsafe structSize >= MemoryLayout<ac_sensor_description_t>.size else {
      (usbMatch, option) = (Self.firstUSBMatch, options)
      return
    }
    usbMatch = try size(
      unsafe source.pointee.usb_match_size, "usb_match_size", first: Self.firstUSBMatch,
      known: MemoryLayout<ac_usb_match_t>.size)
    option = try size(
      unsafe source.pointee.option_description_size, "option_description_size", first: options,
      known: options)
  }
}

extension DriverDescription.USBMatch {
  /// nil for a condition of a later version, without which the driver would get devices that are
  /// not its own.
  /// - Throws: `driverFailed` for impossible releases.
  fileprivate init?(_ source: ac_usb_match_t, _ path: String) throws(Failure) {
    func has(_ flag: Int) -> Bool { source.flags & UInt16(flag) != 0 }
    let known =
      AC_USB_MATCH_RELEASE | AC_USB_MATCH_INTERFACE_NUMBER | AC_USB_MATCH_INTERFACE_CLASS
      | AC_USB_MATCH_INTERFACE_SUBCLASS | AC_USB_MATCH_INTERFACE_PROTOCOL
    guard source.flags & ~UInt16(known) == 0 else { return nil }
    var releases: ClosedRange<UInt16>?
    if has(AC_USB_MATCH_RELEASE) {
      guard source.bcd_device_first <= source.bcd_device_last else {
        throw DriverDescription.objection(
          path, "a USB match has bcd_device_first beyond bcd_device_last")
      }
      releases = source.bcd_device_first...source.bcd_device_last
    }
    let asksForInterface = source.flags & ~UInt16(AC_USB_MATCH_RELEASE) != 0
    self.init(
      vendor: source.vendor_id, product: source.product_id, releases: releases,
      interface: asksForInterface
        ? USBInterfacePattern(
          number: has(AC_USB_MATCH_INTERFACE_NUMBER) ? source.interface_number : nil,
          classCode: has(AC_USB_MATCH_INTERFACE_CLASS) ? source.interface_class : nil,
          subclassCode: has(AC_USB_MATCH_INTERFACE_SUBCLASS) ? source.interface_subclass : nil,
          protocolCode: has(AC_USB_MATCH_INTERFACE_PROTOCOL) ? source.interface_protocol : nil)
        : nil)
  }
}
