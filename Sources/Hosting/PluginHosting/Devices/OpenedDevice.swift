import CSystemCalls
import Glibc
import LinuxSystem
package import Protocol

/// A device or recording that was opened for a driver's host; closed when the value dies.
package struct OpenedDevice: ~Copyable, Sendable {
  /// What the host is told.
  package let opening: DeviceOpening
  /// The descriptors that travel with it, in order.
  package let numbers: [Int32]

  /// Opens what stands behind a driver.
  /// - Parameters:
  ///   - source: the device.
  ///   - traffic: a descriptor of the caller's to which the traffic is written as pcapng; nil: it
  ///     is not recorded.
  ///   - installation: without a sandbox a device is opened by its transport, since umockdev's
  ///     devices have no nodes.
  /// - Throws: `usage` for a recording that cannot be opened, `biometryNotAvailable` or `busy` for
  ///   a device, naming the way out.
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

  /// As a client opened it for the core.
  /// - Parameters:
  ///   - recording: open for reading; stays the caller's.
  ///   - text: which of its devices it may be.
  /// - Throws: `coreFailed` where no descriptor is left.
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

  /// Everything that travels, in order.
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

  /// What gives this user the right to open readers.
  package static let permissionHint =
    "install the rule for it: authcore driver udev-rules | sudo tee /etc/udev/rules.d/70-authcore.rules "
    + "&& sudo udevadm control --reload && sudo udevadm trigger; then plug it in again"

  deinit { for number in numbers { close(number) } }
}
