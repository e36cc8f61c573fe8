import Glibc
package import LinuxSystem
package import Protocol

/// Where plugins are looked for, in order.
package struct PluginSearch: Equatable, Sendable {
  /// The folders, the first one first.
  package let folders: [PluginFolder]

  /// - Parameters:
  ///   - tree: what the running program lies in.
  ///   - pluginPath: folders between colons that come before all others; relative ones are ignored.
  init(of tree: ProgramTree, pluginPath: String?) {
    let first = (pluginPath ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    folders =
      first.map { PluginFolder(path: String($0), content: .mixed) } + tree.pluginFolders
  }

  /// The first file with the name of this engine.
  /// - Throws: `engineFailed` where there is none, `untrustedPlugin` for one that is not trusted;
  ///   later folders are not tried then.
  package func engine(_ kind: EngineKind) throws(Failure) -> TrustedFile {
    for folder in folders {
      let path = folder.path + "/" + kind.fileName
      if Self.exists(path) { return try TrustedFile(checking: path, missing: .engineFailed) }
    }
    throw Failure(
      .engineFailed, "The \(kind.name) engine, \(kind.fileName), was not found", hint: lookedIn)
  }

  /// The first file of this transport.
  /// - Throws: `driverFailed` where there is none, `untrustedPlugin` for one that is not trusted.
  package func transport(_ name: String) throws(Failure) -> TrustedFile {
    let fileName = "libauthcore-transport-\(name).so"
    for folder in folders {
      let path = folder.path + "/" + fileName
      if Self.exists(path) { return try TrustedFile(checking: path) }
    }
    throw Failure(
      .driverFailed, "The transport \(name), \(fileName), was not found", hint: lookedIn)
  }

  /// Every file that is taken for a driver, in order.
  package var driverFiles: [String] { folders.flatMap(\.drivers) }

  /// The first file named after this driver.
  func driverFile(named name: String) -> String? {
    folders.lazy.flatMap { $0.driverPaths(named: name) }.first(where: Self.exists)
  }

  /// Names the folders, for a hint.
  var lookedIn: String { "looked in " + folders.map(\.path).joined(separator: ", ") }

  private static func exists(_ path: String) -> Bool {
    // A broken link exists too: the error about it says more than silence.
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }
}

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
    FolderNames.sorted(in: path).filter(isDriver).map { path + "/" + $0 }
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

/// The tree of files that a program lies in.
package enum ProgramTree: Equatable, Sendable {
  /// Everything lies in one folder, as the build leaves it.
  case built(folder: String)
  /// `make install` or a package made it: programs in `PREFIX/lib/authcore/bin`, drivers, plugins and
  /// the Swift runtime beside that folder (scripts/install).
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

  /// Where a package installs plugins; drivers that were installed so serve built programs, too.
  private static let ofThisMachine = folders(in: "/usr")

  /// Where it has plugins, the first one first.
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

  /// What it is called in front of people.
  package var text: String {
    switch self {
    case .built(let folder): "built in \(folder)"
    case .installed(let prefix): "installed in \(prefix)"
    }
  }

  /// What brings back a part of it that is missing.
  package var remedy: String {
    switch self {
    case .built: "Build it: make build"
    case .installed("/usr"): "Install it once more: apt install --reinstall authcore"
    case .installed(let prefix): "Install it once more: make install PREFIX=\(prefix)"
    }
  }
}
