internal import Glibc
internal import SensorKit

/// A socket on which udev says that it has dealt with a device (udev(7); netlink(7),
/// NETLINK_KOBJECT_UEVENT).
///
/// What a message says is only a hint to look; anybody may send one.
final class UdevNews {
  /// To poll.
  let descriptor: Int32

  /// Whether udev runs on this machine.
  static var isUdevThere: Bool { unsafe access("/run/udev/control", F_OK) == 0 }

  /// nil where the system has no such socket.
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

  /// Whether there were news of USB, or may have been.
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
  /// Messages of udev; the kernel's own, of group 1, come before the rules have set the
  /// permissions.
  private static let udevGroup: UInt32 = 2
}

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
