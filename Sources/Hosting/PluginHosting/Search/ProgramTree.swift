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
