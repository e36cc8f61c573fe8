import CoreClient
import Glibc
import LinuxSystem
import PluginHosting
import Protocol

/// Where libpam looks for the files that services read.
struct PAMFolders {
  /// Below which they lie; empty for this machine.
  let root: String

  /// The first that has a file of a name is where it is read.
  private static let folders = ["/etc/pam.d/", "/usr/lib/pam.d/"]

  /// The names of all files there; copies that were kept here are none.
  var names: [String] {
    Set(Self.folders.flatMap { FolderNames.sorted(in: root + $0) })
      .filter { !$0.hasSuffix(PAMServiceFile.backupSuffix) }.sorted()
  }

  /// The file of that name, which is its path where it begins with a slash.
  /// - Returns: nil where there is none that can be read.
  func file(_ name: String) -> (path: String, configuration: PAMConfiguration)? {
    let folders = name.hasPrefix("/") ? [""] : Self.folders
    guard name.hasPrefix("/") || !name.contains("/") else { return nil }
    for folder in folders {
      let path = root + folder + name
      if let bytes = PAMServiceFile.bytes(at: path) { return (path, PAMConfiguration(bytes)) }
    }
    return nil
  }

  /// The file that has a line for authcore, of those that this one reads, and those read.
  func placeOfModule(readBy configuration: PAMConfiguration) -> String? {
    var (names, seen) = (configuration.included, Set<String>())
    while let name = names.popLast() {
      guard seen.insert(name).inserted, let (path, included) = file(name) else { continue }
      if included.isEnabled || included.namesModule { return path }
      names += included.included
    }
    return nil
  }
}

/// Which files of services are read by others, to say who somebody is.
struct PAMReaders {
  /// The names of those that read a file, by where that lies.
  private var readers: [String: [String]] = [:]
  /// Where the file of a name lies, at the end of whatever links lead to it.
  private var places: [String: String] = [:]

  init(_ folders: PAMFolders) {
    for name in folders.names {
      guard let (path, configuration) = folders.file(name) else { continue }
      places[name] = CanonicalPath.of(path)
      let included = configuration.included.compactMap { folders.file($0)?.path }
      for place in Set(included.compactMap(CanonicalPath.of)) {
        readers[place, default: []].append(name)
      }
    }
  }

  /// Services that read the file of `service`, by themselves or through others; sorted. What the same
  /// program is called in another way, as `sudo-i` is, counts as itself.
  func services(reading service: String) -> [String] {
    var waiting = readers(of: service)
    var (seen, services): (Set<String>, Set<String>) = ([service], [])
    while let name = waiting.popLast() {
      guard seen.insert(name).inserted else { continue }
      let others = readers(of: name)
      defer { waiting += others }
      guard !Self.isVariant(name, of: service) else { continue }
      if others.allSatisfy({ Self.isVariant($0, of: name) }) { services.insert(name) }
    }
    // Files that read each other are each no service, and read all the same.
    let others = seen.filter { $0 != service && !Self.isVariant($0, of: service) }
    return (services.isEmpty ? others : services).sorted()
  }

  /// What the program of `service` is called besides where its file is read, and what other names lead
  /// to that file; sorted.
  func variants(of service: String) -> [String] {
    let links = places.filter { $0.key != service && $0.value == places[service] }.keys
    return Set(links + readers(of: service).filter { Self.isVariant($0, of: service) }).sorted()
  }

  /// - Throws: `unsupported` where a line in the file of `service` would hold for others.
  func checkAlone(_ service: String) throws(Failure) {
    let others = services(reading: service)
    guard let first = others.first(where: { $0 == "sudo" }) ?? others.first else { return }
    let shown =
      others.count > 3 ? "\(others.count) services" : others.joined(separator: ", ")
    throw Failure(
      .unsupported,
      "\(service.printable) is read by \(shown.printable): its line would hold there, too",
      hint: "name the service itself: sudo authcore pam enable \(first.printable)")
  }

  private func readers(of name: String) -> [String] {
    places[name].flatMap { place in readers[place]?.filter { places[$0] != place } } ?? []
  }

  private static func isVariant(_ name: String, of service: String) -> Bool {
    name.hasPrefix(service + "-")
  }
}

/// Where `pam_authcore.so` lies, and what a PAM file calls it.
enum InstalledPAMModule {
  /// Its name where libpam looks for modules by itself, which is where its own are; else its path.
  /// - Parameters:
  ///   - root: empty for this machine.
  ///   - installation: of this program, which may have brought one elsewhere.
  /// - Returns: what stands in a PAM file.
  /// - Throws: `usage` where there is none, `untrustedPlugin` where others could change it.
  static func name(root: String, _ installation: Installation) throws(Failure) -> String {
    let module = PAMConfiguration.module
    var places = folders(root)
    if root.isEmpty, case .installed(let prefix) = installation.tree {
      places.append((prefix == "/" ? "" : prefix) + "/lib/security")
    }
    let found = places.filter { unsafe access("\($0)/\(module)", F_OK) == 0 }
    if found.contains(where: { unsafe access("\($0)/pam_unix.so", F_OK) == 0 }) { return module }
    guard let folder = found.first else {
      throw Failure(
        .usage, "\(module) is not installed",
        hint: "install authcore for the whole machine: sudo make install, or its package")
    }
    return try TrustedFile(checking: "\(folder)/\(module)", missing: .usage).path
  }

  /// Where distributions keep libpam's modules.
  private static func folders(_ root: String) -> [String] {
    #if arch(arm64)
      let architecture = "aarch64"
    #else
      let architecture = "x86_64"
    #endif
    return [
      "/lib/\(architecture)-linux-gnu", "/usr/lib/\(architecture)-linux-gnu", "/lib64",
      "/usr/lib64", "/lib", "/usr/lib",
    ].map { root + $0 + "/security" }
  }
}
