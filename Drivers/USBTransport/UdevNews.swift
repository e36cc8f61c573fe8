internal import Glibc
internal import SensorKit

/// A socket on which udev reports that it has handled a device (udev(7); netlink(7),
/// NETLINK_KOBJECT_UEVENT). A message is only a hint to look, because any program may send one.
final class UdevNews {
  /// To poll.
  let descriptor: Int32

  static var isUdevThere: Bool { unsafe access("/run/udev/control", F_OK) == 0 }

  /// Returns nil if the system has no such socket.
  init?() {
    descriptor = socket(
      AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
      Self.protocolNumber)
    guard descriptor >= 0 else { return nil }
    // struct sockaddr_nl: family, padding, port, groups.
    var address = (UInt16(AF_NETLINK), UInt16(0), UInt32(0), Self.udevGroup)
    let isBound = unsafe withUnsafeBytes(of: &address) { bytes in
      unsafe bytes.withMemoryRebound(to: sockaddr.self) { address in
        unsafe bind(descriptor, address.baseAddress, socklen_t(bytes.count)) == 0
      }
    }
    guard isBound else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }

  /// Whether there was, or may have been, news of USB.
  func take() -> Bool {
    var isNews = false
    var message = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = unsafe recv(descriptor, &message, message.count, Int32(MSG_DONTWAIT))
      // ENOBUFS: messages were lost.
      if count < 0 && errno == ENOBUFS { isNews = true }
      guard count > 0 else { return isNews }
      let properties = message.prefix(count).split(separator: 0)
      if properties.contains(where: { $0.elementsEqual("SUBSYSTEM=usb".utf8) }) { isNews = true }
    }
  }

  /// `NETLINK_KOBJECT_UEVENT` of linux/netlink.h
  private static let protocolNumber: Int32 = 15
  /// The group of udev's messages. The kernel's own, in group 1, come before the rules have set the
  /// permissions.
  private static let udevGroup: UInt32 = 2
}

/// Watches for nodes of USB devices that the kernel makes or removes (inotify(7) on devtmpfs).
/// Unlike udev's messages, this works in a network namespace of its own, such as the service's.
final class NodeNews {
  /// To poll.
  let descriptor: Int32
  private let folder: String
  private let devices: SysfsDevices

  /// Returns nil if there is no such folder, or the kernel has no watch left. `folder` has one
  /// folder for each bus, "001"; `devices` says which buses there are.
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

  /// Whether a node was made or removed. Watches new buses.
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

  /// Does nothing if the folder is already watched.
  private static func watch(_ folder: String, _ descriptor: Int32) -> Bool {
    unsafe inotify_add_watch(descriptor, folder, UInt32(IN_CREATE | IN_DELETE | IN_MOVE)) >= 0
  }
}
