import CoreClient
import Glibc
import LinuxSystem
import PluginHosting
import Protocol

/// The folders where libpam looks for the files of services.
struct PAMFolders {
  /// The folder that they lie below; empty for this machine.
  let root: String

  /// The first folder that has a file wins.
  private static let folders = ["/etc/pam.d/", "/usr/lib/pam.d/"]

  /// The names of all files there, without backups of this command.
  var names: [String] {
    Set(Self.folders.flatMap { FolderNames.sorted(in: root + $0) })
      .filter { !$0.hasSuffix(PAMServiceFile.backupSuffix) }.sorted()
  }

  /// The file of that name. A name that begins with a slash is a path.
  /// - Returns: nil if it cannot be read.
  func file(_ name: String) -> (path: String, configuration: PAMConfiguration)? {
    let folders = name.hasPrefix("/") ? [""] : Self.folders
    guard name.hasPrefix("/") || !name.contains("/") else { return nil }
    for folder in folders {
      let path = root + folder + name
      if let bytes = PAMServiceFile.bytes(at: path) { return (path, PAMConfiguration(bytes)) }
    }
    return nil
  }

  /// The path of a file that has a line for authcore, among those that this one includes.
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

/// Which files of services are included by others for authentication.
struct PAMReaders {
  /// The names of the files that include a file, by its path.
  private var readers: [String: [String]] = [:]
  /// The path of each file, with all links resolved.
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

  /// The services that include the file of `service`, directly or not, sorted. Variants of a
  /// service, such as `sudo-i`, count as the service itself.
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
    // Files that include each other look like no service, but they count.
    let others = seen.filter { $0 != service && !Self.isVariant($0, of: service) }
    return (services.isEmpty ? others : services).sorted()
  }

  /// Variants of `service` that include its file, and other names that link to it, sorted.
  func variants(of service: String) -> [String] {
    let links = places.filter { $0.key != service && $0.value == places[service] }.keys
    return Set(links + readers(of: service).filter { Self.isVariant($0, of: service) }).sorted()
  }

  /// - Throws: `unsupported` if a line in the file would apply to other services.
  func checkAlone(_ service: String) throws(Failure) {
    let others = services(reading: service)
    guard let first = others.first(where: { $0 == "sudo" }) ?? others.first else { return }
    let shown = others.count > 3 ? "\(others.count) services" : others.joined(separator: ", ")
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

/// Where `pam_authcore.so` is, and how a PAM file names it.
enum InstalledPAMModule {
  /// The module's name if it lies beside libpam's own modules, else its path. `installation` may
  /// have put it elsewhere.
  static func name(root: String, _ installation: Installation) throws(Failure) -> String {
    let module = PAMConfiguration.module
    var places = folders(root)
    if root.isEmpty, case .installed(let prefix) = installation.tree {
      places.append((prefix == "/" ? "" : prefix) + "/lib/security")
    }
    let found = places.filter { unsafe access("\($0)/\(module)", F_OK) == 0 }
    if found.contains(where: { unsafe access("\($0)/pam_unix.so", F_OK) == 0 }) { return module }
    guard let folder = found.first else {
      throw .usage(
        "\(module) is not installed",
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
