internal import AuthcoreABI
internal import Glibc

/// What an `ac_sensor_t *` of a Swift driver points to: an open device of any driver type.
///
/// A class, not an existential, because a C pointer has to lead straight to it.
class OpenSensor {
  let interruption: Interruption

  init(interruption: Interruption) {
    self.interruption = interruption
  }

  /// Captures, and stores the frame where `ret_frame` says.
  func capture(timeout: Duration, into ret_frame: UnsafeMutablePointer<ac_frame_t>)
    throws(SensorFailure) -> ac_status_t
  {
    throw SensorFailure(.unsupported, "This sensor captures nothing")
  }
}

/// The device of one driver type.
@safe final class OpenSensorOf<Driver: SensorDriver & ~Copyable>: OpenSensor {
  private var driver: Driver
  private var pixels = unsafe UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

  init(options: borrowing SensorOptions, host: PluginHost) throws(SensorFailure) {
    let context = SensorContext(host: host)
    driver = try Driver(options: options, context: context)
    super.init(interruption: context.interruption)
  }

  deinit { forgetPixels() }

  override func capture(timeout: Duration, into ret_frame: UnsafeMutablePointer<ac_frame_t>)
    throws(SensorFailure) -> ac_status_t
  {
    forgetPixels()
    try interruption.check()
    let frame: Frame
    switch try driver.capture(timeout: timeout) {
    case .retry(let reason): return reason.rawValue
    case .frame(let delivered): frame = delivered
    }
    unsafe pixels = .allocate(capacity: frame.pixels.count)
    _ = unsafe pixels.initialize(fromContentsOf: frame.pixels)
    unsafe ret_frame.pointee = unsafe ac_frame_t(
      struct_size: UInt32(MemoryLayout<ac_frame_t>.size), width_px: UInt32(frame.width),
      height_px: UInt32(frame.height), ppi: UInt32(frame.pixelsPerInch),
      flags: frame.layout.rawValue,
      pixels: pixels.baseAddress, pixel_count: pixels.count)
    return ac_status_t(AC_OK)
  }

  /// sensor.h: a frame is valid until the driver's next call; then it is wiped.
  private func forgetPixels() {
    guard let start = unsafe pixels.baseAddress else { return }
    unsafe explicit_bzero(start, pixels.count)
    unsafe pixels.deallocate()
    unsafe pixels = UnsafeMutableBufferPointer(start: nil, count: 0)
  }
}
