import LinuxSystem
package import Protocol

/// The connected USB devices, in the order they were reported.
package struct ConnectedDevices: Equatable, Sendable {
  package private(set) var devices: [USBPresence] = []
  /// Whether all devices that were there at the start have been reported.
  package private(set) var isSettled = false

  package init() {}

  /// A bus has 127 addresses, and a machine few buses.
  private static let maximum = 1024

  package mutating func apply(_ change: DeviceChange) {
    switch change.event {
    case .settled: isSettled = true
    case .arrived:
      remove(change.device)
      if devices.count < Self.maximum { devices.append(change.device) }
    case .left: remove(change.device)
    }
  }

  /// Bus and address identify a device while it is plugged in.
  private mutating func remove(_ device: USBPresence) {
    devices.removeAll { $0.bus == device.bus && $0.address == device.address }
  }

  /// How long the watcher has to report what is there.
  private static let milliseconds: Int32 = 5000

  /// What is connected now, for a command that does not keep watching.
  /// - Parameter installation: where the watcher's host is found.
  /// - Returns: the devices.
  /// - Throws: `driverFailed` if the watcher cannot be started or says nothing.
  package static func list(in installation: Installation) throws(Failure) -> [USBPresence] {
    let host = try HostProcess.startWatch(in: installation)
    defer { host.end() }
    var connected = ConnectedDevices()
    let deadline = Deadline(milliseconds: milliseconds)
    while !connected.isSettled {
      guard let message = try host.receive(milliseconds: deadline.remainingMilliseconds) else {
        throw Failure(
          .driverFailed, "The transport \(host.path) does not say which devices are connected")
      }
      if case .deviceChange(let change) = message { connected.apply(change) }
    }
    return connected.devices
  }
}

/// What the kernel says about a USB device (Documentation/ABI/testing/sysfs-bus-usb).
package enum USBProduct {
  package static let devices = "/sys/bus/usb/devices"
  private static let longest = 64

  /// One attribute of a device, up to its first control character; nil if there is none.
  package static func text(_ device: String, _ attribute: String) -> String? {
    guard let bytes = SmallFile.contents(of: "\(devices)/\(device)/\(attribute)"), !bytes.isEmpty
    else { return nil }
    return String(decoding: bytes.prefix(longest).prefix { $0 >= 0x20 }, as: UTF8.self)
  }

  /// What a device calls itself; nil if it has no name or is gone.
  package static func name(of device: USBPresence) -> String? {
    // The port comes from another process, and becomes part of a path.
    guard !device.port.isEmpty, device.port.utf8.allSatisfy(isOfPlace) else { return nil }
    return text(device.port, "product")
  }

  private static func isOfPlace(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
  }

  package static func isReader(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.contains("fingerprint") || name.contains("biometric")
  }
}
