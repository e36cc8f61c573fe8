extension DriverDescription.USBMatch {
  /// Describes a device.
  package init(
    vendor: UInt16, product: UInt16, releases: ClosedRange<UInt16>? = nil,
    interface: USBInterfacePattern? = nil
  ) {
    self.init(
      vendor: vendor, product: product, firstRelease: releases?.lowerBound,
      lastRelease: releases?.upperBound, interface: interface)
  }

  /// The values of bcdDevice; nil: any.
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
  /// Four hexadecimal digits.
  package var vendorText: String { Self.hexadecimal(vendor) }
  /// Four hexadecimal digits.
  package var productText: String { Self.hexadecimal(product) }

  /// The numbers alone.
  package var model: Self { Self(vendor: vendor, product: product) }

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

extension USBInterfacePattern {
  func accepts(_ interface: USBInterface) -> Bool {
    (number ?? interface.number) == interface.number
      && (classCode ?? interface.classCode) == interface.classCode
      && (subclassCode ?? interface.subclassCode) == interface.subclassCode
      && (protocolCode ?? interface.protocolCode) == interface.protocolCode
  }
}
