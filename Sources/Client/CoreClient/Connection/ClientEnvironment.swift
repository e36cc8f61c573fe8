import Glibc
import LinuxSystem
import Protocol

/// The locations that the environment names, read once at the start of a program.
package struct ClientEnvironment: Equatable, Sendable {
  /// `AUTHCORE_HOME`; nil if empty.
  package let home: String?
  /// `AUTHCORE_DRIVER`; nil if empty.
  package let driver: String?
  /// The folder of state folders (`XDG_STATE_HOME`, else `~/.local/state`; XDG Base Directory
  /// Specification).
  package let stateFolder: String?
  /// The folder for a person's data: `authcore` in `XDG_DATA_HOME`, else in `~/.local/share`.
  package let dataFolder: String?
  /// The folder of the public halves that `authcore ssh setup` writes.
  package var sshFolder: String? { dataFolder.map { $0 + "/ssh" } }
  /// The folder for data that can be made again: `authcore` in `XDG_CACHE_HOME`, else in
  /// `~/.cache`.
  let cacheFolder: String?
  package let service: ServiceChoice
  /// The folder for relative paths.
  package let workingFolder: String

  package init(
    home: String? = nil, driver: String? = nil, stateFolder: String?, dataFolder: String? = nil,
    cacheFolder: String? = nil, service: ServiceChoice = .usual, workingFolder: String
  ) {
    self.home = home
    self.driver = driver
    self.stateFolder = stateFolder
    self.dataFolder = dataFolder
    self.cacheFolder = cacheFolder
    self.service = service
    self.workingFolder = workingFolder
  }

  package static func current() -> ClientEnvironment {
    func value(_ name: String) -> String? {
      EnvironmentVariable.value(of: name).flatMap { $0.isEmpty ? nil : $0 }
    }
    // The specification says that relative paths are ignored.
    func folder(_ name: String) -> String? {
      value(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let person = folder("HOME") ?? homeInUserDatabase()
    let cache = folder("XDG_CACHE_HOME") ?? person.map { $0 + "/.cache" }
    let data = folder("XDG_DATA_HOME") ?? person.map { $0 + "/.local/share" }
    return ClientEnvironment(
      home: value("AUTHCORE_HOME"), driver: value("AUTHCORE_DRIVER"),
      stateFolder: folder("XDG_STATE_HOME") ?? person.map { $0 + "/.local/state" },
      dataFolder: data.map { $0 + "/authcore" }, cacheFolder: cache.map { $0 + "/authcore" },
      service: .current(), workingFolder: currentFolder())
  }

  /// This environment with another state folder and another driver, unless they are nil.
  package func with(home: String?, driver: String?) -> ClientEnvironment {
    ClientEnvironment(
      home: home ?? self.home, driver: driver ?? self.driver, stateFolder: stateFolder,
      dataFolder: dataFolder, cacheFolder: cacheFolder, service: service,
      workingFolder: workingFolder)
  }

  /// `path`, made absolute if it is relative.
  package func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(workingFolder)/\(path)"
  }

  private static func homeInUserDatabase() -> String? {
    // The entry of getpwuid is copied before another call can replace it; no second thread runs
    // yet.
    guard let entry = unsafe getpwuid(geteuid()), let folder = unsafe entry.pointee.pw_dir else {
      return nil
    }
    return unsafe String(cString: folder)
  }

  private static func currentFolder() -> String {
    // getcwd(3) with a null buffer allocates one, freed here.
    let folder = unsafe getcwd(nil, 0)
    defer { unsafe free(folder) }
    // A folder that is gone, or whose name is not text, cannot be named to a core. Relative paths
    // then lead nowhere (ENOTDIR), not to the root or a folder with a similar name.
    return unsafe folder.flatMap { unsafe String(validatingCString: $0) } ?? "/dev/null"
  }
}

extension ClientEnvironment {
  /// The file that remembers drivers' descriptions: in a state folder that is named, else in the
  /// cache; nil if there is no place for it.
  package func descriptionsFile(home: String?) -> String? {
    if let home {
      // Nothing is written into a folder that the core would refuse.
      let folder = absolute(home)
      guard !home.isEmpty, CoreLocation.isStateFolder(folder) else { return nil }
      return folder + "/" + StateFolder.descriptions
    }
    guard let folder = cacheFolder else { return nil }
    // Either fails if the folder exists or cannot be made; in the latter case nothing is
    // remembered.
    if let slash = folder.lastIndex(of: "/") { _ = unsafe mkdir(String(folder[..<slash]), 0o700) }
    _ = unsafe mkdir(folder, 0o700)
    return folder + "/" + StateFolder.descriptions
  }
}
