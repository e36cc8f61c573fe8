internal import Glibc
internal import SensorKit

/// Hears when the kernel makes or removes the node of a USB device (inotify(7) on devtmpfs). Unlike
/// what udev sends, that reaches a process whose network is its own, as the service's is.
final class NodeNews {
  /// To poll.
  let descriptor: Int32
  private let folder: String
  private let devices: SysfsDevices

  /// nil where nobody can be heard: there is no such folder, or the kernel has no watch left.
  /// - Parameters:
  ///   - folder: in which each bus has a folder of its own, "001".
  ///   - devices: of which buses there are.
  init?(folder: String = "/dev/bus/usb", devices: SysfsDevices = SysfsDevices()) {
    (self.folder, self.devices) = (folder, devices)
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    guard Self.watch(folder, descriptor) else {
      close(descriptor)
      return nil
    }
    watchBuses()
  }

  deinit { close(descriptor) }

  /// Whether anything was made or removed. Watches buses that came.
  func take() -> Bool {
    var isNews = false
    var notices = [UInt8](repeating: 0, count: 4096)
    while unsafe read(descriptor, &notices, notices.count) > 0 { isNews = true }
    if isNews { watchBuses() }
    return isNews
  }

  /// Whether a device has its node.
  func holds(_ device: USBPlacement) -> Bool {
    unsafe access("\(folder)/\(Self.name(device.bus))/\(Self.name(device.address))", F_OK) == 0
  }

  private func watchBuses() {
    for bus in devices.buses() { _ = Self.watch("\(folder)/\(Self.name(bus))", descriptor) }
  }

  /// "012"
  private static func name(_ number: UInt8) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 3 - digits.utf8.count) + digits
  }

  /// A folder that is watched already stays so.
  private static func watch(_ folder: String, _ descriptor: Int32) -> Bool {
    unsafe inotify_add_watch(descriptor, folder, UInt32(IN_CREATE | IN_DELETE | IN_MOVE)) >= 0
  }
}
