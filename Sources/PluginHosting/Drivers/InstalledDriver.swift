package import Sandbox

/// A driver's file and what it says about itself.
package struct InstalledDriver: Equatable, Sendable {
  /// Where it lies.
  package let file: TrustedFile
  /// What it says.
  package let description: SensorDescription

  /// The canonical path of its file.
  package var path: String { file.path }
}

extension SensorDescription {
  /// The sandbox the driver runs in.
  package var confinement: Confinement {
    if flags.contains(.opensDevices) { return .opensDevices }
    return flags.contains(.readsFiles) ? .readsFiles : .closed
  }
}
