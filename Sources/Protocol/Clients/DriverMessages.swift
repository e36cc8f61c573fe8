/// One `key=value` of `--driver`.
package struct DriverOption: Equatable, WireField {
  package let name: String
  /// A file option: its absolute path.
  package let value: String
  /// The opened file travels with the message, in the order of the options.
  package let hasDescriptor: Bool

  package init(name: String, value: String, hasDescriptor: Bool) {
    self.name = name
    self.value = value
    self.hasDescriptor = hasDescriptor
  }

  package func encode(into encoder: inout WireEncoder) { encoder.write(name, value, hasDescriptor) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (name, value, hasDescriptor) = try decoder.read()
  }
}

/// Requests of this connection use this driver from here on; it starts with the first one that
/// needs it and ends with the connection. Reply: ``Done``. Failures: `driverNotFound`,
/// `driverFailed`, `untrustedPlugin`, `refusedByService`.
package struct UseDriver: WireMessage, Equatable {
  package static var number: UInt8 { 5 }

  /// An absolute path, or a name to be looked up.
  package let driver: String
  package let options: [DriverOption]

  package init(driver: String, options: [DriverOption]) {
    self.driver = driver
    self.options = options
  }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(driver, options) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (driver, options) = try decoder.read()
  }
}
