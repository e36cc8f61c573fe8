import Glibc
import LinuxSystem
import Protocol

/// What the environment says about where things lie; read once, at the start of a program.
package struct ClientEnvironment: Equatable, Sendable {
  /// `AUTHCORE_HOME`; empty counts as not set.
  package let home: String?
  /// `AUTHCORE_DRIVER`; empty counts as not set.
  package let driver: String?
  /// Where state folders lie (`XDG_STATE_HOME`, else `~/.local/state`; XDG Base Directory
  /// Specification).
  package let stateFolder: String?
  /// Where what belongs to a person is kept: `authcore` in `XDG_DATA_HOME`, else in
  /// `~/.local/share`.
  package let dataFolder: String?
  /// Where what can be made again is kept: `authcore` in `XDG_CACHE_HOME`, else in `~/.cache`.
  package let cacheFolder: String?
  /// Where the service of the machine is looked for.
  package let service: ServiceChoice
  /// Where relative paths begin.
  package let workingFolder: String

  /// An environment made up, as tests do.
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

  /// The environment of this process.
  package static func current() -> ClientEnvironment {
    func value(_ name: String) -> String? {
      EnvironmentVariable.value(of: name).flatMap { $0.isEmpty ? nil : $0 }
    }
    // The specification has relative paths ignored.
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

  /// This environment with another state folder and another driver, if they are named.
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
    // getpwuid's entry is copied before any other call can replace it; no second thread runs yet.
    guard let entry = unsafe getpwuid(geteuid()), let folder = unsafe entry.pointee.pw_dir else {
      return nil
    }
    return unsafe String(cString: folder)
  }

  private static func currentFolder() -> String {
    // getcwd(3) with a null buffer allocates one, freed here.
    let folder = unsafe getcwd(nil, 0)
    defer { unsafe free(folder) }
    // A folder that is gone, or whose name is no text, cannot be told to a core: relative paths lead
    // nowhere (ENOTDIR), and not to the root or to a folder of a similar name.
    return unsafe folder.flatMap { unsafe String(validatingCString: $0) } ?? "/dev/null"
  }
}

extension ClientEnvironment {
  /// Where what drivers say of themselves is remembered: beside the state of a folder that is named,
  /// else in the cache; nil: nowhere.
  package func descriptionsFile(home: String?) -> String? {
    if let home {
      // In a folder that the core refuses nothing is written either.
      let folder = absolute(home)
      guard !home.isEmpty, CoreLocation.isStateFolder(folder) else { return nil }
      return folder + "/" + StateFolder.descriptions
    }
    guard let folder = cacheFolder else { return nil }
    // Each fails if it is there already, or cannot be made: then nothing is remembered.
    if let slash = folder.lastIndex(of: "/") { _ = unsafe mkdir(String(folder[..<slash]), 0o700) }
    _ = unsafe mkdir(folder, 0o700)
    return folder + "/" + StateFolder.descriptions
  }
}
