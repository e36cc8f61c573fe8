internal import CLibusb
internal import Glibc
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

/// Writes what a driver and its device say to each other as pcapng, for Wireshark, umockdev and the
/// recording transport.
///
/// A recording that cannot be written any more ends where it is; the driver's work goes on.
struct TrafficRecorder {
  private let descriptor: Int32
  private let bus: UInt16
  private let address: UInt8
  private let host: DriverServices
  private var begun: [UInt32: UsbmonPacket] = [:]
  private var nextIdentifier: UInt64 = 1
  private var hasFailed = false

  /// Begins a recording with the device's descriptors, so that a reader can tell what it is of.
  ///
  /// - Parameters:
  ///   - descriptor: Open for writing; stays the host's.
  ///   - descriptors: Those of the device.
  ///   - host: Hears when a recording cannot be written.
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

  /// A transfer begins; `identifier` is its own until it ends.
  mutating func begin(_ transfer: USBTransfer, as identifier: UInt32) {
    let packet = UsbmonPacket(
      submissionOf: transfer, identifier: nextIdentifier, bus: bus, address: address)
    nextIdentifier += 1
    begun[identifier] = packet
    write(packet)
  }

  /// A transfer ends; `status` is 0 or a negative `errno`.
  mutating func end(_ identifier: UInt32, status: Int32, count: Int, bytes: [UInt8]) {
    guard let packet = begun.removeValue(forKey: identifier) else { return }
    write(packet.completion(status: status, count: count, bytes: bytes))
  }

  /// The answer to GET_DESCRIPTOR (USB 2.0, section 9.4.3).
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
