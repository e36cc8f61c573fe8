import AuthcoreABI
import Glibc
import Synchronization

@testable import PluginHosting

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

  /// A table of an extension, or nil if the driver does not have it.
  @unsafe func ability<Table>(_ name: String, as _: Table.Type) -> UnsafePointer<Table>? {
    guard let found = unsafe table.pointee.extension?(name) else { return nil }
    return unsafe found.assumingMemoryBound(to: Table.self)
  }

  var version: UInt32 { unsafe table.pointee.abi_version }

  @unsafe var facts: ac_sensor_description_t { unsafe table.pointee.description.pointee }

  /// Calls close with NULL, which it must accept.
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

struct CapturedFrame: Equatable {
  let width: Int
  let height: Int
  let pixelsPerInch: Int
  let flags: UInt32
  let pixels: [UInt8]
  var extents: [Range<Int>]?
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
        flags: frame.flags, pixels: pixels,
        extents: frame.extents.map { start in
          unsafe UnsafeBufferPointer(start: start, count: frame.extent_count).map {
            Int($0.first)..<Int($0.end)
          }
        }))
  }

  /// Captures as a host of 1.0 does, whose frame ends with `pixel_count`.
  /// - Returns: the size the frame says it has, and whether the driver wrote nothing behind it; nil
  ///   without a frame.
  func captureForFirstHost() -> (size: Int, isIntact: Bool)? {
    let size = unsafe MemoryLayout<ac_frame_t>.offset(of: \.extents) ?? 0
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 64, alignment: 16)
    defer { unsafe memory.deallocate() }
    for index in memory.indices { unsafe memory[index] = index < size ? 0 : 0xA5 }
    unsafe memory.storeBytes(of: UInt32(size), as: UInt32.self)
    let frame = unsafe memory.baseAddress?.assumingMemoryBound(to: ac_frame_t.self)
    guard unsafe driver.table.pointee.capture(sensor, 5000, frame) == ac_status_t(AC_OK) else {
      return nil
    }
    let isIntact = unsafe memory[size...].allSatisfy { $0 == 0xA5 }
    return unsafe (Int(memory.load(as: UInt32.self)), isIntact)
  }

  /// The status alone; `AC_OK` for a frame.
  func captureStatus(milliseconds: UInt32 = 1000) -> Int {
    switch capture(milliseconds: milliseconds) {
    case .success: AC_OK
    case .failure(let failure): failure.status
    }
  }

  /// What the device is, if the driver says.
  func info() -> ac_device_info_t? {
    let asked = unsafe driver.ability(
      AC_DEVICE_INFO_EXTENSION, as: ac_device_info_extension_t.self)
    guard let asked = unsafe asked else { return nil }
    var info = ac_device_info_t()
    info.struct_size = UInt32(MemoryLayout<ac_device_info_t>.size)
    return unsafe asked.pointee.get(sensor, &info) == ac_status_t(AC_OK) ? info : nil
  }

  /// As the driver's host holds it.
  func hosted() -> OpenedSensor {
    unsafe OpenedSensor(
      sensor: sensor, table: driver.table, services: HostServices(log: { _, _ in }))
  }

  func interrupt() {
    unsafe driver.table.pointee.interrupt(sensor)
  }

  /// What it can do as a sensor that matches on the chip.
  func chip() throws -> LoadedChip {
    let table = unsafe driver.ability(
      AC_MATCH_ON_CHIP_EXTENSION, as: ac_match_on_chip_extension_t.self)
    guard let table = unsafe table else {
      throw BuiltPlugin.LoadError(description: "the driver has no match-on-chip/1")
    }
    return unsafe LoadedChip(table, sensor, self)
  }
}

/// An option as `--driver name:option=value` gives it.
struct TestOption {
  let name: String
  let value: String
  let number: Int64
  let isFile: Bool

  static func number(_ name: String, _ value: Int64) -> TestOption {
    .init(name: name, value: String(value), number: value, isFile: false)
  }

  static func text(_ name: String, _ value: String) -> TestOption {
    .init(name: name, value: value, number: 0, isFile: false)
  }

  static func file(_ name: String, _ path: String) -> TestOption {
    .init(name: name, value: path, number: 0, isFile: true)
  }

  @unsafe func made() throws -> ac_option_t {
    let descriptor = unsafe isFile ? Glibc.open(value, O_RDONLY | O_CLOEXEC) : -1
    guard descriptor >= 0 || !isFile else {
      throw BuiltPlugin.LoadError(description: "\(value) cannot be opened")
    }
    return unsafe ac_option_t(
      name: strdup(name), value: strdup(value), file_descriptor: descriptor, number: number)
  }
}

extension ac_option_t {
  @unsafe func free() {
    unsafe Glibc.free(UnsafeMutablePointer(mutating: name))
    unsafe Glibc.free(UnsafeMutablePointer(mutating: value))
    if unsafe file_descriptor >= 0 { unsafe close(file_descriptor) }
  }
}
