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

  /// A host that prints what it is told and has no service. Made once, never changed, and lives
  /// until the process ends.
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
