extension DriverDescription {
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

    /// Whether it is this device. What nobody knows of a device is taken to fit; its driver looks
    /// again.
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

extension DriverDescription.USBMatch: WireField {
  package func encode(into encoder: inout WireEncoder) {
    encoder.write(vendor, product, releases?.lowerBound, releases?.upperBound, interface)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let (first, last): (UInt16?, UInt16?)
    (vendor, product, first, last, interface) = try decoder.read()
    switch (first, last) {
    case (let first?, let last?) where first <= last: releases = first...last
    case (nil, nil): releases = nil
    default: throw .invalidValue(field: "releases of a device")
    }
  }
}

extension USBInterfacePattern: WireField {
  package func encode(into encoder: inout WireEncoder) {
    encoder.write(number, classCode, subclassCode, protocolCode)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (number, classCode, subclassCode, protocolCode) = try decoder.read()
  }
}

extension USBInterface: WireField {
  package func encode(into encoder: inout WireEncoder) {
    encoder.write(number, classCode, subclassCode, protocolCode)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (number, classCode, subclassCode, protocolCode) = try decoder.read()
  }
}
