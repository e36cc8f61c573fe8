import Glibc

/// What stands in for the device while a driver is checked.
package struct CheckedDevice: Equatable, Sendable {
  /// The path of a device model: a plugin with the one symbol of model.h.
  package var model: String?
  /// The path of recorded traffic.
  package var recording: String?
  /// Which device of the recording is meant, `298d:1010` or `1.44`; "" for the one that the driver
  /// handles.
  package var recordedDevice: String

  /// Either may be there, both, or none.
  package init(model: String? = nil, recording: String? = nil, recordedDevice: String = "") {
    self.model = model
    self.recording = recording
    self.recordedDevice = recordedDevice
  }

  /// The model that lies beside a driver: `NAME-model.so` beside `NAME.so`.
  package static func model(beside driver: String) -> String? {
    let suffix = ".so"
    guard driver.hasSuffix(suffix) else { return nil }
    let path = String(driver.dropLast(suffix.utf8.count)) + "-model" + suffix
    guard let canonical = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(canonical) }
    return unsafe String(cString: canonical)
  }
}
