import Glibc
package import LinuxSystem
package import Protocol
import Sandbox

/// A driver's file and what it says about itself.
package struct InstalledDriver: Equatable, Sendable {
  package let file: TrustedFile
  package let description: DriverDescription

  /// The canonical path of its file.
  package var path: String { file.path }

  /// The file of the model of its device, `NAME-model.so` beside `NAME.so`; nil where there is
  /// none.
  package var modelBeside: String? {
    guard path.hasSuffix(".so") else { return nil }
    let model = path.dropLast(3) + "-model.so"
    return unsafe access(String(model), R_OK) == 0 ? String(model) : nil
  }
}

extension DriverDescription {
  /// The sandbox the driver runs in.
  package var confinement: Confinement {
    if flags.contains(.opensDevices) { return .opensDevices }
    return flags.contains(.readsFiles) ? .readsFiles : .closed
  }
}
