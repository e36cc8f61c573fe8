/// A USB device that is connected, as the watcher of a transport reports it (`ac_usb_change_t` of
/// usb.h).
package struct USBPresence: Hashable, WireField {
  /// Whether a device can be taken away (`ac_usb_place_t`).
  package enum Place: Int32, WireField {
    case unknown = 0
    case external = 1
    case builtIn = 2
  }

  /// idVendor and idProduct
  package let match: DriverDescription.USBMatch
  /// bcdDevice
  package let release: UInt16
  /// The number of its bus.
  package let bus: UInt8
  /// Its number on the bus; another one each time it is plugged in.
  package let address: UInt8
  /// Whether it can be taken away.
  package let place: Place
  /// "1-2.3": where it is plugged in, the same each time; "" where unknown.
  package let port: String
  /// Of its active configuration; nil where nobody said.
  package let interfaces: [USBInterface]?

  /// `AC_USB_MAX_INTERFACES`
  package static let maximumInterfaces = 32

  /// Describes a device.
  package init(
    match: DriverDescription.USBMatch, release: UInt16 = 0, bus: UInt8, address: UInt8,
    place: Place = .unknown, port: String = "", interfaces: [USBInterface]? = nil
  ) {
    self.match = match
    self.release = release
    self.bus = bus
    self.address = address
    self.place = place
    self.port = port
    self.interfaces = interfaces
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

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(match.vendor, match.product, release, bus, address, place, port, interfaces)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let (vendor, product): (UInt16, UInt16) = try decoder.read()
    match = DriverDescription.USBMatch(vendor: vendor, product: product)
    (release, bus, address, place, port, interfaces) = try decoder.read()
    try decoder.require(port, atMost: 32)
    try decoder.require(interfaces ?? [], atMost: Self.maximumInterfaces)
  }
}
