extension DriverDescription {
  /// What a host has to know before it runs the driver (`AC_SENSOR_…`). Bits of later versions are
  /// dropped.
  package struct Flags: OptionSet, Sendable, WireField {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue & 15 }
    /// Its frames do not come from real fingers.
    package static let synthetic = Flags(rawValue: 1)
    /// It opens files for reading while it runs.
    package static let readsFiles = Flags(rawValue: 2)
    /// It uses a library that opens devices itself.
    package static let opensDevices = Flags(rawValue: 4)
    /// Its sensors compare prints themselves and deliver no frames.
    package static let matchesOnChip = Flags(rawValue: 8)
  }

  package static let maximumOptions = 64
  /// The most bytes of a text for people.
  static let longestText = 256
  package static let maximumMatches = 4096

  /// Whether its frames are not of real fingers if it is given options of these names.
  package func isSynthetic(withOptions names: [String]) -> Bool {
    guard flags.contains(.synthetic) else { return false }
    return !names.contains { $0 == realOption }
  }

  /// Whether frames may have this resolution; 0 means that it varies.
  package static func isPossible(pixelsPerInch: UInt32) -> Bool {
    pixelsPerInch == 0 || 100...2000 ~= pixelsPerInch
  }

  /// Whether a text can name a driver or an option: 1…64 lower-case letters, digits and '-'.
  package static func isName(_ text: String) -> Bool {
    1...64 ~= text.utf8.count
      && text.utf8.allSatisfy {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || $0 == UInt8(ascii: "-")
      }
  }

  /// This comes from a process that ran a plugin, so everything is checked again.
  func check() throws(DecodeError) {
    for name in [name] + options.map(\.name) + [realOption].compactMap(\.self) {
      guard Self.isName(name) else { throw .invalidValue(field: "name") }
    }
    try Self.requirePossible(width: width, height: height, pixelsPerInch)
  }

  /// Checks the shape of a frame; 0 means that a value varies.
  static func requirePossible(
    width: UInt32, height: UInt32, _ pixelsPerInch: UInt32
  ) throws(DecodeError) {
    guard width <= SensorFrame.maximumSide, height <= SensorFrame.maximumSide,
      isPossible(pixelsPerInch: pixelsPerInch)
    else { throw .invalidValue(field: "frame size") }
  }
}

extension DriverDescription.USBMatch {
  package init(
    vendor: UInt16, product: UInt16, releases: ClosedRange<UInt16>? = nil,
    interface: USBInterfacePattern? = nil
  ) {
    self.init(
      vendor: vendor, product: product, firstRelease: releases?.lowerBound,
      lastRelease: releases?.upperBound, interface: interface)
  }

  /// The values of bcdDevice, or nil for any.
  package var releases: ClosedRange<UInt16>? {
    if let firstRelease, let lastRelease { firstRelease...lastRelease } else { nil }
  }

  func check() throws(DecodeError) {
    switch (firstRelease, lastRelease) {
    case (nil, nil): break
    case (let first?, let last?) where first <= last: break
    default: throw .invalidValue(field: "releases of a device")
    }
  }

  /// As lsusb(8) writes it: `05ba:000a`.
  package var text: String { vendorText + ":" + productText }
  package var vendorText: String { vendor.digits(4, radix: 16) }
  package var productText: String { product.digits(4, radix: 16) }

  package var model: Self { Self(vendor: vendor, product: product) }

  /// Whether this matches a device. Unknown properties match; the driver looks again.
  package func accepts(_ device: USBPresence) -> Bool {
    guard model == device.match, releases?.contains(device.release) ?? true else { return false }
    guard let interface, let present = device.interfaces else { return true }
    return present.contains { interface.accepts($0) }
  }
}

extension USBInterfacePattern {
  func accepts(_ interface: USBInterface) -> Bool {
    (number ?? interface.number) == interface.number
      && (classCode ?? interface.classCode) == interface.classCode
      && (subclassCode ?? interface.subclassCode) == interface.subclassCode
      && (protocolCode ?? interface.protocolCode) == interface.protocolCode
  }
}

extension USBPresence {
  /// `AC_USB_MAX_INTERFACES`
  package static let maximumInterfaces = 32

  package init(
    match: DriverDescription.USBMatch, release: UInt16 = 0, bus: UInt8, address: UInt8,
    place: Place = .unknown, port: String = "", interfaces: [USBInterface]? = nil
  ) {
    self.init(
      vendor: match.vendor, product: match.product, release: release, bus: bus, address: address,
      place: place, port: port, interfaces: interfaces)
  }

  /// idVendor and idProduct
  package var match: DriverDescription.USBMatch {
    DriverDescription.USBMatch(vendor: vendor, product: product)
  }

  /// "05ba:000a at 1-2", for people.
  package var text: String {
    match.text + " at " + (port.isEmpty ? "\(bus):\(address)" : port)
  }

  /// The device's node, "/dev/bus/usb/001/004" (Linux, Documentation/driver-api/usb).
  package var node: String { "/dev/bus/usb/\(bus.digits(3))/\(address.digits(3))" }
}

extension UnsignedInteger {
  /// The digits, padded with zeros to `count`.
  package func digits(_ count: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: count - digits.count) + digits
  }
}
