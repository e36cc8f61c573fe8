public import AuthcoreABI
internal import FrameAssembly
internal import Glibc
internal import Synchronization

/// Makes the C table of `driver` and gives it to the host: the whole body of `ac_sensor_entry`.
///
/// A module exports one driver. [owner]
///
/// - Returns: `AC_OK`; `AC_ERR_ABI` when the host is of another major version; `AC_ERR_STATE` when
///   this module already exported another driver; `AC_ERR_ARGUMENT` on a null pointer.
@unsafe public func export<Driver: SensorDriver & ~Copyable>(
  _ driver: Driver.Type, host: UnsafePointer<ac_host_t>?,
  ret: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>?
) -> ac_status_t {
  unsafe export(Driver.self, host, ret) { (options, host) throws(SensorFailure) in
    try OpenSensorOf<Driver>(options: options, host: host)
  }
}

/// Does the same for a driver of a sensor that matches on the chip. [owner]
@unsafe public func export<Driver: ChipSensorDriver & ~Copyable>(
  chip driver: Driver.Type, host: UnsafePointer<ac_host_t>?,
  ret: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>?
) -> ac_status_t {
  unsafe export(Driver.self, host, ret) { (options, host) throws(SensorFailure) in
    try OpenChipOf<Driver>(options: options, host: host)
  }
}

private func export<Driver: SensorDriver & ~Copyable>(
  _ driver: Driver.Type, _ host: UnsafePointer<ac_host_t>?,
  _ ret: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>?,
  open:
    @escaping @Sendable (borrowing SensorOptions, DriverServices) throws(SensorFailure) ->
    SensorBox
) -> ac_status_t {
  unsafe exported.export(
    ObjectIdentifier(driver), version: sensorABI, host: host, ret: ret,
    maker: DriverMaker(
      open: open, matchesOnChip: Driver.description.traits.contains(.matchesOnChip)),
    makeTable: { unsafe SensorTable.make(Driver.description) })
}

/// `AC_SENSOR_ABI`, a macro that Swift does not import.
let sensorABI = UInt32(AC_SENSOR_ABI_MAJOR) << 16 | UInt32(AC_SENSOR_ABI_MINOR)

/// The driver of this module.
@safe let exported = unsafe Mutex<Exported<ac_sensor_driver_t, DriverMaker>?>(nil)

struct DriverMaker: Sendable {
  let open: @Sendable (borrowing SensorOptions, DriverServices) throws(SensorFailure) -> SensorBox
  let matchesOnChip: Bool
}

/// The C side of a Swift driver: the table of sensor.h, whose functions lead to a ``SensorBox``.
enum SensorTable {
  /// Makes the table, which is never freed.
  @unsafe static func make(_ description: SensorDescription) -> UnsafePointer<ac_sensor_driver_t> {
    unsafe immortal(
      ac_sensor_driver_t(
        struct_size: UInt32(MemoryLayout<ac_sensor_driver_t>.size), abi_version: sensorABI,
        description: SensorTable.describe(description),
        open: { unsafe SensorTable.open($0, count: $1, ret: $2) },
        capture: { unsafe SensorTable.capture($0, milliseconds: $1, ret: $2) },
        interrupt: { unsafe SensorTable.interrupt($0) },
        close: { unsafe SensorTable.close($0) },
        extension: { name in
          unsafe DeviceInfoTable.find(name)
            ?? (exported.withLock { unsafe $0?.maker.matchesOnChip } == true
              ? ChipTable.find(name) : nil)
        }))
  }

  private static func open(
    _ options: UnsafePointer<ac_option_t>?, count: UInt32,
    ret: UnsafeMutablePointer<OpaquePointer?>?
  ) -> ac_status_t {
    guard
      let ret = unsafe ret,
      let (host, maker) = unsafe exported.withLock({ exported in
        unsafe exported.map { unsafe ($0.host, $0.maker) }
      })
    else { return SensorFailure.Code.argument.rawValue }
    return host.report { () throws(SensorFailure) in
      let sensor = try maker.open(unsafe SensorOptions(options, count: count), host)
      unsafe ret.pointee = OpaquePointer(Unmanaged.passRetained(sensor).toOpaque())
      return ac_status_t(AC_OK)
    }
  }

