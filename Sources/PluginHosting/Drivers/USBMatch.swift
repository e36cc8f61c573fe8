import Wire

extension SensorDescription {
  /// A USB device a driver handles: its numbers, and what has to fit besides (`ac_usb_match_t`).
  package struct USBMatch: Hashable, Sendable {
    /// The maker's number.
    package let vendor: UInt16
    /// The maker's number for the device.
    package let product: UInt16
    /// The values of bcdDevice; nil: any.
    package let releases: ClosedRange<UInt16>?
    /// What one of its interfaces is; nil: anything.
    package let interface: USBInterfacePattern?

    /// Describes a device.
    package init(
      vendor: UInt16, product: UInt16, releases: ClosedRange<UInt16>? = nil,
      interface: USBInterfacePattern? = nil
    ) {
      self.vendor = vendor
      self.product = product
      self.releases = releases
      self.interface = interface
    }

    /// As lsusb(8) writes it: `05ba:000a`.
    package var text: String { vendorText + ":" + productText }
    /// Four hexadecimal digits.
    package var vendorText: String { Self.hexadecimal(vendor) }
    /// Four hexadecimal digits.
    package var productText: String { Self.hexadecimal(product) }

    /// The numbers alone.
    package var model: USBMatch { USBMatch(vendor: vendor, product: product) }

    /// Whether it is this device. What nobody knows of a device is taken to fit; its driver looks again.
    package func accepts(_ device: USBPresence) -> Bool {
      guard model == device.match, releases?.contains(device.release) ?? true else { return false }
      guard let interface, let present = device.interfaces else { return true }
      return present.contains { interface.accepts($0) }
    }

    private static func hexadecimal(_ number: UInt16) -> String {
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}

/// What an interface has to be; nil: anything.
package struct USBInterfacePattern: Hashable, Sendable {
  /// bInterfaceNumber
  package let number: UInt8?
  /// bInterfaceClass
  package let classCode: UInt8?
  /// bInterfaceSubClass
  package let subclassCode: UInt8?
  /// bInterfaceProtocol
  package let protocolCode: UInt8?

  /// Describes an interface by the values that matter.
  package init(
    number: UInt8? = nil, classCode: UInt8? = nil, subclassCode: UInt8? = nil,
    protocolCode: UInt8? = nil
  ) {
    self.number = number
    self.classCode = classCode
    self.subclassCode = subclassCode
    self.protocolCode = protocolCode
  }

  func accepts(_ interface: USBInterface) -> Bool {
    (number ?? interface.number) == interface.number
      && (classCode ?? interface.classCode) == interface.classCode
      && (subclassCode ?? interface.subclassCode) == interface.subclassCode
      && (protocolCode ?? interface.protocolCode) == interface.protocolCode
  }
}

/// An interface of a device's active configuration (USB 2.0, section 9.6.5).
package struct USBInterface: Hashable, Sendable {
  /// bInterfaceNumber
  package let number: UInt8
  /// bInterfaceClass
  package let classCode: UInt8
  /// bInterfaceSubClass
  package let subclassCode: UInt8
  /// bInterfaceProtocol
  package let protocolCode: UInt8

  /// Describes an interface.
  package init(number: UInt8, classCode: UInt8, subclassCode: UInt8, protocolCode: UInt8) {
    self.number = number
    self.classCode = classCode
    self.subclassCode = subclassCode
    self.protocolCode = protocolCode
  }
}

extension SensorDescription.USBMatch {
  /// Writes the fields.
  func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt32(UInt32(vendor) << 16 | UInt32(product))
    encoder.writeOptional(releases) {
      $0.writeUInt32(UInt32($1.lowerBound) << 16 | UInt32($1.upperBound))
    }
    encoder.writeOptional(interface) { encoder, interface in
      for value in [
        interface.number, interface.classCode, interface.subclassCode, interface.protocolCode,
      ] { encoder.writeOptional(value) { $0.writeByte($1) } }
    }
  }

  /// Reads the fields.
  init(from decoder: inout WireDecoder) throws(DecodeError) {
    let numbers = try decoder.readUInt32()
    vendor = UInt16(numbers >> 16)
    product = UInt16(truncatingIfNeeded: numbers)
    releases = try decoder.readOptional { (decoder) throws(DecodeError) in
      let bounds = try decoder.readUInt32()
      let (first, last) = (UInt16(bounds >> 16), UInt16(truncatingIfNeeded: bounds))
      guard first <= last else { throw .invalidValue(field: "releases of a device") }
      return first...last
    }
    interface = try decoder.readOptional { (decoder) throws(DecodeError) in
      func value() throws(DecodeError) -> UInt8? {
        try decoder.readOptional { (decoder) throws(DecodeError) in try decoder.readByte() }
      }
      return try USBInterfacePattern(
        number: value(), classCode: value(), subclassCode: value(), protocolCode: value())
    }
  }
}
