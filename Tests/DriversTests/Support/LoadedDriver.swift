import AuthcoreABI
import Synchronization

/// A driver's C table with Swift types.
@safe struct LoadedDriver: @unchecked Sendable {
  // Unchecked: the table lives until the process ends and never changes.
  typealias Entry =
    @convention(c) (
      UnsafePointer<ac_host_t>?, UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>?
    ) -> ac_status_t

  /// A call that did not return `AC_OK`.
  struct Failure: Error, Equatable {
    let status: Int
    let message: String
  }

  let table: UnsafePointer<ac_sensor_driver_t>

  /// The drivers that were entered, each once, as sensor.h promises them.
  private static let entered = Mutex<[String: LoadedDriver]>([:])

  /// The driver `authcore-driver-NAME` of this build.
  static func built(_ name: String) throws -> LoadedDriver {
    try entered.withLock { entered in
      if let known = entered[name] { return known }
      let driver = try LoadedDriver("authcore-driver-\(name)")
      entered[name] = driver
      return driver
    }
  }

  static func replay() throws -> LoadedDriver { try built("replay") }
  static func template() throws -> LoadedDriver { try built("template") }

  private init(_ product: String) throws {
    let plugin = try BuiltPlugin(product)
    try unsafe self.init(entry: plugin.function("ac_sensor_entry", as: Entry.self))
  }

  @unsafe init(entry: Entry) throws {
    var table: UnsafePointer<ac_sensor_driver_t>?
    let status = unsafe entry(TestHost.table.pointer, &table)
    guard status == ac_status_t(AC_OK), let table = unsafe table else {
      throw Failure(status: Int(status), message: TestHost.current?.message ?? "")
    }
    unsafe self.table = unsafe table
  }

  var version: UInt32 { unsafe table.pointee.abi_version }

  @unsafe var facts: ac_sensor_description_t { unsafe table.pointee.description.pointee }

  /// Calls what must accept NULL.
  func closeNothing() {
    unsafe table.pointee.close(nil)
  }

  /// Opens a sensor; numbers and files are prepared as the host does it.
  func open(_ options: [TestOption] = []) throws -> LoadedSensor {
    var converted: [ac_option_t] = unsafe []
    defer { unsafe converted.forEach { unsafe $0.free() } }
    for option in options { unsafe converted.append(try option.made()) }
    var sensor: OpaquePointer?
    let status = unsafe table.pointee.open(converted, UInt32(converted.count), &sensor)
    guard status == ac_status_t(AC_OK), let sensor = unsafe sensor else {
      throw Failure(status: Int(status), message: TestHost.current?.message ?? "")
    }
    return unsafe LoadedSensor(driver: self, sensor: sensor)
  }
}

/// What a capture delivered.
struct CapturedFrame: Equatable {
  let width: Int
  let height: Int
  let pixelsPerInch: Int
  let flags: UInt32
  let pixels: [UInt8]
}

/// A driver's open device; closed when it dies.
@safe final class LoadedSensor: @unchecked Sendable {
  // Unchecked: only interrupt is called from another thread, as sensor.h allows.
  private let driver: LoadedDriver
  private let sensor: OpaquePointer

  init(driver: LoadedDriver, sensor: OpaquePointer) {
    self.driver = driver
    unsafe self.sensor = unsafe sensor
  }

  deinit { unsafe driver.table.pointee.close(sensor) }

  /// A frame, or the status that came instead.
  func capture(milliseconds: UInt32 = 1000) -> Result<CapturedFrame, LoadedDriver.Failure> {
    var frame = unsafe ac_frame_t()
    unsafe frame.struct_size = UInt32(MemoryLayout<ac_frame_t>.size)
    let status = unsafe driver.table.pointee.capture(sensor, milliseconds, &frame)
    guard status == ac_status_t(AC_OK) else {
      let isRetry = 1..<100 ~= status
      return .failure(
        .init(status: Int(status), message: isRetry ? "" : TestHost.current?.message ?? ""))
    }
    let pixels = unsafe Array(UnsafeBufferPointer(start: frame.pixels, count: frame.pixel_count))
    return unsafe .success(
      CapturedFrame(
        width: Int(frame.width_px), height: Int(frame.height_px), pixelsPerInch: Int(frame.ppi),
        flags: frame.flags, pixels: pixels))
  }

  /// The status alone; `AC_OK` for a frame.
  func captureStatus(milliseconds: UInt32 = 1000) -> Int {
    switch capture(milliseconds: milliseconds) {
    case .success: AC_OK
    case .failure(let failure): failure.status
    }
  }

  func interrupt() {
    unsafe driver.table.pointee.interrupt(sensor)
  }
}
