internal import AuthcoreABI

/// A queued read. Some devices want one pending before a write, for an image that answers a command
/// or for messages that must not be missed. It is cancelled when the value dies.
public struct PendingRead: ~Copyable {
  private let device: USBDevice
  private let endpoint: USBEndpoint
  private let length: Int
  /// 0 once it is used up.
  private var ticket: UInt32

  init(device: USBDevice, endpoint: USBEndpoint, length: Int, ticket: UInt32) {
    (self.device, self.endpoint, self.length, self.ticket) = (device, endpoint, length, ticket)
  }

  /// Waits for the bytes. After ``SensorFailure/Code/timeout`` or
  /// ``SensorFailure/Code/interrupted`` the read is still pending, and can be waited for again.
  /// After anything else it is over.
  public mutating func wait(deadline: Duration?) throws(SensorFailure) -> [UInt8] {
    guard ticket != 0 else {
      throw SensorFailure(.state, "This read from \(endpoint) has already completed")
    }
    let ticket = ticket
    do throws(SensorFailure) {
      let bytes = try unsafe device.read("Waiting for \(endpoint)", capacity: length) {
        service, bytes, count in
        unsafe service.wait(
          service.device, ticket, USBDevice.milliseconds(deadline), bytes, UInt32(length), count)
      }
      self.ticket = 0
      return bytes
    } catch {
      if error.code != .timeout && error.code != .interrupted { self.ticket = 0 }
      throw error
    }
  }

  // If cancelling fails, the read is over or the device is gone.
  deinit {
    guard ticket != 0 else { return }
    let service = unsafe device.service.pointee
    _ = unsafe service.cancel(service.device, ticket)
  }
}
