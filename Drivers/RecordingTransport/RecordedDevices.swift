internal import SensorKit
internal import USBCapture

/// A model of device.
package struct RecordedModel: Equatable, Sendable {
  package let vendor: UInt16
  package let product: UInt16
  /// bcdDevice, for recordings that do not have it.
  package let release: UInt16

  package init(vendor: UInt16, product: UInt16, release: UInt16 = 0) {
    (self.vendor, self.product, self.release) = (vendor, product, release)
  }

  /// Reads "298d:1010" or "298d:1010:0001".
  init?(_ text: Substring) {
    let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { word in
      1...4 ~= word.utf8.count ? UInt16(word, radix: 16) : nil
    }
    guard 2...3 ~= numbers.count, let vendor = numbers[0], let product = numbers[1],
      let release = numbers.count == 3 ? numbers[2] : 0
    else { return nil }
    self.init(vendor: vendor, product: product, release: release)
  }

  /// "05ba:000a"
  var name: String { "\(vendor.hexadecimal):\(product.hexadecimal)" }
}

/// Selects a device of a recording that names no device, or several.
package enum DeviceChoice: Equatable, Sendable {
  case only
  case place(bus: UInt16, address: UInt8)
  /// The device of one of these models, at least one: those that a driver handles, or the one that
  /// a person named.
  case models([RecordedModel])

  /// Reads "", "1.44", or models between commas: "298d:1010", "298d:1010:0001,298d:1011".
  package init?(_ text: String) {
    let place = text.split(separator: ".", omittingEmptySubsequences: false)
    if text.isEmpty {
      self = .only
    } else if place.count == 2, let bus = UInt16(place[0]), let address = UInt8(place[1]) {
      self = .place(bus: bus, address: address)
    } else {
      var models: [RecordedModel] = []
      for word in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let model = RecordedModel(word) else { return nil }
        models.append(model)
      }
      self = .models(models)
    }
  }

  /// The model, if only one is possible.
  var onlyModel: RecordedModel? {
    if case .models(let models) = self, models.count == 1 { models[0] } else { nil }
  }
}

/// The devices of a capture, which is of a whole bus.
struct RecordedDevices {
  private var devices: [RecordedDevice] = []

  init(_ packets: [UsbmonPacket]) {
    for packet in packets {
      // A device without an address answers at 0.
      guard packet.address != 0 else { continue }
      let index =
        devices.firstIndex { $0.bus == packet.bus && $0.address == packet.address }
        ?? devices.endIndex
      if index == devices.endIndex {
        // More than any machine has.
        guard devices.count < 1024 else { continue }
        devices.append(RecordedDevice(bus: packet.bus, address: packet.address))
      }
      devices[index].see(packet)
    }
  }

  /// Finds the selected device. Its model must be known.
  func choose(_ choice: DeviceChoice) throws(RecordingError) -> RecordedDevice {
    let device = try find(choice)
    guard device.model != nil || choice.onlyModel != nil else {
      throw RecordingError(
        place: .wholeFile,
        reason:
          "the descriptor of the device at \(device.name) was not recorded; name its model behind the file, as in FILE:298d:1010"
      )
    }
    return device
  }

  private func find(_ choice: DeviceChoice) throws(RecordingError) -> RecordedDevice {
    switch choice {
    case .only:
      return try only(used(devices), of: "devices with traffic of their own")
    case .place(let bus, let address):
      return try only(
        devices.filter { $0.bus == bus && $0.address == address },
        of: "devices at \(bus).\(address)")
    case .models(let models):
      let same = devices.filter { device in
        models.contains { $0.vendor == device.model?.vendor && $0.product == device.model?.product }
      }
      // A capture that began after the device was plugged in has no descriptors.
      let possible = same.isEmpty ? used(devices.filter { $0.model == nil }) : same
      // If several are alike, the one that was used.
      let meant = possible.count > 1 ? used(possible) : possible
      let names = models.prefix(4).map(\.name).joined(separator: ", ")
      return try only(meant, of: "devices \(names)" + (models.count > 4 ? ", …" : ""))
    }
  }

  /// The devices that a program used. It wrote to them, if possible: a pending read alone can be
  /// that of a Bluetooth adapter or a mouse.
  private func used(_ devices: [RecordedDevice]) -> [RecordedDevice] {
    let written = devices.filter { $0.isWritten }
    return written.isEmpty ? devices.filter { $0.hasTraffic } : written
  }

  private func only(_ matching: [RecordedDevice], of what: String) throws(RecordingError)
    -> RecordedDevice
  {
    if matching.count == 1, let device = matching.first { return device }
    let names = (matching.isEmpty ? devices : matching).prefix(16).map { $0.name }
    throw RecordingError(
      place: .wholeFile,
      reason:
        "it has \(matching.count) \(what); choose one behind the file, as in FILE:1.44 or FILE:298d:1010: "
        + names.joined(separator: ", "))
  }
}

/// What a capture says about one device.
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

  /// Whether there is more than standard requests and those of a hub.
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
      // Class requests go to hubs, keyboards and the like.
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

  /// The descriptor of the device. What was not recorded comes from the choice and the transfers.
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
  /// An interface of which only the used endpoints are known.
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