  private static func capture(
    _ sensor: OpaquePointer?, milliseconds: UInt32, ret: UnsafeMutablePointer<ac_frame_t>?
  ) -> ac_status_t {
    guard let sensor = unsafe sensor, let ret = unsafe ret,
      let host = unsafe exported.withLock({ unsafe $0?.host })
    else { return SensorFailure.Code.argument.rawValue }
    return host.report { () throws(SensorFailure) in
      try unsafe openSensor(sensor).capture(timeout: .milliseconds(milliseconds), into: ret)
    }
  }

  private static func interrupt(_ sensor: OpaquePointer?) {
    guard let sensor = unsafe sensor else { return }
    unsafe openSensor(sensor).interruption.request()
  }

  private static func close(_ sensor: OpaquePointer?) {
    guard let sensor = unsafe sensor else { return }
    unsafe Unmanaged<SensorBox>.fromOpaque(UnsafeRawPointer(sensor)).release()
  }

  /// The sensor behind an `ac_sensor_t *` of this module.
  static func openSensor(_ sensor: OpaquePointer) -> SensorBox {
    unsafe Unmanaged<SensorBox>.fromOpaque(UnsafeRawPointer(sensor)).takeUnretainedValue()
  }
}

/// What an `ac_sensor_t *` of a Swift driver points to: an open device of any driver type. It is a
/// class, because a C pointer has to lead straight to it.
class SensorBox {
  let interruption: Interruption

  init(interruption: Interruption) {
    self.interruption = interruption
  }

  var deviceInfo: DeviceInfo? { nil }

  func capture(timeout: Duration, into ret_frame: UnsafeMutablePointer<ac_frame_t>)
    throws(SensorFailure) -> ac_status_t
  {
    throw SensorFailure(.unsupported, "This sensor captures nothing")
  }
}

/// The device of one driver type.
@safe class OpenSensorOf<Driver: SensorDriver & ~Copyable>: SensorBox {
  final var driver: Driver
  // Those of the last frame.
  private var pixels: [UInt8] = []
  private var extents = unsafe UnsafeMutableBufferPointer<ac_row_extent_t>(start: nil, count: 0)

  init(options: borrowing SensorOptions, host: DriverServices) throws(SensorFailure) {
    let context = SensorContext(host: host)
    driver = try Driver(options: options, context: context)
    super.init(interruption: context.interruption)
  }

  deinit { forgetFrame() }

  override var deviceInfo: DeviceInfo? { driver.deviceInfo }

  override func capture(timeout: Duration, into ret_frame: UnsafeMutablePointer<ac_frame_t>)
    throws(SensorFailure) -> ac_status_t
  {
    forgetFrame()
    try interruption.check()
    let frame: Frame
    switch try driver.capture(timeout: timeout) {
    case .retry(let reason): return reason.rawValue
    case .frame(let delivered): frame = delivered
    }
    pixels = frame.pixels
    unsafe fill(ret_frame, from: frame)
    return ac_status_t(AC_OK)
  }

  /// Sets field by field, and none beyond the size that the host states (common.h).
  private func fill(_ ret_frame: UnsafeMutablePointer<ac_frame_t>, from frame: Frame) {
    let shape = frame.shape
    unsafe ret_frame.pointee.width_px = UInt32(shape.width)
    unsafe ret_frame.pointee.height_px = UInt32(shape.height)
    unsafe ret_frame.pointee.ppi = UInt32(shape.pixelsPerInch)
    unsafe ret_frame.pointee.flags = shape.layout.rawValue
    // The elements of an array stay in place while it is held and not changed.
    unsafe ret_frame.pointee.pixels = pixels.withUnsafeBufferPointer { $0.baseAddress }
    unsafe ret_frame.pointee.pixel_count = pixels.count
    guard let rows = shape.extents,
      unsafe Int(ret_frame.pointee.struct_size) >= MemoryLayout<ac_frame_t>.size
    else { return }
    // A side has at most 4096 pixels.
    unsafe extents = .allocate(capacity: rows.count)
    _ = unsafe extents.initialize(
      fromContentsOf: rows.map {
        ac_row_extent_t(first: UInt16($0.lowerBound), end: UInt16($0.upperBound))
      })
    unsafe ret_frame.pointee.extents = unsafe UnsafePointer(extents.baseAddress)
    unsafe ret_frame.pointee.extent_count = extents.count
  }

  /// Wipes the pixels: a frame is valid until the driver's next call (sensor.h).
  private func forgetFrame() {
    unsafe extents.deallocate()
    unsafe extents = UnsafeMutableBufferPointer(start: nil, count: 0)
    unsafe pixels.withUnsafeMutableBytes { bytes in
      if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
    }
    pixels = []
  }
}
