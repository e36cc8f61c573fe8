/// How far the sandbox of a host reaches once its plugin runs.
package enum Confinement: String, CaseIterable, Sendable {
  /// No sandbox: `AUTHCORE_SANDBOX=off`.
  case off
  /// No new descriptors at all.
  case closed
  /// Files may be opened for reading, devices not.
  case readsFiles = "reads-files"
  /// Devices may be opened, by libraries that find them themselves.
  case opensDevices = "opens-devices"
  /// Files in one folder may be read, written and removed.
  case enclave
}
