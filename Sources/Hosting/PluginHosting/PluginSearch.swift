import Glibc
package import LinuxSystem
package import Protocol

/// The folders in which plugins are looked for, in order.
package struct PluginSearch: Equatable, Sendable {
  package let folders: [PluginFolder]

  /// - Parameters:
  ///   - tree: of the running program.
  ///   - pluginPath: folders between colons that come before all others; relative ones are ignored.
  init(of tree: ProgramTree, pluginPath: String?) {
    let first = (pluginPath ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    folders = first.map { PluginFolder(path: String($0), content: .mixed) } + tree.pluginFolders
  }

  /// The first file with the name of this engine.
  /// - Throws: `engineFailed` if there is none; `untrustedPlugin` if it is not trusted, without
  ///   trying later folders.
  package func engine(_ kind: EngineKind) throws(Failure) -> TrustedFile {
    for folder in folders {
      let path = folder.path + "/" + kind.fileName
      if Self.exists(path) { return try TrustedFile(checking: path, missing: .engineFailed) }
    }
    throw Failure(
      .engineFailed, "The \(kind.name) engine, \(kind.fileName), was not found", hint: lookedIn)
  }

  /// The first file of this transport.
  /// - Throws: `driverFailed` if there is none, `untrustedPlugin` if it is not trusted.
  package func transport(_ name: String) throws(Failure) -> TrustedFile {
    let fileName = "libauthcore-transport-\(name).so"
    for folder in folders {
      let path = folder.path + "/" + fileName
      if Self.exists(path) { return try TrustedFile(checking: path) }
    }
    throw Failure(
      .driverFailed, "The transport \(name), \(fileName), was not found", hint: lookedIn)
  }

  package var driverFiles: [String] { folders.flatMap(\.drivers) }

  func driverFile(named name: String) -> String? {
    folders.lazy.flatMap { $0.driverPaths(named: name) }.first(where: Self.exists)
  }

  var lookedIn: String { "looked in " + folders.map(\.path).joined(separator: ", ") }

  private static func exists(_ path: String) -> Bool {
    // A broken link counts: its error says more than silence.
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }
}

package struct PluginFolder: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    /// Those named `libauthcore-….so`; the folder holds other libraries, too.
    case prefixedOnly
    /// Engines and transports, and drivers named `libauthcore-driver-….so`.
    case plugins
    /// Every `.so` is a driver.
    case drivers
    /// Engines, transports and drivers; a name without our prefix is a driver's.
    case mixed
  }

  package let path: String
  package let content: Content

  static let driverPrefix = "libauthcore-driver-"
  private static let prefix = "libauthcore-"
  private static let suffix = ".so"
  /// Ends the name of a device's model, which lies beside the driver.
  private static let modelSuffix = "-model.so"

  func isDriver(_ name: String) -> Bool {
    guard name.hasSuffix(Self.suffix), !name.hasSuffix(Self.modelSuffix), !name.hasPrefix(".")
    else { return false }
    if name.hasPrefix(Self.driverPrefix) { return true }
    switch content {
    case .prefixedOnly, .plugins: return false
    case .drivers, .mixed: return !name.hasPrefix(Self.prefix)
    }
  }

  func driverPaths(named name: String) -> [String] {
    [Self.driverPrefix + name + Self.suffix, name + Self.suffix]
      .filter(isDriver).map { path + "/" + $0 }
  }

  var drivers: [String] { FolderNames.sorted(in: path).filter(isDriver).map { path + "/" + $0 } }
}

/// The three engines, numbered as in engine.h.
package enum EngineKind: Int32, CaseIterable, Sendable {
  case enclave = 1
  case keychain = 2
  case policy = 3

  package var name: String { "\(self)" }

  package var fileName: String { "libauthcore-\(name).so" }
}

package enum ProgramTree: Equatable, Sendable {
  /// All files in one folder, as the build leaves them.
  case built(folder: String)
  /// Made by `make install` or a package: programs in `PREFIX/lib/authcore/bin`; drivers, plugins
  /// and the Swift runtime beside that folder (scripts/install).
  case installed(prefix: String)

  /// - Parameter executableFolder: of the running program; absolute and canonical.
  init(executableFolder: String) {
    if executableFolder.hasSuffix(Self.programs) {
      let prefix = String(executableFolder.dropLast(Self.programs.count))
      self = .installed(prefix: prefix.isEmpty ? "/" : prefix)
    } else {
      self = .built(folder: executableFolder)
    }
  }

  private static let programs = "/lib/authcore/bin"

  /// Where packages install plugins. Drivers from there serve built programs, too.
  private static let ofThisMachine = folders(in: "/usr")

  var pluginFolders: [PluginFolder] {
    switch self {
    case .built(let folder):
      [PluginFolder(path: folder, content: .prefixedOnly)] + Self.ofThisMachine
    case .installed("/usr"): Self.ofThisMachine
    case .installed(let prefix):
      Self.folders(in: prefix == "/" ? "" : prefix) + Self.ofThisMachine
    }
  }

  private static func folders(in prefix: String) -> [PluginFolder] {
    [
      PluginFolder(path: prefix + "/lib/authcore/drivers", content: .drivers),
      PluginFolder(path: prefix + "/lib/authcore/plugins", content: .plugins),
    ]
  }

  package var text: String {
    switch self {
    case .built(let folder): "built in \(folder)"
    case .installed(let prefix): "installed in \(prefix)"
    }
  }

  /// How to restore a missing part.
  package var remedy: String {
    switch self {
    case .built: "Build it: make build"
    case .installed("/usr"): "Install it once more: apt install --reinstall authcore"
    case .installed(let prefix): "Install it once more: make install PREFIX=\(prefix)"
    }
  }
}
