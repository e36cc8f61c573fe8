import CSystemCalls
import Glibc
import LinuxSystem
package import Protocol

/// What provides a driver's `usb/1`.
package enum DeviceSource: Equatable, Sendable {
  case usb(USBPresence)
  /// A recording of USB traffic, and which of its devices it may be (docs/recordings.md).
  case recording(path: String, text: String)
  case simulated(settings: String)

  /// The transport's name, as in `libauthcore-transport-NAME.so`.
  var transportName: String {
    switch self {
    case .usb: "usb"
    case .recording: "recording"
    case .simulated: "simulated"
    }
  }

  package var text: String {
    switch self {
    case .usb(let device): device.text
    case .recording(let path, _): "recording \(path)"
    case .simulated: "simulated"
    }
  }

  /// Whether a driver's frames from it are not of a finger on a sensor.
  package var isSynthetic: Bool {
    if case .usb = self { false } else { true }
  }
}

extension InstalledDriver {
  package var needsDevice: Bool {
    !description.usbMatches.isEmpty && !description.flags.contains(.opensDevices)
  }

  package func handles(_ device: USBPresence) -> Bool {
    needsDevice && description.usbMatches.contains { $0.accepts(device) }
  }

  /// The device for this driver.
  /// - Parameters:
  ///   - argument: what was asked for; nil for any that fits, external ones first.
  ///   - connected: looks up what is connected; called only if a device of this machine is meant.
  /// - Returns: nil for a driver that needs none.
  /// - Throws: `usage` for a driver that takes no device, `biometryNotAvailable` if none fits.
  package func source(
    _ argument: DeviceArgument?, connected: () throws(Failure) -> [USBPresence]
  ) throws(Failure) -> DeviceSource? {
    guard needsDevice else {
      guard argument == nil else {
        throw Failure(
          .usage, "The driver \(description.name) takes no device",
          hint: "leave out device=; only drivers of USB readers take one")
      }
      return nil
    }
    switch argument {
    case .recording(let path, let device):
      let mine = description.usbMatches.map(\.text).joined(separator: ",")
      return .recording(path: path, text: device.isEmpty ? mine : device)
    case .simulated(let settings): return .simulated(settings: settings)
    case .address, .port, nil: break
    }
    let devices = try connected()
    let asked = devices.filter { device in
      switch argument {
      case .address(let bus, let address): device.bus == bus && device.address == address
      case .port(let port): device.port == port
      default: handles(device)
      }
    }
    guard let device = asked.first(where: { $0.place != .builtIn }) ?? asked.first else {
      throw absence(of: argument, among: devices)
    }
    guard handles(device) else {
      throw Failure(
        .biometryNotAvailable, "The driver \(description.name) does not handle \(device.text)",
        hint: "it handles " + usbList)
    }
    return .usb(device)
  }

  private func absence(of argument: DeviceArgument?, among devices: [USBPresence]) -> Failure {
    let mine = devices.filter(handles).map(\.text)
    return Failure(
      .biometryNotAvailable,
      argument.map { "No device is connected at \($0)" }
        ?? "No reader of the driver \(description.name) is connected",
      hint: mine.isEmpty
        ? "plug one in: \(usbList)" : "connected: " + mine.joined(separator: ", "))
  }

  private var usbList: String { description.usbMatches.map(\.text).joined(separator: ", ") }
}

/// A device or recording that was opened for a driver's host, and is closed with this value.
package struct OpenedDevice: ~Copyable, Sendable {
  package let opening: DeviceOpening
  /// The device's descriptors, in order.
  package let numbers: [Int32]

  /// Opens a driver's device.
  /// - Parameters:
  ///   - source: the device.
  ///   - traffic: a descriptor of the caller's to which the traffic is written as pcapng; nil to
  ///     record nothing.
  ///   - installation: without a sandbox the transport opens the device itself, because umockdev's
  ///     devices have no nodes.
  /// - Throws: `usage` for a recording that cannot be opened, `biometryNotAvailable` or `busy` for
  ///   a device, with a way out.
  package init(
    _ source: DeviceSource, traffic: Int32? = nil, in installation: Installation
  ) throws(Failure) {
    let records = traffic != nil
    switch source {
    case .simulated(let settings):
      opening = DeviceOpening(hasDescriptor: false, recordsTraffic: records, text: settings)
      numbers = []
    case .recording(let path, let text):
      numbers = [try Self.openRecording(path)]
      opening = DeviceOpening(hasDescriptor: true, recordsTraffic: records, text: text)
    case .usb(let device):
      let isOpenedHere = installation.sandbox == .on
      numbers = isOpenedHere ? [try Self.openNode(of: device)] : []
      opening = DeviceOpening(
        hasDescriptor: isOpenedHere, recordsTraffic: records, bus: device.bus,
        address: device.address)
    }
    self.traffic = traffic
  }

  /// Copies a recording that a client opened for the core.
  /// - Parameters:
  ///   - recording: open for reading; stays the caller's.
  ///   - text: which of its devices it may be.
  /// - Throws: `coreFailed` if no descriptor is left.
  package init(recording: Int32, text: String) throws(Failure) {
    let copy = fcntl(recording, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else {
      throw Failure(.coreFailed, "Cannot keep a recording open: \(SystemCallError("fcntl").reason)")
    }
    lseek(copy, 0, SEEK_SET)
    numbers = [copy]
    opening = DeviceOpening(hasDescriptor: true, recordsTraffic: false, text: text)
    traffic = nil
  }

  private let traffic: Int32?

  /// All descriptors for the host, in order.
  package var descriptors: [Int32] { numbers + (traffic.map { [$0] } ?? []) }

  private static func openRecording(_ path: String) throws(Failure) -> Int32 {
    let number = unsafe ac_open_at(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0)
    guard number >= 0 else {
      throw Failure(
        .usage, "Cannot open \(path): \(SystemCallError("open").reason)",
        hint: DeviceArgument.hint)
    }
    return number
  }

  private static func openNode(of device: USBPresence) throws(Failure) -> Int32 {
    let number = unsafe ac_open_at(AT_FDCWD, device.node, O_RDWR | O_CLOEXEC | O_NOCTTY, 0)
    guard number < 0 else { return number }
    let code = errno
    let message =
      "The reader \(device.text) cannot be opened: \(device.node): \(SystemCallError("open").reason)"
    switch code {
    case EACCES, EPERM: throw Failure(.biometryNotAvailable, message, hint: permissionHint)
    case ENOENT, ENODEV:
      throw Failure(.biometryDisconnected, message, hint: "plug the reader in again")
    default: throw Failure(.biometryNotAvailable, message, hint: "unplug it and plug it in again")
    }
  }

  /// How this user gets the right to open readers.
  package static let permissionHint =
    "install the rule for it: authcore driver udev-rules | sudo tee /etc/udev/rules.d/70-authcore.rules "
    + "&& sudo udevadm control --reload && sudo udevadm trigger; then plug it in again"

  deinit { for number in numbers { close(number) } }
}
