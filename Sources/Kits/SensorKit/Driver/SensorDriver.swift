internal import AuthcoreABI

// SensorKit: imported by authors of drivers and transports. It makes the C tables of
// include/authcore.

/// A driver for one model of sensor: a straight-line program that turns touches into frames.
///
/// The host makes one value for each device that it opens, calls it on one thread, and closes the
/// device by letting the value die. A module holds one driver and gives it to the host:
///
///     @c @implementation
///     public func ac_sensor_entry(
///       _ host: UnsafePointer<ac_host_t>!,
///       _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
///     ) -> ac_status_t {
///       unsafe export(MySensor.self, host: host, ret: ret_driver)
///     }
public protocol SensorDriver: ~Copyable, SendableMetatype {
  /// The static facts, read without a device.
  static var description: SensorDescription { get }

  /// Opens the device and readies it. If this throws, nothing else is called.
  ///
  /// - Throws: ``SensorFailure/Code/lift`` if a finger on the sensor has to go first; the host then
  ///   tries again.
  init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure)

  /// What the open device is, if ``description`` fits several kinds; otherwise nil. Read once,
  /// after `init`.
  var deviceInfo: DeviceInfo? { get }

  /// Waits for a touch (or a swipe). A finger that is still there from the previous call has to be
  /// lifted first. After a retry or a timeout the next call works; after
  /// ``SensorFailure/Code/gone`` it may.
  ///
  /// - Throws: ``SensorFailure/Code/timeout`` after `timeout`, ``SensorFailure/Code/interrupted``
  ///   within 100 ms of a request at the context's ``SensorContext/interruption``, or the device's
  ///   failure.
  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome
}

extension SensorDriver where Self: ~Copyable {
  public var deviceInfo: DeviceInfo? { nil }
}

/// What the driver of an open device works with.
public struct SensorContext: Sendable {
  public let host: DriverServices
  public let interruption: Interruption

  init(host: DriverServices) {
    self.host = host
    interruption = Interruption()
  }

  /// The USB device that the host opened for this driver, `usb/1`.
  ///
  /// - Throws: ``SensorFailure/Code/notFound`` if the host has no device.
  public func usb() throws(SensorFailure) -> USBDevice {
    guard let service = unsafe host.service(AC_USB_SERVICE, as: ac_usb_service_t.self) else {
      throw SensorFailure(
        .notFound,
        "The host has no USB device for this driver: plug one in that `driver info` lists")
    }
    let device = try unsafe USBDevice(service, interruption: interruption)
    unsafe interruption.forward(to: service)
    return device
  }
}
