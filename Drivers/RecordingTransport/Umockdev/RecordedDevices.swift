internal import USBCapture

/// The devices of a capture; a capture is of a whole bus.
struct RecordedDevices {
  private var devices: [RecordedDevice] = []

  init(_ packets: [UsbmonPacket]) {
    for packet in packets {
      // A device that has no address yet answers at 0.
      guard packet.address != 0 else { continue }
      let index =
        devices.firstIndex { $0.bus == packet.bus && $0.address == packet.address }
        ?? devices.endIndex
      if index == devices.endIndex {
        // 127 addresses on 255 buses, of which a machine has a few.
        guard devices.count < 1024 else { continue }
        devices.append(RecordedDevice(bus: packet.bus, address: packet.address))
      }
      devices[index].see(packet)
    }
  }

  /// Finds the device that is meant, and makes sure that its model is known.
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
      // Of several that are alike the one that somebody worked with.
      let meant = possible.count > 1 ? used(possible) : possible
      let names = models.prefix(4).map(\.name).joined(separator: ", ")
      return try only(meant, of: "devices \(names)" + (models.count > 4 ? ", …" : ""))
    }
  }

  /// Those a driver worked with. It writes to its device; a read that is only pending is a
  /// Bluetooth adapter's or a mouse's.
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
