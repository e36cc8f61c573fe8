internal import Glibc

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
