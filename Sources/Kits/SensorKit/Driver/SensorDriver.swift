internal import AuthcoreABI

// SensorKit: what the author of a sensor driver or a transport imports; it makes the C tables of
// include/authcore.

/// A driver for one model of sensor: a straight-line program that turns touches into frames.
///
/// The host makes one value for each device it opens, calls it on one thread, and lets it die to
/// close the device. A module holds one driver and hands it to the host with
/// ``export(_:host:ret:)``:
///
///     @c @implementation
///     public func ac_sensor_entry(
///       _ host: UnsafePointer<ac_host_t>!,
///       _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
///     ) -> ac_status_t {
///       unsafe export(MySensor.self, host: host, ret: ret_driver)
///     }
public protocol SensorDriver: ~Copyable, SendableMetatype {
  /// The static facts, readable without a device.
  static var description: SensorDescription { get }

  /// Opens the device and readies it. Nothing else is called if this throws.
  ///
  /// - Throws: ``SensorFailure/Code/lift`` where a finger lies on the sensor that has to go first;
  ///   the host tries again.
  init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure)

  /// What the open device is, where ``description`` holds for several; nil where it says it all.
  /// Asked once, after `init`.
  var deviceInfo: DeviceInfo? { get }

  /// Waits for a touch (or a swipe). A finger that still lies on the sensor from the call before
  /// has to be lifted first. After a retry or a timeout the next call works; after
  /// ``SensorFailure/Code/gone`` it may.
  ///
  /// - Throws: ``SensorFailure/Code/timeout`` after `timeout`, ``SensorFailure/Code/interrupted``
  ///   within 100 ms of a request at the context's ``SensorContext/interruption``, or what the
  ///   device did.
  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome
}

extension SensorDriver where Self: ~Copyable {
  /// The description says it all.
  public var deviceInfo: DeviceInfo? { nil }
}

/// What an open device's driver works with.
public struct SensorContext: Sendable {
  /// The host's log and services.
  public let host: DriverServices
  /// The host's wish that a capture returns.
  public let interruption: Interruption

  init(host: DriverServices) {
    self.host = host
    interruption = Interruption()
  }

  /// The USB device that the host opened for this driver, `usb/1`.
  ///
  /// - Throws: ``SensorFailure/Code/notFound`` where the host has no device.
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
