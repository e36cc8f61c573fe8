import Glibc
import PluginHosting
import Sandbox

/// The USB devices of this machine that a driver handles (sysfs, Documentation/ABI/testing/sysfs-bus-usb).
enum ConnectedReaders {
  private static let devices = "/sys/bus/usb/devices"

  /// Whether there is a reader, and whether it may be opened.
  static func findings(drivers: [InstalledDriver]) -> [Finding] {
    var findings: [Finding] = []
    for device in names(in: devices) {
      guard let match = match(of: device),
        let driver = drivers.first(where: { $0.description.usbMatches.contains(match) })
      else { continue }
      findings.append(finding(device, match, driver.description))
    }
    guard findings.isEmpty else { return findings }
    return [
      .remark(
        "reader", "No reader is connected that a driver handles",
        remedy: "Plug one in, or try without: authcore --driver replay")
    ]
  }

  private static func finding(
    _ device: String, _ match: SensorDescription.USBMatch, _ driver: SensorDescription
  ) -> Finding {
    let name = "\(driver.fullName) (\(match.text), driver \(driver.name))"
    guard let bus = number(device, "busnum"), let address = number(device, "devnum") else {
      return .problem("reader", "\(name) has no device node", remedy: "Unplug it and plug it in.")
    }
    let node = "/dev/bus/usb/\(padded(bus))/\(padded(address))"
    guard unsafe access(node, R_OK | W_OK) == 0 else {
      return .problem(
        "reader", "\(name) may not be opened: \(node): \(SystemCallError.text(of: errno))",
        remedy: """
          echo 'SUBSYSTEM=="usb", ATTR{idVendor}=="\(match.vendorText)", \
          ATTR{idProduct}=="\(match.productText)", TAG+="uaccess"' | \
          sudo tee /etc/udev/rules.d/70-authcore.rules && sudo udevadm control --reload && \
          sudo udevadm trigger
          """)
    }
    return .good("reader", name)
  }

  private static func match(of device: String) -> SensorDescription.USBMatch? {
    guard let vendor = text(device, "idVendor").flatMap({ UInt16($0, radix: 16) }),
      let product = text(device, "idProduct").flatMap({ UInt16($0, radix: 16) })
    else { return nil }
    return SensorDescription.USBMatch(vendor: vendor, product: product)
  }

  private static func number(_ device: String, _ attribute: String) -> Int? {
    text(device, attribute).flatMap { Int($0) }
  }

  private static func padded(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }

  private static func text(_ device: String, _ attribute: String) -> String? {
    let descriptor = unsafe open("\(devices)/\(device)/\(attribute)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].prefix { $0 > 0x20 }, as: UTF8.self)
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    // readdir's entry is copied before the next call replaces it.
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
