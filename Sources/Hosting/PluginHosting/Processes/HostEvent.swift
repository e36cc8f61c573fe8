package import Protocol

/// What a host that is ready says to the core or a command.
package enum HostEvent: ~Copyable, Sendable {
  /// The answer to the ``EngineCall`` before.
  case reply(SecretBytes)
  /// What the engine emitted; may come when no call is under way.
  case event(SecretBytes)
  case log(PluginLogLevel, String)
  /// The answer to ``OpenSensorRequest``: the device is open; what it is, where its driver says.
  case sensorOpened(SensorIdentity?)
  /// The answer to ``CloseSensor``.
  case sensorClosed
  /// A watching host: a device came or went.
  case deviceChange(DeviceChange)
  /// The answer to ``OpenSensorRequest``: the driver could not; the host lives on.
  case failure(Failure)
}
