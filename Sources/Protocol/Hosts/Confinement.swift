/// How far the sandbox of a host reaches once its plugin runs.
package enum Confinement: String, CaseIterable, WireField {
  /// No sandbox: `AUTHCORE_SANDBOX=off`.
  case off
  /// No new descriptors at all.
  case closed
  /// No new descriptors at all; the USB device that is handed over can be used.
  case usesDevice = "uses-device"
  /// Files may be opened for reading, devices not; a USB device that is handed over can be used.
  case readsFiles = "reads-files"
  /// What is connected can be seen, and when that changes; no device may be opened.
  case watchesDevices = "watches-devices"
  /// Devices may be opened, by libraries that find them themselves.
  case opensDevices = "opens-devices"
  /// Files in one folder may be read, written and removed.
  case enclave
}
