internal import AuthcoreABI
internal import Synchronization

/// The C side of a ``USBWatch``: the table of `hotplug/1`.
enum HotplugTable {
  private final class Started: @unchecked Sendable {
    // Unchecked: start and next are called on the owner's thread (usb.h).
    var watch: any USBWatch

    init(_ watch: any USBWatch) { self.watch = watch }
  }

  /// A global, because the C functions have no argument that could carry it.
  private static let started = Mutex<Started?>(nil)

  @safe private static let table = unsafe Mutex<UnsafePointer<ac_hotplug_t>>(
    immortal(
      ac_hotplug_t(
        struct_size: UInt32(MemoryLayout<ac_hotplug_t>.size),
        start: { HotplugTable.start() },
        next: { unsafe HotplugTable.next(milliseconds: $0, ret: $1) })))

  /// The table by its name, or nil for any other name.
  static func find(_ name: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
    guard let name = unsafe name, unsafe String(cString: name) == AC_HOTPLUG_EXTENSION else {
      return nil
    }
    return unsafe table.withLock { unsafe UnsafeRawPointer($0) }
  }

  private static func start() -> ac_status_t {
    guard let exported = unsafe exportedTransport.withLock({ unsafe $0 }),
      let start = unsafe exported.maker.watch
    else { return SensorFailure.Code.unsupported.rawValue }
    return unsafe report(exported.host) { () throws(SensorFailure) in
      guard started.withLock({ $0 == nil }) else {
        throw SensorFailure(.state, "Devices are watched already")
      }
      let watch = Started(unsafe try start(SensorContext(host: exported.host)))
      started.withLock { $0 = watch }
    }
  }

  private static func next(milliseconds: UInt32, ret: UnsafeMutablePointer<ac_usb_change_t>?)
    -> ac_status_t
  {
    guard let ret = unsafe ret, let exported = unsafe exportedTransport.withLock({ unsafe $0 })
    else { return SensorFailure.Code.argument.rawValue }
    return unsafe report(exported.host) { () throws(SensorFailure) in
      guard let started = started.withLock({ $0 }) else {
        throw SensorFailure(.state, "Devices are not watched; start comes first")
      }
      let change = Self.change(
        try started.watch.next(within: .milliseconds(milliseconds)))
      unsafe Self.store(change, in: ret)
    }
  }

  /// Runs a call and turns a failure into its status and message.
  private static func report(_ host: DriverServices, _ body: () throws(SensorFailure) -> Void)
    -> ac_status_t
  {
    do throws(SensorFailure) {
      try body()
      return ac_status_t(AC_OK)
    } catch {
      if error.code != .timeout { host.setError(error.message) }
      return error.status
    }
  }

  /// Leaves out what a host with an older header has no room for (common.h).
  private static func store(
    _ change: ac_usb_change_t, in memory: UnsafeMutablePointer<ac_usb_change_t>
  ) {
    let size = unsafe min(Int(memory.pointee.struct_size), MemoryLayout<ac_usb_change_t>.size)
    let start = MemoryLayout<UInt32>.size
    guard size > start else { return }
    let target = unsafe UnsafeMutableRawBufferPointer(start: memory, count: size)
    unsafe withUnsafeBytes(of: change) { bytes in
      for index in start..<size { unsafe target[index] = bytes[index] }
    }
  }

  private static func change(_ change: USBChange) -> ac_usb_change_t {
    var result = ac_usb_change_t()
    let device: USBPlacement
    switch change {
    case .settled:
      result.event = ac_usb_event_t(AC_USB_SETTLED)
      return result
    case .arrived(let placement):
      result.event = ac_usb_event_t(AC_USB_ARRIVED)
      device = placement
    case .left(let placement):
      result.event = ac_usb_event_t(AC_USB_LEFT)
      device = placement
    }
    result.vendor_id = device.vendor
    result.product_id = device.product
    result.bcd_device = device.release
    result.bus = device.bus
    result.address = device.address
    result.place = device.place.rawValue
    unsafe withUnsafeMutableBytes(of: &result.port_path) { path in
      // The last byte stays 0.
      for (index, byte) in zip(path.indices.dropLast(), device.port.utf8) {
        unsafe path[index] = byte
      }
    }
    let interfaces = device.interfaces.prefix(Int(AC_USB_MAX_INTERFACES))
    result.interface_count = UInt8(interfaces.count)
    unsafe withUnsafeMutableBytes(of: &result.interfaces) { bytes in
      let identities = unsafe bytes.bindMemory(to: ac_usb_interface_id_t.self)
      for (index, interface) in interfaces.enumerated() {
        unsafe identities[index] = ac_usb_interface_id_t(
          number: interface.number, class_code: interface.classCode,
          subclass_code: interface.subclassCode, protocol_code: interface.protocolCode)
      }
    }
    return result
  }
}
