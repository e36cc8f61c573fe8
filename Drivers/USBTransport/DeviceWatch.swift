internal import Glibc
package import SensorKit

/// Tells which USB devices come and go: at once if udev runs, otherwise within a second.
///
/// When a node or udev reports a change, it compares what the kernel shows with what it has told. A
/// new device is told after udev has handled it, because only then the rules have set its
/// permissions.
package final class DeviceWatch: USBWatch {
  private let devices = SysfsDevices()
  private let nodes = NodeNews()
  /// nil if udev does not run here.
  private let udev: UdevNews?
  private var presence = DevicePresence()
  private var isStarted = false
  /// New devices that udev has not handled, and since when.
  private var unready: [SysfsDevices.Device: Instant] = [:]
  private var ready: Set<SysfsDevices.Device> = []

  /// How often to look if nothing reports changes.
  private static let interval = Duration.seconds(1)
  /// How often to check whether udev has handled a device, and for how long.
  private static let readinessInterval = Duration.milliseconds(50)
  private static let readinessLimit = Duration.seconds(2)

  package init(_ context: SensorContext) throws(SensorFailure) {
    udev = UdevNews.isUdevThere ? UdevNews() : nil
    if udev == nil {
      context.host.log(.info, "udev does not run here: USB devices are looked for once a second")
    }
  }

  package func next(within time: Duration) throws(SensorFailure) -> USBChange {
    let end = Instant.now + time
    if !isStarted { look() }
    while true {
      if let change = presence.next() { return change }
      guard Instant.now < end else {
        throw SensorFailure(.timeout, "No USB device came or went")
      }
      waitForNews(until: end)
      look()
    }
  }

  private func waitForNews(until end: Instant) {
    var left = end - .now
    if !unready.isEmpty {
      left = min(left, Self.readinessInterval)
    } else if udev == nil || nodes == nil {
      // Without nodes nothing reports a device, and udev's messages do not reach another network
      // namespace.
      left = min(left, Self.interval)
    }
    let moment = Instant.now + left
    repeat {
      let (seconds, attoseconds) = max(.zero, moment - .now).components
      let milliseconds = Int32(
        min(seconds, 3600) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
      // poll(2) leaves out a negative descriptor.
      var requests = [nodes?.descriptor ?? -1, udev?.descriptor ?? -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      _ = unsafe poll(&requests, UInt(requests.count), milliseconds)
      let isOfNodes = nodes?.take() == true
      let isOfUdev = udev?.take() == true
      if isOfNodes || isOfUdev { return }
    } while Instant.now < moment
  }

  private func look() {
    // The kernel removes the node of a device before it hides the device.
    let found = devices.list().filter { nodes?.holds($0.placement) ?? true }
    ready.formIntersection(found)
    unready = unready.filter { found.contains($0.key) }
    for device in found where !ready.contains(device) {
      let since = unready[device] ?? .now
      // Devices that were there at the start are told at once.
      if !isStarted || isReady(device) || Instant.now - since > Self.readinessLimit {
        ready.insert(device)
        unready[device] = nil
      } else {
        unready[device] = since
      }
    }
    isStarted = true
    presence.update(found.filter { ready.contains($0) }.map { $0.placement })
  }

  /// Whether udev's database has the device (systemd, src/libsystemd/sd-device: /run/udev/data).
  private func isReady(_ device: SysfsDevices.Device) -> Bool {
    unsafe udev == nil || access("/run/udev/data/c\(device.node)", F_OK) == 0
  }
}

/// Which devices have been told, and what is still to be told.
package struct DevicePresence {
  private var told: Set<USBPlacement> = []
  private var untold: [USBChange] = []
  private var isSettled = false

  package init() {}

  package mutating func next() -> USBChange? {
    untold.isEmpty ? nil : untold.removeFirst()
  }

  /// Takes the devices that are there, in the order in which they will be told. After the first
  /// call everything is settled.
  package mutating func update(_ devices: [USBPlacement]) {
    let gone = told.subtracting(devices).sorted { ($0.bus, $0.address) < ($1.bus, $1.address) }
    // A device leaves before another one takes its place.
    untold += gone.map { .left($0) }
    untold += devices.filter { !told.contains($0) }.map { .arrived($0) }
    told = Set(devices)
    if !isSettled {
      untold.append(.settled)
      isSettled = true
    }
  }
}

/// The USB devices that the kernel shows (Documentation/ABI/testing/sysfs-bus-usb).
package struct SysfsDevices {
  package struct Device: Hashable {
    package let placement: USBPlacement
    /// The number of its node, "189:3".
    package let node: String
  }

  private let folder: String

  package init(folder: String = "/sys/bus/usb/devices") {
    self.folder = folder
  }

  /// All devices except root hubs, sorted by bus and address. A device that goes meanwhile is left
  /// out.
  package func list() -> [Device] {
    let names = names()
    let devices = names.filter { $0.first?.isNumber == true && !$0.contains(":") }
    return devices.compactMap { device($0, among: names) }
      .sorted {
        ($0.placement.bus, $0.placement.address) < ($1.placement.bus, $1.placement.address)
      }
  }

  /// The numbers of the buses.
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
