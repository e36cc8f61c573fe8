/// One open USB device, however it is reached: what a transport plugin implements.
///
/// Calls are made on one thread. Dying cancels what is pending, releases and closes. A module
/// exports one transport with ``export(_:host:ret:)`` from `ac_transport_entry`.
public protocol USBTransport: SendableMetatype {
  /// "usb", "recording", …
  static var name: String { get }

  /// Opens the device that `source` tells of.
  init(source: TransportSource, context: SensorContext) throws(SensorFailure)

  var info: USBDeviceInfo { get }

  /// Claims an interface, detaching a kernel driver where possible.
  mutating func claimInterface(_ number: UInt8) throws(SensorFailure)

  /// Gives an interface back.
  mutating func releaseInterface(_ number: UInt8) throws(SensorFailure)

  /// Begins a transfer and returns at once. `identifier` was never used before.
  mutating func submit(_ transfer: USBTransfer, as identifier: UInt32) throws(SensorFailure)

  /// Waits for a transfer that was begun; nil as a deadline is none. Ends with
  /// ``SensorFailure/Code/interrupted`` when the context's interruption says so. After that and
  /// after a timeout the transfer goes on; otherwise it is over.
  mutating func wait(for identifier: UInt32, deadline: Duration?) throws(SensorFailure)
    -> USBTransferResult

  /// Ends a transfer; one that is over already is no failure.
  ///
  /// - Returns: The bytes that had come before.
  mutating func cancel(_ identifier: UInt32) throws(SensorFailure) -> [UInt8]

  mutating func clearHalt(endpoint: UInt8) throws(SensorFailure)

  mutating func reset() throws(SensorFailure)
}
