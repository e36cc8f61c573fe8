import Glibc

package struct PluginFolder: Equatable, Sendable {
  /// Which files in it are plugins.
  package enum Content: Equatable, Sendable {
    /// Those named `libauthcore-….so`: the folder holds other libraries as well.
    case prefixedOnly
    /// Engines and transports, and drivers named `libauthcore-driver-….so`.
    case plugins
    /// Every `.so` is a driver.
    case drivers
    /// Engines, transports and drivers; a name without our prefix is a driver's.
    case mixed
  }

  /// Absolute.
  package let path: String
  package let content: Content

  static let driverPrefix = "libauthcore-driver-"
  private static let prefix = "libauthcore-"
  private static let suffix = ".so"
  /// Of the model of a driver's device, which lies beside the driver.
  private static let modelSuffix = "-model.so"

  /// Whether a file of this name is taken for a driver.
  func isDriver(_ name: String) -> Bool {
    guard name.hasSuffix(Self.suffix), !name.hasSuffix(Self.modelSuffix), !name.hasPrefix(".")
    else { return false }
    if name.hasPrefix(Self.driverPrefix) { return true }
    switch content {
    case .prefixedOnly, .plugins: return false
    case .drivers, .mixed: return !name.hasPrefix(Self.prefix)
    }
  }

  /// The paths a driver called `name` may have here, the likeliest first.
  func driverPaths(named name: String) -> [String] {
    [Self.driverPrefix + name + Self.suffix, name + Self.suffix]
      .filter(isDriver).map { path + "/" + $0 }
  }

  /// The paths of all drivers, by name.
  var drivers: [String] {
    guard let listing = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(listing) }
    var names: [String] = []
    while let entry = unsafe readdir(listing) {
      // d_name ends with a NUL inside its 256 bytes (readdir(3)).
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if isDriver(name) { names.append(name) }
    }
    return names.sorted().map { path + "/" + $0 }
  }
}

/// The three engines, numbered as in engine.h.
package enum EngineKind: Int32, CaseIterable, Sendable {
  case enclave = 1
  case keychain = 2
  case policy = 3

  /// Its word in file names and messages.
  package var name: String {
    switch self {
    case .enclave: "enclave"
    case .keychain: "keychain"
    case .policy: "policy"
    }
  }

  /// The plugin's file, "libauthcore-enclave.so".
  package var fileName: String { "libauthcore-\(name).so" }
}
