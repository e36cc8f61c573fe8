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
