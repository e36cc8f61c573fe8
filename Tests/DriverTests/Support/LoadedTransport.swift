import AuthcoreABI
import Glibc
import Synchronization

/// A transport of this build with a device open; closed when it dies.
@safe final class LoadedTransport {
  typealias Entry =
    @convention(c) (
      UnsafePointer<ac_host_t>?, UnsafeMutablePointer<UnsafePointer<ac_transport_t>?>?
    ) -> ac_status_t

  private let table: UnsafePointer<ac_transport_t>
  let service: UnsafePointer<ac_usb_service_t>

  /// The transports of this build. Each is entered once.
  @safe private static let builtRecording = unsafe Result {
    try unsafe enter("authcore-transport-recording")
  }
  @safe private static let builtSimulated = unsafe Result {
    try unsafe enter("authcore-transport-simulated")
  }

  /// Plays the recording at `path`; `text` names the device where the file does not.
  static func recording(_ path: String, text: String = "") throws -> LoadedTransport {
    try unsafe LoadedTransport(builtRecording.get(), text: text, path: path)
  }

  /// Fails: a simulated device needs a model.
  static func simulatedWithoutModel() throws -> LoadedTransport {
    try unsafe LoadedTransport(builtSimulated.get(), text: "", path: nil)
  }

  /// Simulates a device of the model `authcore-driver-NAME-model` of this build.
  static func simulated(model name: String, _ settings: String = "") throws -> LoadedTransport {
    let model = try unsafe models.withLock { models in
      if let known = unsafe models[name] { return unsafe known }
      let plugin = try BuiltPlugin("authcore-driver-\(name)-model")
      let entry = try unsafe plugin.function("ac_device_model_entry", as: ModelEntry.self)
      var table: UnsafePointer<ac_device_model_t>?
      let status = unsafe entry(TestHost.table.pointer, &table)
      guard status == ac_status_t(AC_OK), let table = unsafe table else {
        throw LoadedDriver.Failure(status: Int(status), message: "the model's entry failed")
      }
      let made = unsafe Table(table.pointee)
      unsafe models[name] = made
      return unsafe made
    }
    unsafe TestHost.current?.provide(AC_DEVICE_MODEL_SERVICE, UnsafeRawPointer(model.pointer))
    return try unsafe LoadedTransport(builtSimulated.get(), text: settings, path: nil)
  }

  private typealias ModelEntry =
    @convention(c) (
      UnsafePointer<ac_host_t>?, UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>?
    ) -> ac_status_t

  /// The models that were entered, each once.
  @safe private static let models = unsafe Mutex<[String: Table<ac_device_model_t>]>([:])

  private static func enter(_ product: String) throws -> Table<ac_transport_t> {
    let entry = try unsafe BuiltPlugin(product).function("ac_transport_entry", as: Entry.self)
    var table: UnsafePointer<ac_transport_t>?
    let status = unsafe entry(TestHost.table.pointer, &table)
    guard status == ac_status_t(AC_OK), let table = unsafe table else {
      throw LoadedDriver.Failure(status: Int(status), message: "the entry failed")
    }
    return unsafe Table(table.pointee)
  }

  /// Opens a device, and offers it as `usb/1` to the drivers of this test.
  private init(_ transport: Table<ac_transport_t>, text: String, path: String?) throws {
    let table = unsafe transport.pointer
    let descriptor = path.map { unsafe open($0, O_RDONLY | O_CLOEXEC) } ?? -1
    defer { if descriptor >= 0 { close(descriptor) } }
    var service: UnsafePointer<ac_usb_service_t>?
    let status = unsafe text.withCString { text in
      var source = unsafe ac_transport_source_t(
        struct_size: UInt32(MemoryLayout<ac_transport_source_t>.size), file_descriptor: descriptor,
        bus: 0, address: 0, text: text, capture_descriptor: -1)
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
}
