import LinuxSystem
import Protocol

@testable import AuthCore
@testable import PluginHosting

/// USB devices that are none, and drivers for them.
final class FakeDevices: Sendable {
  private struct State {
    var devices: [USBPresence] = []
    var drivers: [InstalledDriver] = []
    var hosts: [FakeHost] = []
    var names: [USBPresence: String] = [:]
  }

  private let state = Guarded(State())

  var drivers: [InstalledDriver] { state.read { $0.drivers } }

  /// How often a watcher was started.
  var starts: Int { state.read { $0.hosts.count } }

  /// The watcher that was started last.
  var watcher: FakeHost? { state.read { $0.hosts.last } }

  /// Installs a driver for one kind of device, or for what it finds itself.
  func install(
    _ name: String, for match: DriverDescription.USBMatch?, flags: DriverDescription.Flags = []
  ) throws {
    let driver = InstalledDriver(
      file: try TrustedFile(checking: "/bin/true"),
      description: DriverDescription(
        abiVersion: 1 << 16, name: name, fullName: name, version: "1",
        usbMatches: match.map { [$0] } ?? [], scanType: .press, width: 100, height: 120,
        pixelsPerInch: 500, flags: flags, options: [],
        realOption: nil))
    state.update { $0.drivers.append(driver) }
  }

  /// What a device calls itself.
  func name(of device: USBPresence) -> String? { state.read { $0.names[device] } }

  func plug(_ device: USBPresence, named name: String? = nil) {
    let host = state.update { state in
      state.devices.append(device)
      state.names[device] = name
      return state.hosts.last
    }
    host?.say(.change(DeviceChange(.arrived, device)))
  }

  func unplug(_ device: USBPresence) {
    let host = state.update { state in
      state.devices.removeAll { $0 == device }
      return state.hosts.last
    }
    host?.say(.change(DeviceChange(.left, device)))
  }

  /// A watcher that reports what is there.
  func start() -> FakeHost {
    let host = FakeHost("usb", code: .driverFailed) { _, _ in }
    state.update { state in
      for device in state.devices { host.say(.change(DeviceChange(.arrived, device))) }
      let nothing = USBPresence(match: .init(vendor: 0, product: 0), bus: 0, address: 0)
      host.say(.change(DeviceChange(.settled, nothing)))
      state.hosts.append(host)
    }
    return host
  }
}

extension USBPresence {
  /// A reader of the model that the driver `alpha` handles.
  static let alpha = USBPresence(match: .alpha, bus: 1, address: 4, place: .builtIn, port: "1-1")
  /// One of the model that the driver `beta` handles.
  static let beta = USBPresence(match: .beta, bus: 1, address: 7, place: .external, port: "1-2.3")
}

extension DriverDescription.USBMatch {
  static let alpha = DriverDescription.USBMatch(vendor: 0x1209, product: 0xA)
  static let beta = DriverDescription.USBMatch(vendor: 0x1209, product: 0xB)
}
