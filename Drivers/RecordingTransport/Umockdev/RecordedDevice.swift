internal import SensorKit
internal import USBCapture

/// What a capture tells of one device.
struct RecordedDevice {
  let bus: UInt16
  let address: UInt8
  /// The longest answer of each kind.
  private var deviceDescriptor: OrderedBytes?
  private var configuration: [UInt8] = []
  /// Descriptors that were asked for, by the identifier of the transfer.
  private var requests: [UInt64: USBSetup] = [:]
  /// Whether the host sent it vendor requests or data.
  private(set) var isWritten = false
  /// Whether the host read more than descriptors.
  private(set) var isRead = false

  init(bus: UInt16, address: UInt8) {
    (self.bus, self.address) = (bus, address)
  }

  /// Whether there is more than the requests of every device and of a hub.
  var hasTraffic: Bool { isWritten || isRead }

  var model: RecordedModel? {
    guard let descriptor = deviceDescriptor, let vendor = descriptor.uint16(at: 8),
      let product = descriptor.uint16(at: 10), let release = descriptor.uint16(at: 12)
    else { return nil }
    return RecordedModel(vendor: vendor, product: product, release: release)
  }

  mutating func see(_ packet: UsbmonPacket) {
    switch (packet.event, packet.kind) {
    case (.submission, .control):
      guard let setup = packet.setup else { return }
      if setup.type == 0x80, setup.request == 6 { requests[packet.identifier] = setup }
      // Class requests are a hub's, and those of keyboards and the like.
      if setup.type & 0x60 == 0x40 { isWritten = true }
    case (.submission, _):
      if packet.isRead { isRead = true } else { isWritten = true }
    case (.completion, .control):
      guard let setup = requests.removeValue(forKey: packet.identifier) else { return }
      switch setup.value >> 8 {
      case 1 where packet.data.count >= 18:
        deviceDescriptor = OrderedBytes(packet.data[...], .little)
      case 2 where packet.data.count > configuration.count: configuration = packet.data
      default: break
      }
    default: break
    }
  }

  /// The descriptor of the device; what was not recorded is taken from the choice and from the
  /// transfers.
  func info(_ choice: DeviceChoice, transfers: [USBTransfer]) -> USBDeviceInfo {
    let model = model ?? choice.onlyModel ?? RecordedModel(vendor: 0, product: 0)
    let interfaces = ConfigurationDescriptor.interfaces(configuration)
    return USBDeviceInfo(
      vendor: model.vendor, product: model.product, release: model.release,
      bus: UInt8(clamping: bus), address: address,
      interfaces: interfaces.isEmpty ? [USBInterfaceInfo(usedBy: transfers)] : interfaces)
  }

  /// "1.44 (08ff:2580)"
  var name: String {
    "\(bus).\(address)"
      + (model.map { " (\($0.name))" } ?? "")
  }
}

extension USBInterfaceInfo {
  /// An interface of which nothing is known but the endpoints that were used.
  init(usedBy transfers: [USBTransfer]) {
    let addresses = transfers.compactMap { transfer in
      switch transfer {
      case .control: UInt8?.none
      case .read(let endpoint, _), .write(let endpoint, _): endpoint.address
      }
    }
    self.init(
      number: 0, classCode: 0xFF, subclassCode: 0xFF, protocolCode: 0xFF,
      endpoints: Array(Set(addresses).sorted().prefix(30)))
  }
}
