internal import AuthcoreABI
internal import FrameAssembly
internal import Glibc

/// What an `ac_sensor_t *` of a Swift driver points to: an open device of any driver type.
///
/// A class, not an existential, because a C pointer has to lead straight to it.
class SensorBox {
  let interruption: Interruption

  init(interruption: Interruption) {
    self.interruption = interruption
  }

  /// What the device is; nil where the driver's description says it all.
  var deviceInfo: DeviceInfo? { nil }

  /// Captures, and stores the frame where `ret_frame` says.
  func capture(timeout: Duration, into ret_frame: UnsafeMutablePointer<ac_frame_t>)
    throws(SensorFailure) -> ac_status_t
  {
    throw SensorFailure(.unsupported, "This sensor captures nothing")
  }
}

/// The device of one driver type.
@safe class OpenSensorOf<Driver: SensorDriver & ~Copyable>: SensorBox {
  final var driver: Driver
  /// Of the last frame, where the driver left them.
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

  /// Field by field, and none beyond the size that the host states (common.h).
  private func fill(_ ret_frame: UnsafeMutablePointer<ac_frame_t>, from frame: Frame) {
    let shape = frame.shape
    unsafe ret_frame.pointee.width_px = UInt32(shape.width)
    unsafe ret_frame.pointee.height_px = UInt32(shape.height)
    unsafe ret_frame.pointee.ppi = UInt32(shape.pixelsPerInch)
    unsafe ret_frame.pointee.flags = shape.layout.rawValue
    // An array's elements stay where they are while somebody holds it and nobody changes it.
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

  /// sensor.h: a frame is valid until the driver's next call; then its pixels are wiped.
  private func forgetFrame() {
    unsafe extents.deallocate()
    unsafe extents = UnsafeMutableBufferPointer(start: nil, count: 0)
    unsafe pixels.withUnsafeMutableBytes { bytes in
      if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
    }
    pixels = []
  }
}
