internal import AuthcoreABI

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
