extension USBPresence {
  /// `AC_USB_MAX_INTERFACES`
  package static let maximumInterfaces = 32

  /// Describes a device.
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
  package var node: String { "/dev/bus/usb/\(Self.padded(bus))/\(Self.padded(address))" }

  private static func padded(_ number: UInt8) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 3 - digits.count) + digits
  }
}
