internal import Glibc
package import SensorKit

/// The USB devices that the kernel shows (Documentation/ABI/testing/sysfs-bus-usb).
package struct SysfsDevices {
  /// A device and its node's number.
  package struct Device: Hashable {
    package let placement: USBPlacement
    /// "189:3"
    package let node: String
  }

  private let folder: String

  /// - Parameter folder: Where the kernel shows them.
  package init(folder: String = "/sys/bus/usb/devices") {
    self.folder = folder
  }

  /// All there are but root hubs, in the order of bus and address; none where the kernel has no
  /// USB. One that goes while it is looked at is left out.
  package func list() -> [Device] {
    let names = names()
    let devices = names.filter { $0.first?.isNumber == true && !$0.contains(":") }
    return devices.compactMap { device($0, among: names) }
      .sorted {
        ($0.placement.bus, $0.placement.address) < ($1.placement.bus, $1.placement.address)
      }
  }

  /// The numbers of the buses, of which "usb1" is a root hub.
  package func buses() -> [UInt8] {
    names().filter { $0.hasPrefix("usb") }.compactMap { UInt8($0.dropFirst(3)) }
  }

  /// "1-2.3" is a device, "1-2.3:1.0" an interface of it, "usb1" a root hub.
  private func names() -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      // d_name ends with a NUL inside its 256 bytes (readdir(3)).
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names
  }

  private func device(_ name: String, among names: [String]) -> Device? {
    guard let vendor = attribute("idVendor", of: name).flatMap({ UInt16($0, radix: 16) }),
      let product = attribute("idProduct", of: name).flatMap({ UInt16($0, radix: 16) }),
      let release = attribute("bcdDevice", of: name).flatMap({ UInt16($0, radix: 16) }),
      let bus = attribute("busnum", of: name).flatMap({ UInt8($0) }),
      let address = attribute("devnum", of: name).flatMap({ UInt8($0) })
    else { return nil }
    let place: USBPlacement.Place =
      switch attribute("removable", of: name) {
      case "fixed": .builtIn
      case "removable": .external
      default: .unknown
      }
    return Device(
      placement: USBPlacement(
        vendor: vendor, product: product, release: release, bus: bus, address: address,
        place: place, port: name.utf8.count < 32 ? name : "",
        interfaces: names.filter { $0.hasPrefix(name + ":") }.compactMap(interface)
          .sorted { $0.number < $1.number }),
      node: attribute("dev", of: name) ?? "")
  }

  private func interface(_ name: String) -> USBInterfaceIdentity? {
    func value(_ field: String) -> UInt8? {
      attribute("bInterface" + field, of: name).flatMap { UInt8($0, radix: 16) }
    }
    guard let number = value("Number"), let classCode = value("Class"),
      let subclassCode = value("SubClass"), let protocolCode = value("Protocol")
    else { return nil }
    return USBInterfaceIdentity(
      number: number, classCode: classCode, subclassCode: subclassCode,
      protocolCode: protocolCode)
  }

  private func attribute(_ attribute: String, of name: String) -> String? {
    guard let file = try? ReadableFile(path: "\(folder)/\(name)/\(attribute)"),
      let bytes = try? file.read(from: 0, count: 64)
    else { return nil }
    return String(decoding: bytes.prefix { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
  }
}
