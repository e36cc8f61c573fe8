import CoreClient
import LinuxSystem
import Protocol

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
