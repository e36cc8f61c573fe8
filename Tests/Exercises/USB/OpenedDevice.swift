import AuthcoreABI
import Glibc

/// The built transport, loaded and entered as a host does it.
@safe struct EnteredTransport {
  private typealias Entry =
    @convention(c) (
      UnsafePointer<ac_host_t>?, UnsafeMutablePointer<UnsafePointer<ac_transport_t>?>?
    ) -> ac_status_t

  private let table: UnsafePointer<ac_transport_t>

  init() throws {
    let folder = CommandLine.arguments[0].split(
      separator: "/", omittingEmptySubsequences: false
    ).dropLast().joined(separator: "/")
    let path = "\(folder)/libauthcore-transport-usb.so"
    guard let library = unsafe dlopen(path, RTLD_NOW),
      let symbol = unsafe dlsym(library, AC_TRANSPORT_ENTRY_SYMBOL)
    else { throw Problem("\(path) cannot be loaded: \(unsafe String(cString: dlerror()))") }
    // The type is that of the symbol in usb.h.
    let entry = unsafe unsafeBitCast(symbol, to: Entry.self)
    var table: UnsafePointer<ac_transport_t>?
    guard unsafe entry(Self.host, &table) == AC_OK, let table = unsafe table else {
      throw Problem("\(path) refuses this host")
    }
    unsafe self.table = unsafe table
  }

  func open(
    node: Int32 = -1, bus: UInt8 = 0, address: UInt8 = 0, capture: Int32 = -1
  ) throws -> OpenedDevice {
    var source = unsafe ac_transport_source_t(
      struct_size: UInt32(MemoryLayout<ac_transport_source_t>.size), file_descriptor: node,
      bus: bus, address: address, text: nil, capture_descriptor: capture)
    var service: UnsafePointer<ac_usb_service_t>?
    let status = unsafe table.pointee.open(&source, &service)
    guard status == AC_OK, let service = unsafe service else {
      throw Problem("opening ended with \(status)")
    }
    return unsafe OpenedDevice(table, service)
  }

  func watch() throws -> StartedWatch {
    guard let found = unsafe table.pointee.extension(AC_HOTPLUG_EXTENSION) else {
      throw Problem("the transport cannot watch devices")
    }
    let hotplug = unsafe found.assumingMemoryBound(to: ac_hotplug_t.self)
    guard unsafe hotplug.pointee.start() == AC_OK else { throw Problem("start failed") }
    return unsafe StartedWatch(table: hotplug)
  }

  /// A host that prints messages and has no service. Made once, never changed, lives until the
  /// process ends.
  @safe nonisolated(unsafe) private static let host: UnsafePointer<ac_host_t> = {
    let table = UnsafeMutablePointer<ac_host_t>.allocate(capacity: 1)
    unsafe table.initialize(
      to: ac_host_t(
        struct_size: UInt32(MemoryLayout<ac_host_t>.size), abi_version: 1 << 16, context: nil,
        log: { _, _, text in print("log:", unsafe text.map { unsafe String(cString: $0) } ?? "") },
        set_error: { _, text in
          print("error:", unsafe text.map { unsafe String(cString: $0) } ?? "")
        },
        service: { _, _ in nil }))
    return unsafe UnsafePointer(table)
  }()
}

/// `hotplug/1`, started.
@safe struct StartedWatch {
  let table: UnsafePointer<ac_hotplug_t>

  @unsafe func next() -> (status: Int, change: ac_usb_change_t) {
    var change = ac_usb_change_t()
    change.struct_size = UInt32(MemoryLayout<ac_usb_change_t>.size)
    let status = unsafe table.pointee.next(2000, &change)
    return (Int(status), change)
  }
}

/// An open device; closed when it dies.
@safe final class OpenedDevice: @unchecked Sendable {
  // Unchecked: only interrupt is called from another thread, as usb.h allows.
  private let transport: UnsafePointer<ac_transport_t>
  private let service: UnsafePointer<ac_usb_service_t>

  init(_ transport: UnsafePointer<ac_transport_t>, _ service: UnsafePointer<ac_usb_service_t>) {
    unsafe self.transport = transport
    unsafe self.service = service
  }

  deinit { unsafe transport.pointee.close(service) }

  /// "1209:1 103 at 1:5, endpoints [129, 130, 2]", the first in hexadecimal.
  var description: String {
    var info = ac_usb_device_info_t()
    _ = unsafe service.pointee.device_info(service.pointee.device, &info)
    var interface = ac_usb_interface_info_t()
    _ = unsafe service.pointee.interface_info(service.pointee.device, 0, &interface)
    let endpoints = unsafe withUnsafeBytes(of: interface.endpoints) { bytes in
      unsafe bytes.prefix(Int(interface.endpoint_count)).map { $0 }
    }
    let ids = [info.vendor_id, info.product_id, info.bcd_device].map { String($0, radix: 16) }
    return "\(ids[0]):\(ids[1]) \(ids[2]) at \(info.bus):\(info.address), endpoints \(endpoints)"
  }

  func claim(_ number: UInt8) -> Int {
    unsafe Int(service.pointee.claim_interface(service.pointee.device, number))
  }

  func clearHalt(_ endpoint: UInt8) -> Int {
    unsafe Int(service.pointee.clear_halt(service.pointee.device, endpoint))
  }

  func reset() -> Int {
    unsafe Int(service.pointee.reset(service.pointee.device))
  }

  func control(
    _ type: UInt8, _ request: UInt8, _ value: UInt16, _ index: UInt16, data: [UInt8]
  ) -> (status: Int, bytes: [UInt8]) {
    unsafe fill(data) { data, count in
      unsafe service.pointee.control(
        service.pointee.device, type, request, value, index, data.baseAddress, UInt16(data.count),
        2000, count)
    }
  }

  func transfer(_ kind: Int32, _ endpoint: UInt8, data: [UInt8], milliseconds: UInt32 = 2000)
    -> (status: Int, bytes: [UInt8])
  {
    unsafe fill(data) { data, count in
      unsafe service.pointee.transfer(
        service.pointee.device, kind, endpoint, data.baseAddress, UInt32(data.count), milliseconds,
        count)
    }
  }

  func submit(_ kind: Int32, _ endpoint: UInt8, length: Int) -> (status: Int, ticket: UInt32) {
    var ticket: UInt32 = 0
    let status = unsafe service.pointee.submit_read(
      service.pointee.device, kind, endpoint, UInt32(length), &ticket)
    return (Int(status), ticket)
  }

  func wait(_ ticket: UInt32, length: Int, milliseconds: UInt32 = 2000)
    -> (status: Int, bytes: [UInt8])
  {
    unsafe fill([UInt8](repeating: 0, count: length)) { data, count in
      unsafe service.pointee.wait(
        service.pointee.device, ticket, milliseconds, data.baseAddress, UInt32(length), count)
    }
  }

  func cancel(_ ticket: UInt32) -> Int {
    unsafe Int(service.pointee.cancel(service.pointee.device, ticket))
  }

  func interrupt() {
    unsafe service.pointee.interrupt(service.pointee.device)
  }

  private func fill(
    _ data: [UInt8],
    _ call: (UnsafeMutableBufferPointer<UInt8>, UnsafeMutablePointer<UInt32>) -> ac_status_t
  ) -> (status: Int, bytes: [UInt8]) {
    var data = data
    var count: UInt32 = 0
    let status = unsafe data.withUnsafeMutableBufferPointer { unsafe call($0, &count) }
    return (Int(status), Array(data.prefix(Int(count))))
  }
}
