package import Wire

/// A USB device that is connected, as the watcher of a transport reports it (`ac_usb_change_t` of usb.h).
package struct USBPresence: Hashable, Sendable {
  /// Whether a device can be taken away (`ac_usb_place_t`).
  package enum Place: Int32, Sendable {
    case unknown = 0
    case external = 1
    case builtIn = 2
  }

  /// idVendor and idProduct
  package let match: SensorDescription.USBMatch
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
  static let maximumInterfaces = 32

  /// Describes a device.
  package init(
    match: SensorDescription.USBMatch, release: UInt16 = 0, bus: UInt8, address: UInt8,
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

  /// Writes the fields.
  package func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt32(UInt32(match.vendor) << 16 | UInt32(match.product))
    encoder.writeUInt32(UInt32(release))
    encoder.writeByte(bus)
    encoder.writeByte(address)
    encoder.writeInt32(place.rawValue)
    encoder.writeText(port)
    encoder.writeOptional(interfaces) { encoder, interfaces in
      encoder.writeArray(interfaces) {
        $0.writeByte($1.number)
        $0.writeByte($1.classCode)
        $0.writeByte($1.subclassCode)
        $0.writeByte($1.protocolCode)
      }
    }
  }

  /// Reads the fields.
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let numbers = try decoder.readUInt32()
    match = SensorDescription.USBMatch(
      vendor: UInt16(numbers >> 16), product: UInt16(truncatingIfNeeded: numbers))
    release = UInt16(truncatingIfNeeded: try decoder.readUInt32())
    bus = try decoder.readByte()
    address = try decoder.readByte()
    guard let place = Place(rawValue: try decoder.readInt32()) else {
      throw .invalidValue(field: "place of a device")
    }
    self.place = place
    port = try decoder.readText(limit: 32)
    interfaces = try decoder.readOptional { (decoder) throws(DecodeError) in
      try decoder.readArray(limit: Self.maximumInterfaces, elementSize: 4) {
        (decoder) throws(DecodeError) in
        try USBInterface(
          number: decoder.readByte(), classCode: decoder.readByte(),
          subclassCode: decoder.readByte(), protocolCode: decoder.readByte())
      }
    }
  }
}
