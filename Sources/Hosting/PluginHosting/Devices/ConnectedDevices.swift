import LinuxSystem
package import Protocol

/// The USB devices that are connected, in the order they were reported; kept up to date by changes.
package struct ConnectedDevices: Equatable, Sendable {
  /// What is there.
  package private(set) var devices: [USBPresence] = []
  /// Whether everything that was there at the start has been reported.
  package private(set) var isSettled = false

  /// Nothing yet.
  package init() {}

  /// Most devices that are remembered: a bus has 127 addresses and a host few buses.
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

  /// Bus and address name a device while it is plugged in.
  private mutating func remove(_ device: USBPresence) {
    devices.removeAll { $0.bus == device.bus && $0.address == device.address }
  }

  /// How long the watcher has to report what is there.
  private static let milliseconds: Int32 = 5000

  /// What is connected at this moment, for a command that does not go on watching.
  /// - Parameter installation: where the watcher's host is found.
  /// - Returns: the devices.
  /// - Throws: `driverFailed` when the watcher cannot be started or says nothing.
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
