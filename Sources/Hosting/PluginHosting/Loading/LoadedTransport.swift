import AuthcoreABI
import LinuxSystem
package import Protocol

/// A transport in this process: loaded, entered, checked. It provides `usb/1` to the driver.
@safe
package struct LoadedTransport: @unchecked Sendable {
  // Sendable: the table is constant; open and close are called by the owner thread only (usb.h).

  package let name: String
  /// The ABI version it was built for, `(major << 16)
  /// minor`.
  package let abiVersion: UInt32
  package let path: String
  private let table: UnsafePointer<ac_transport_t>
  private let services: HostServices

  @safe package struct Device: ~Copyable {
    private let table: UnsafePointer<ac_transport_t>
    private let service: UnsafePointer<ac_usb_service_t>
    private let services: HostServices

    fileprivate init(
      _ table: UnsafePointer<ac_transport_t>, _ service: UnsafePointer<ac_usb_service_t>,
      _ services: HostServices
    ) {
      unsafe self.table = table
      unsafe self.service = service
      self.services = services
    }

    deinit {
      unsafe services.offer(AC_USB_SERVICE, nil)
      unsafe table.pointee.close(service)
    }
  }

  /// Calls the entry and checks its table.
  /// - Throws: `driverFailed` naming the file and what does not fit.
  package init(entering plugin: consuming MappedPlugin, services: HostServices) throws(Failure) {
    let table = unsafe try plugin.enter(AC_TRANSPORT_ENTRY_SYMBOL, services: services)
      .assumingMemoryBound(to: ac_transport_t.self)
    path = plugin.path
    unsafe try PluginABI.check(
      structSize: table.pointee.struct_size, atLeast: MemoryLayout<ac_transport_t>.size,
      "ac_transport_t", of: path, code: .driverFailed)
    unsafe try PluginABI.check(
      table.pointee.abi_version, against: PluginABI.transport, of: path, code: .driverFailed)
    guard unsafe table.pointee.open != nil, unsafe table.pointee.close != nil else {
      throw Failure(.driverFailed, "Cannot use \(path): open or close is NULL")
    }
    name = unsafe PluginABI.text(table.pointee.name, limit: 64) ?? ""
    abiVersion = unsafe table.pointee.abi_version
    unsafe self.table = table
    self.services = services
  }

  /// Opens a device and offers it to the driver for as long as the value lives. Owner thread.
  /// - Parameters:
  ///   - opening: what the transport is told.
  ///   - descriptors: what came with it, in order; they stay the caller's and open until the device
  ///     is closed.
  /// - Returns: the device; the driver must have closed its own before this is destroyed.
  /// - Throws: `usage`, `busy`, `biometryDisconnected` or `driverFailed`, with the transport's
  ///   message.
  package func open(_ opening: DeviceOpening, descriptors: [Int32]) throws(Failure) -> Device {
    var numbers = descriptors[...]
    let device = opening.hasDescriptor ? numbers.popFirst() ?? -1 : -1
    let traffic = opening.recordsTraffic ? numbers.popFirst() ?? -1 : -1
    _ = services.takeError()
    var service: UnsafePointer<ac_usb_service_t>?
    let status = unsafe opening.text.withCString { text in
      var source = unsafe ac_transport_source_t(
        struct_size: UInt32(MemoryLayout<ac_transport_source_t>.size), file_descriptor: device,
        bus: opening.bus, address: opening.address, text: text, capture_descriptor: traffic)
      return unsafe table.pointee.open(&source, &service)
    }
    guard status == AC_OK, let service = unsafe service else { throw failure(status) }
    unsafe services.offer(AC_USB_SERVICE, UnsafeRawPointer(service))
    return unsafe Device(table, service, services)
  }

  private func failure(_ status: ac_status_t) -> Failure {
    let message =
      services.takeError() ?? "The device cannot be opened: \(SensorStatus.text(status))"
    return switch Int(status) {
    case AC_ERR_OPTION: Failure(.usage, message)
    case AC_ERR_BUSY:
      Failure(
        .busy, message,
        hint: "end the program that holds it; a core: authcore quit, the service: "
          + "sudo systemctl stop authcored.socket authcored")
    case AC_ERR_GONE, AC_ERR_NOT_FOUND:
      Failure(.biometryDisconnected, message, hint: "plug the reader in again")
    case AC_ERR_PERMISSION:
      Failure(.biometryNotAvailable, message, hint: OpenedDevice.permissionHint)
    default: Failure(.driverFailed, message)
    }
  }

  /// Starts to watch devices.
  /// - Throws: `driverFailed` if the transport cannot, with its reason.
  package func startWatch() throws(Failure) -> DeviceWatcher {
    guard let extensions = unsafe table.pointee.extension,
      let found = unsafe extensions(AC_HOTPLUG_EXTENSION)
    else { throw Failure(.driverFailed, "The transport \(path) cannot watch devices") }
    // The name with its revision determines the type (usb.h).
    let hotplug = unsafe found.assumingMemoryBound(to: ac_hotplug_t.self)
    unsafe try PluginABI.check(
      structSize: hotplug.pointee.struct_size, atLeast: MemoryLayout<ac_hotplug_t>.size,
      "ac_hotplug_t", of: path, code: .driverFailed)
    let status = unsafe hotplug.pointee.start()
    guard status == AC_OK else { throw failure(status) }
    return unsafe DeviceWatcher(hotplug, services: services)
  }
}

