/// What a driver's host tells the transport (`ac_transport_source_t` of usb.h).
package struct DeviceOpening: Equatable, WireField {
  /// Whether the descriptor of the device or recording comes first.
  package let hasDescriptor: Bool
  /// Whether the descriptor of the file for the traffic comes next.
  package let recordsTraffic: Bool
  /// Where a device is that the transport has to open itself.
  package let bus: UInt8
  /// Its address on the bus.
  package let address: UInt8
  /// In the transport's words.
  package let text: String

  /// Describes an opening.
  package init(
    hasDescriptor: Bool, recordsTraffic: Bool, bus: UInt8 = 0, address: UInt8 = 0,
    text: String = ""
  ) {
    self.hasDescriptor = hasDescriptor
    self.recordsTraffic = recordsTraffic
    self.bus = bus
    self.address = address
    self.text = text
  }

  /// How many descriptors travel with it.
  package var descriptorCount: Int { (hasDescriptor ? 1 : 0) + (recordsTraffic ? 1 : 0) }

  /// Room for the models of a driver with as many matches as there can be, "05ba:000a," each.
  private static let longestText = DriverDescription.maximumMatches * 10

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(hasDescriptor, recordsTraffic, bus, address)
    encoder.writeText(text)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (hasDescriptor, recordsTraffic, bus, address) = try decoder.read()
    text = try decoder.readText(limit: Self.longestText)
  }
}
