internal import CLibusb
internal import SensorKit
internal import USBCapture

/// The descriptors of a device (USB 2.0, section 9.6), as libusb has read them when it was opened.
struct DeviceDescriptors {
  /// The device descriptor as the device sends it.
  let device: [UInt8]
  /// The configuration that is active, with its interfaces and endpoints, as the device sends it;
  /// empty where there is none.
  let configuration: [UInt8]
  let info: USBDeviceInfo

  init(_ handle: OpaquePointer, _ source: TransportSource) throws(SensorFailure) {
    let library = unsafe libusb_get_device(handle)
    var descriptor = libusb_device_descriptor()
    try unsafe LibusbFailure.check(
      libusb_get_device_descriptor(library, &descriptor), "Reading the device's descriptor")
    device = unsafe withUnsafeBytes(of: &descriptor) { unsafe Array($0.prefix(18)) }
    var bytes: [UInt8] = []
    var configuration: UnsafeMutablePointer<libusb_config_descriptor>?
    if unsafe libusb_get_active_config_descriptor(library, &configuration) == 0,
      let found = unsafe configuration
    {
      bytes = unsafe Self.bytes(of: found.pointee)
      unsafe libusb_free_config_descriptor(found)
    }
    self.configuration = bytes
    // libusb cannot ask for the bus of a descriptor that it wraps.
    info = USBDeviceInfo(
      vendor: descriptor.idVendor, product: descriptor.idProduct, release: descriptor.bcdDevice,
      bus: source.bus != 0 ? source.bus : unsafe libusb_get_bus_number(library),
      address: source.address != 0 ? source.address : unsafe libusb_get_device_address(library),
      interfaces: ConfigurationDescriptor.interfaces(bytes))
  }

  /// A configuration, put together again from what libusb made of it.
  private static func bytes(of configuration: libusb_config_descriptor) -> [UInt8] {
    var bytes = unsafe array(configuration.extra, configuration.extra_length)
    for index in 0..<Int(unsafe configuration.bNumInterfaces) {
      let interface = unsafe configuration.interface[index]
      for index in 0..<Int(unsafe interface.num_altsetting) {
        bytes += unsafe self.bytes(of: interface.altsetting[index])
      }
    }
    let length = UInt16(clamping: 9 + bytes.count)
    return unsafe [
      9, 2, UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8),
      configuration.bNumInterfaces, configuration.bConfigurationValue,
      configuration.iConfiguration, configuration.bmAttributes, configuration.MaxPower,
    ] + bytes
  }

  private static func bytes(of setting: libusb_interface_descriptor) -> [UInt8] {
    var bytes: [UInt8] = unsafe [
      9, 4, setting.bInterfaceNumber, setting.bAlternateSetting, setting.bNumEndpoints,
      setting.bInterfaceClass, setting.bInterfaceSubClass, setting.bInterfaceProtocol,
      setting.iInterface,
    ]
    bytes += unsafe array(setting.extra, setting.extra_length)
    for index in 0..<Int(unsafe setting.bNumEndpoints) {
      let endpoint = unsafe setting.endpoint[index]
      bytes += unsafe [
        7, 5, endpoint.bEndpointAddress, endpoint.bmAttributes,
        UInt8(truncatingIfNeeded: endpoint.wMaxPacketSize),
        UInt8(truncatingIfNeeded: endpoint.wMaxPacketSize >> 8), endpoint.bInterval,
      ]
      bytes += unsafe array(endpoint.extra, endpoint.extra_length)
    }
    return bytes
  }

  private static func array(_ start: UnsafePointer<UInt8>?, _ count: Int32) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
  }
}
