internal import CLibusb
internal import Glibc
internal import SensorKit
internal import USBCapture

/// The descriptors of a device (USB 2.0, section 9.6), which libusb read when it was opened.
struct DeviceDescriptors {
  /// The device descriptor, as the device sends it.
  let device: [UInt8]
  /// The active configuration with its interfaces and endpoints, as the device sends it, or empty.
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
    // libusb does not know the bus of a descriptor that it wraps.
    info = USBDeviceInfo(
      vendor: descriptor.idVendor, product: descriptor.idProduct, release: descriptor.bcdDevice,
      bus: source.bus != 0 ? source.bus : unsafe libusb_get_bus_number(library),
      address: source.address != 0 ? source.address : unsafe libusb_get_device_address(library),
      interfaces: ConfigurationDescriptor.interfaces(bytes))
  }

  /// The bytes of a configuration, from what libusb made of it.
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

/// Records the traffic of a driver as pcapng, for Wireshark, umockdev and the recording transport.
/// If writing fails, the recording ends there, and the driver goes on.
struct TrafficRecorder {
  private let descriptor: Int32
  private let bus: UInt16
  private let address: UInt8
  private let host: DriverServices
  private var begun: [UInt32: UsbmonPacket] = [:]
  private var nextIdentifier: UInt64 = 1
  private var hasFailed = false

  /// Begins with the device's descriptors, which say what device it is. `descriptor` is open for
  /// writing and stays the host's.
  init(_ descriptor: Int32, of descriptors: DeviceDescriptors, host: DriverServices) {
    self.descriptor = descriptor
    bus = UInt16(descriptors.info.bus)
    address = descriptors.info.address
    self.host = host
    write(PcapngWriter.head(linkType: UsbmonPacket.linkType))
    record(descriptors.device, descriptor: 1)
    record(Array(descriptors.configuration.prefix(9)), descriptor: 2)
    record(descriptors.configuration, descriptor: 2)
  }

  mutating func begin(_ transfer: USBTransfer, as identifier: UInt32) {
    let packet = UsbmonPacket(
      submissionOf: transfer, identifier: nextIdentifier, bus: bus, address: address)
    nextIdentifier += 1
    begun[identifier] = packet
    write(packet)
  }

  /// `status` is 0 or a negative `errno`.
  mutating func end(_ identifier: UInt32, status: Int32, count: Int, bytes: [UInt8]) {
    guard let packet = begun.removeValue(forKey: identifier) else { return }
    write(packet.completion(status: status, count: count, bytes: bytes))
  }

  /// Records the answer to GET_DESCRIPTOR (USB 2.0, section 9.4.3).
  private mutating func record(_ bytes: [UInt8], descriptor type: UInt16) {
    guard !bytes.isEmpty else { return }
    let setup = USBSetup(
      type: 0x80, request: 6, value: type << 8, index: 0, length: UInt16(clamping: bytes.count))
    begin(.control(setup, data: []), as: 0)
    end(0, status: 0, count: bytes.count, bytes: bytes)
  }

  private mutating func write(_ packet: UsbmonPacket) {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    let microseconds = UInt64(max(0, time.tv_sec)) * 1_000_000 + UInt64(time.tv_nsec / 1000)
    write(PcapngWriter.packet(packet.encoded(at: microseconds), at: microseconds))
  }

  private mutating func write(_ bytes: [UInt8]) {
    var written = 0
    while written < bytes.count, !hasFailed {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      }
      if count > 0 {
        written += count
      } else if count == 0 || errno != EINTR {
        hasFailed = true
        host.log(.warning, "The traffic is no longer recorded: failure \(errno) of write")
      }
    }
  }
}
