internal import AuthcoreABI
internal import Synchronization

/// The C side of a Swift transport: the tables of usb.h, filled with functions that lead to
/// ``OpenTransport``.
enum TransportTable {
  /// Allocates the table. It is never freed: a module is never unloaded.
  @unsafe static func make(name: String, watchesDevices: Bool) -> UnsafePointer<ac_transport_t> {
    unsafe immortal(
      ac_transport_t(
        struct_size: UInt32(MemoryLayout<ac_transport_t>.size), abi_version: transportABI,
        name: immortal(name),
        open: { unsafe TransportTable.open($0, ret: $1) },
        close: { unsafe TransportTable.close($0) },
        extension: watchesDevices ? { unsafe HotplugTable.find($0) } : nil))
  }

  private static func open(
    _ source: UnsafePointer<ac_transport_source_t>?,
    ret: UnsafeMutablePointer<UnsafePointer<ac_usb_service_t>?>?
  ) -> ac_status_t {
    guard
      let ret = unsafe ret, let source = unsafe TransportSource(source),
      let (host, open) = unsafe exportedTransport.withLock({ exported in
        unsafe exported.map { unsafe ($0.host, $0.open) }
      })
    else { return SensorFailure.Code.argument.rawValue }
    do throws(SensorFailure) {
      let context = SensorContext(host: host)
      let device = OpenTransport(try open(source, context), interruption: context.interruption)
      unsafe ret.pointee = unsafe makeService(device)
      return ac_status_t(AC_OK)
    } catch {
      host.setError(error.message)
      return error.status
    }
  }

  private static func close(_ service: UnsafePointer<ac_usb_service_t>?) {
    guard let service = unsafe service, let device = unsafe service.pointee.device else { return }
    unsafe Unmanaged<OpenTransport>.fromOpaque(UnsafeRawPointer(device)).release()
    unsafe service.deallocate()
  }
}

extension TransportTable {
  static func deviceInfo(_ device: OpaquePointer?, ret: UnsafeMutablePointer<ac_usb_device_info_t>?)
    -> ac_status_t
  {
    unsafe with(device) { (device) throws(SensorFailure) in
      guard let ret = unsafe ret else { throw SensorFailure(.argument, "A pointer is NULL") }
      unsafe device.info.fill(ret)
    }
  }

  static func interfaceInfo(
    _ device: OpaquePointer?, index: UInt8, ret: UnsafeMutablePointer<ac_usb_interface_info_t>?
  ) -> ac_status_t {
    unsafe with(device) { (device) throws(SensorFailure) in
      guard let ret = unsafe ret else { throw SensorFailure(.argument, "A pointer is NULL") }
      let interfaces = device.info.interfaces
      guard Int(index) < interfaces.count else {
        throw SensorFailure(.notFound, "The device has \(interfaces.count) interfaces")
      }
      unsafe interfaces[Int(index)].fill(ret)
    }
  }
}
