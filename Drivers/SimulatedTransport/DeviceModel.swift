internal import SensorKit

/// The protocol of a device, from the device's side: a value that is told what the host does and what time it is.
protocol DeviceModel: SendableMetatype {
  /// What the source's text calls it.
  static var name: String { get }

  /// Makes the device as it is when it is plugged in.
  init(settings: ModelSettings) throws(SensorFailure)

  /// Its descriptor.
  var info: USBDeviceInfo { get }

  /// Answers a control request; `data` is what the host writes.
  mutating func control(_ setup: USBSetup, _ data: [UInt8], at now: Duration) -> ControlAnswer

  /// Takes a write to an OUT endpoint; false halts the endpoint.
  mutating func write(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> Bool

  /// The next thing the device sends on its own, if it does so by `now`. It is lost where the host reads nothing.
  mutating func emission(until now: Duration) -> Emission?
}

/// How a device answers a control request.
enum ControlAnswer: Equatable {
  /// It took the data.
  case done
  /// It sends these bytes.
  case bytes([UInt8])
  /// It does not know the request.
  case stall
}

/// Bytes that a device sends on its own.
struct Emission: Equatable {
  let endpoint: UInt8
  let bytes: [UInt8]
}
