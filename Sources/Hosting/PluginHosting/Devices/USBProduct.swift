import Glibc
package import Protocol

/// What the kernel says of a USB device by its place on the bus (sysfs,
/// Documentation/ABI/testing/sysfs-bus-usb).
package enum USBProduct {
  /// Where it says so.
  package static let devices = "/sys/bus/usb/devices"
  private static let longest = 64

  /// One attribute of a device, up to its first control character; nil where there is none.
  package static func text(_ device: String, _ attribute: String) -> String? {
    let descriptor = unsafe open("\(devices)/\(device)/\(attribute)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: longest)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].prefix { $0 >= 0x20 }, as: UTF8.self)
  }

  /// What a device calls itself; nil where it has no name, or is gone.
  package static func name(of device: USBPresence) -> String? {
    // Its place comes from a watcher in another process, and becomes part of a path.
    guard !device.port.isEmpty, device.port.utf8.allSatisfy(isOfPlace) else { return nil }
    return text(device.port, "product")
  }

  private static func isOfPlace(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
  }

  /// Whether a product calls itself a fingerprint reader.
  package static func isReader(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.contains("fingerprint") || name.contains("biometric")
  }
}
