import AuthcoreABI
package import Protocol

/// What comes and goes on the buses, from a transport in this process. Owner thread.
@safe
package struct DeviceWatcher {
  private let table: UnsafePointer<ac_hotplug_t>
  private let services: HostServices

  @unsafe init(_ table: UnsafePointer<ac_hotplug_t>, services: HostServices) {
    unsafe self.table = table
    self.services = services
  }

  /// Waits for the next change.
  /// - Returns: nil when `milliseconds` have passed.
  /// - Throws: `driverFailed` with what the transport says.
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

  /// nil where the transport does not say, as one of 1.0 never does: it leaves the count at 0.
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
