import Glibc

/// What stands in for the device while a driver is checked.
package enum CheckedDevice: Equatable, Sendable {
  /// A device model: a plugin with the one symbol of model.h.
  case model(path: String)
  /// Recorded traffic.
  case recording(path: String)
  /// Nothing.
  case none

  /// The model that lies beside a driver: `NAME-model.so` beside `NAME.so`.
  package static func beside(driver path: String) -> CheckedDevice {
    let suffix = ".so"
    guard path.hasSuffix(suffix) else { return .none }
    let model = String(path.dropLast(suffix.utf8.count)) + "-model" + suffix
    guard let canonical = unsafe realpath(model, nil) else { return .none }
    defer { unsafe free(canonical) }
    return unsafe .model(path: String(cString: canonical))
  }
}
