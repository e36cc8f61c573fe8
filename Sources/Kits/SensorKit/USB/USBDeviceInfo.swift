internal import AuthcoreABI

/// The part of a USB device's descriptor that drivers need.
public struct USBDeviceInfo: Hashable, Sendable {
  /// idVendor
  public let vendor: UInt16
  /// idProduct
  public let product: UInt16
  /// bcdDevice
  public let release: UInt16
  /// 0 if unknown.
  public let bus: UInt8
  /// 0 if unknown.
  public let address: UInt8
  public let interfaces: [USBInterfaceInfo]

  public init(
    vendor: UInt16, product: UInt16, release: UInt16, bus: UInt8 = 0, address: UInt8 = 0,
    interfaces: [USBInterfaceInfo]
  ) {
    (self.vendor, self.product, self.release) = (vendor, product, release)
    (self.bus, self.address, self.interfaces) = (bus, address, interfaces)
  }
}

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

  public init(
    number: UInt8, classCode: UInt8, subclassCode: UInt8, protocolCode: UInt8, endpoints: [UInt8]
  ) {
    (self.number, self.classCode, self.subclassCode) = (number, classCode, subclassCode)
    (self.protocolCode, self.endpoints) = (protocolCode, endpoints)
  }
}

extension USBDeviceInfo {
  /// Writes the C struct of usb.h, in the size that this module was built with.
  @unsafe func fill(_ ret: UnsafeMutablePointer<ac_usb_device_info_t>) {
    unsafe ret.pointee = ac_usb_device_info_t(
      struct_size: UInt32(MemoryLayout<ac_usb_device_info_t>.size), vendor_id: vendor,
      product_id: product, bcd_device: release, bus: bus, address: address,
      interface_count: UInt8(clamping: interfaces.count))
  }

  /// Reads the descriptors of a device and its interfaces, each by a call of a C table.
  @unsafe init(
    device: (UnsafeMutablePointer<ac_usb_device_info_t>) throws(SensorFailure) -> Void,
    interface: (UInt8, UnsafeMutablePointer<ac_usb_interface_info_t>) throws(SensorFailure) -> Void
  ) throws(SensorFailure) {
    var info = ac_usb_device_info_t()
    info.struct_size = UInt32(MemoryLayout<ac_usb_device_info_t>.size)
    try unsafe device(&info)
    var interfaces: [USBInterfaceInfo] = []
    for index in 0..<info.interface_count {
      var described = ac_usb_interface_info_t()
      described.struct_size = UInt32(MemoryLayout<ac_usb_interface_info_t>.size)
      try unsafe interface(index, &described)
      interfaces.append(USBInterfaceInfo(described))
    }
    self.init(
      vendor: info.vendor_id, product: info.product_id, release: info.bcd_device, bus: info.bus,
      address: info.address, interfaces: interfaces)
  }
}

extension USBInterfaceInfo {
  /// Reads the C struct of usb.h.
  init(_ info: ac_usb_interface_info_t) {
    let addresses = unsafe withUnsafeBytes(of: info.endpoints) { unsafe Array($0) }
    self.init(
      number: info.number, classCode: info.class_code, subclassCode: info.subclass_code,
      protocolCode: info.protocol_code,
      endpoints: Array(addresses.prefix(Int(info.endpoint_count))))
  }

  @unsafe func fill(_ ret: UnsafeMutablePointer<ac_usb_interface_info_t>) {
    var info = ac_usb_interface_info_t()
    info.struct_size = UInt32(MemoryLayout<ac_usb_interface_info_t>.size)
    info.number = number
    info.class_code = classCode
    info.subclass_code = subclassCode
    info.protocol_code = protocolCode
    info.endpoint_count = UInt8(clamping: min(endpoints.count, 30))
    unsafe withUnsafeMutableBytes(of: &info.endpoints) { addresses in
      for (position, address) in zip(addresses.indices, endpoints) {
        unsafe addresses[position] = address
      }
    }
    unsafe ret.pointee = info
  }
}
