import AuthcoreABI
import Glibc

/// A transport of this build with a device open; closed when it dies.
@safe final class LoadedTransport {
  typealias Entry =
    @convention(c) (
      UnsafePointer<ac_host_t>?, UnsafeMutablePointer<UnsafePointer<ac_transport_t>?>?
    ) -> ac_status_t

  private let table: UnsafePointer<ac_transport_t>
  let service: UnsafePointer<ac_usb_service_t>

  /// Opens what `text` or the file at `path` tells of, and offers it as `usb/1` to the drivers of this test.
  init(_ product: String, text: String = "", path: String? = nil) throws {
    let entry = try unsafe BuiltPlugin(product).function("ac_transport_entry", as: Entry.self)
    var table: UnsafePointer<ac_transport_t>?
    let entered = unsafe entry(TestHost.table.pointer, &table)
    guard entered == ac_status_t(AC_OK), let table = unsafe table else {
      throw LoadedDriver.Failure(status: Int(entered), message: "the entry failed")
    }
    let descriptor = path.map { unsafe open($0, O_RDONLY | O_CLOEXEC) } ?? -1
    defer { if descriptor >= 0 { close(descriptor) } }
    var service: UnsafePointer<ac_usb_service_t>?
    let status = unsafe text.withCString { text in
      var source = unsafe ac_transport_source_t(
        struct_size: UInt32(MemoryLayout<ac_transport_source_t>.size), file_descriptor: descriptor,
        bus: 0, address: 0, text: text)
      return unsafe table.pointee.open(&source, &service)
    }
    guard status == ac_status_t(AC_OK), let service = unsafe service else {
      throw LoadedDriver.Failure(status: Int(status), message: TestHost.current?.message ?? "")
    }
    unsafe self.table = unsafe table
    unsafe self.service = unsafe service
    unsafe TestHost.current?.provide("usb/1", UnsafeRawPointer(service))
  }

  deinit { unsafe table.pointee.close(service) }

  static func simulated(_ text: String) throws -> LoadedTransport {
    try LoadedTransport("authcore-transport-simulated", text: text)
  }

  static func recording(_ path: String) throws -> LoadedTransport {
    try LoadedTransport("authcore-transport-recording", path: path)
  }
}
