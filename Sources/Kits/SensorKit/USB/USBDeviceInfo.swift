/// The descriptor of a USB device, as far as a driver needs it.
public struct USBDeviceInfo: Hashable, Sendable {
  /// idVendor
  public let vendor: UInt16
  /// idProduct
  public let product: UInt16
  /// bcdDevice, the device's release
  public let release: UInt16
  /// The bus it is on; 0 where there is none.
  public let bus: UInt8
  /// Its address on the bus; 0 where there is none.
  public let address: UInt8
  /// Its interfaces.
  public let interfaces: [USBInterfaceInfo]

  /// Describes a device.
  public init(
    vendor: UInt16, product: UInt16, release: UInt16, bus: UInt8 = 0, address: UInt8 = 0,
    interfaces: [USBInterfaceInfo]
  ) {
    self.vendor = vendor
    self.product = product
    self.release = release
    self.bus = bus
    self.address = address
    self.interfaces = interfaces
  }
}

/// An interface of a USB device.
public struct USBInterfaceInfo: Hashable, Sendable {
  /// bInterfaceNumber
  public let number: UInt8
  /// bInterfaceClass
  public let classCode: UInt8
  /// bInterfaceSubClass
  public let subclassCode: UInt8
  /// bInterfaceProtocol
  public let protocolCode: UInt8
  /// The addresses of its endpoints, at most 30.
  public let endpoints: [UInt8]

  /// Describes an interface.
  public init(
    number: UInt8, classCode: UInt8, subclassCode: UInt8, protocolCode: UInt8, endpoints: [UInt8]
  ) {
    self.number = number
    self.classCode = classCode
    self.subclassCode = subclassCode
    self.protocolCode = protocolCode
    self.endpoints = endpoints
  }
}
