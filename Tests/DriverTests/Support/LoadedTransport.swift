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

  /// Plays the recording at `path`. `text` names the device, if the file does not.
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

/// The result of a call of usb/1.
struct USBOutcome: Equatable {
  let status: Int
  var bytes: [UInt8] = []
}

extension LoadedTransport {
  func claim(_ number: UInt8) -> Int {
    unsafe Int(service.pointee.claim_interface(service.pointee.device, number))
  }

  func read(
    _ type: UInt8, _ request: UInt8, _ value: UInt16, _ index: UInt16, length: UInt16
  ) -> USBOutcome {
    unsafe fill(Int(length)) { bytes, count in
      unsafe service.pointee.control(
        service.pointee.device, type, request, value, index, bytes, length, 1000, count)
    }
  }

  func write(
    _ type: UInt8, _ request: UInt8, _ value: UInt16, _ index: UInt16, _ data: [UInt8] = []
  ) -> Int {
    var data = data
    var count: UInt32 = 0
    let length = UInt16(data.count)
    return unsafe Int(
      service.pointee.control(
        service.pointee.device, type, request, value, index, &data, length, 1000, &count))
  }

  /// A blocking read or, with bit 7 of the endpoint clear, a write of zeros.
  func transfer(
    _ type: Int, _ endpoint: UInt8, length: Int, timeout: UInt32 = 1000
  ) -> USBOutcome {
    unsafe fill(length) { bytes, count in
      unsafe service.pointee.transfer(
        service.pointee.device, ac_usb_endpoint_type_t(type), endpoint, bytes, UInt32(length),
        timeout, count)
    }
  }

  func submit(_ type: Int, _ endpoint: UInt8, length: UInt32) -> (status: Int, ticket: UInt32) {
    var ticket: UInt32 = 0
    let status = unsafe service.pointee.submit_read(
      service.pointee.device, ac_usb_endpoint_type_t(type), endpoint, length, &ticket)
    return (Int(status), ticket)
  }

  func wait(_ ticket: UInt32, capacity: Int, timeout: UInt32 = 1000) -> USBOutcome {
    unsafe fill(capacity) { bytes, count in
      unsafe service.pointee.wait(
        service.pointee.device, ticket, timeout, bytes, UInt32(capacity), count)
    }
  }

  func cancel(_ ticket: UInt32) -> Int {
    unsafe Int(service.pointee.cancel(service.pointee.device, ticket))
  }

  func clearHalt(_ endpoint: UInt8) -> Int {
    unsafe Int(service.pointee.clear_halt(service.pointee.device, endpoint))
  }

  func interrupt() {
    unsafe service.pointee.interrupt(service.pointee.device)
  }

  private func fill(
    _ capacity: Int,
    _ call: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt32>) -> ac_status_t
  ) -> USBOutcome {
    var bytes = [UInt8](repeating: 0, count: capacity)
    var count: UInt32 = 0
    let status = unsafe bytes.withUnsafeMutableBufferPointer { unsafe call($0.baseAddress, &count) }
    return USBOutcome(status: Int(status), bytes: Array(bytes.prefix(Int(count))))
  }
}

/// A plugin of this build, loaded as a host would: `dlopen(3)`, then its one symbol.
///
/// Never closed: Swift images must stay mapped.
@safe struct BuiltPlugin {
  struct LoadError: Error, CustomStringConvertible {
    let description: String
  }

  private let handle: UnsafeMutableRawPointer

  /// Loads `lib<name>.so` from the folder of the running test program, which has every product.
  init(_ name: String) throws {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { throw LoadError(description: "/proc/self/exe cannot be read") }
    let program = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = program.split(separator: "/").dropLast().joined(separator: "/")
    try self.init(path: "/\(folder)/lib\(name).so")
  }

  init(path: String) throws {
    guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw LoadError(description: unsafe String(cString: dlerror()))
    }
    unsafe self.handle = handle
  }

  /// `F` must be exactly the C type declared for `symbol` in include/authcore.
  @unsafe func function<F>(_ symbol: String, as _: F.Type) throws -> F {
    guard let address = unsafe dlsym(handle, symbol) else {
      throw LoadError(description: "no symbol \(symbol)")
    }
    return unsafe unsafeBitCast(address, to: F.self)
  }
}

/// Opens a driver of this build with a simulated device of its model, or of another one.
func withSensor<R>(
  _ driver: String, model: String? = nil, _ settings: String = "",
  _ body: (LoadedSensor, TestHost) throws -> R
) throws -> R {
  try TestHost.run { host in
    let device = try LoadedTransport.simulated(model: model ?? driver, settings)
    defer { withExtendedLifetime(device) {} }
    return try body(LoadedDriver.built(driver).open(), host)
  }
}