/// Reports what comes and goes on the buses, from a transport in this process. Owner thread.
@safe
package struct DeviceWatcher {
  private let table: UnsafePointer<ac_hotplug_t>
  private let services: HostServices

  @unsafe init(_ table: UnsafePointer<ac_hotplug_t>, services: HostServices) {
    unsafe self.table = table
    self.services = services
  }

  /// Waits for the next change.
  /// - Returns: nil if `milliseconds` have passed.
  /// - Throws: `driverFailed` with the transport's reason.
  package func next(milliseconds: UInt32) throws(Failure) -> DeviceChange? {
    _ = services.takeError()
    var change = ac_usb_change_t()
    change.struct_size = UInt32(MemoryLayout<ac_usb_change_t>.size)
    let status = unsafe table.pointee.next(milliseconds, &change)
    switch Int(status) {
    case AC_OK: break
    case AC_ERR_TIMEOUT, AC_ERR_INTERRUPTED: return nil
    default:
      throw Failure(
        .driverFailed,
        services.takeError()
          ?? "Devices can no longer be watched: \(SensorStatus.text(status))")
    }
    guard let event = DeviceChange.Event(rawValue: change.event) else {
      throw Failure(
        .driverFailed, "The transport reported the event \(change.event), which is none")
    }
    return DeviceChange(event, Self.presence(change))
  }

  private static func presence(_ change: ac_usb_change_t) -> USBPresence {
    let port = unsafe withUnsafeBytes(of: change.port_path) { bytes in
      unsafe String(decoding: bytes.prefix { $0 > 0x20 && $0 < 0x7F }.prefix(31), as: UTF8.self)
    }
    return USBPresence(
      match: DriverDescription.USBMatch(vendor: change.vendor_id, product: change.product_id),
      release: change.bcd_device, bus: change.bus, address: change.address,
      place: USBPresence.Place(rawValue: change.place) ?? .unknown, port: port,
      interfaces: interfaces(change))
  }

  /// nil if the transport does not say; one of version 1.0 leaves the count at 0.
  private static func interfaces(_ change: ac_usb_change_t) -> [USBInterface]? {
    let count = min(Int(change.interface_count), USBPresence.maximumInterfaces)
    guard count > 0 else { return nil }
    return unsafe withUnsafeBytes(of: change.interfaces) { bytes in
      unsafe bytes.bindMemory(to: ac_usb_interface_id_t.self).prefix(count).map {
        USBInterface(
          number: $0.number, classCode: $0.class_code, subclassCode: $0.subclass_code,
          protocolCode: $0.protocol_code)
      }
    }
  }
}
