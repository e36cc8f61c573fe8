import PluginHosting
package import Protocol

/// `authcored --resolve-driver`: tells a client what a driver's name and options come to, and ends.
package struct DriverResolution: Equatable, Sendable {
  private var driver = ""
  private var folder = ""
  private var descriptions: String?

  /// What asks for it, before its value.
  package static let option = "--resolve-driver"

  /// Reads the arguments after the program's name.
  /// - Throws: `usage`.
  package init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else { throw Failure(.usage, "\(option) needs a value") }
      switch option {
      case Self.option: driver = value
      case "--relative-to": folder = value
      case "--descriptions": descriptions = value
      case "--ready-fd": break
      default:
        throw Failure(
          .usage, "authcored does not know \(option) beside \(Self.option)",
          hint: "authcored \(Self.option) NAME --relative-to DIR [--descriptions FILE]")
      }
    }
    guard folder.hasPrefix("/") else {
      throw Failure(.usage, "authcored \(Self.option) needs the absolute path of --relative-to")
    }
  }

  /// Finds and checks the driver.
  package func resolve() throws(Failure) -> ResolvedDriver {
    let chosen = try ChosenDriver(
      parsing: driver, relativeTo: folder,
      in: DriverCatalog(.current(isService: false), cacheFile: descriptions))
    let options = chosen.passedOptions
    return ResolvedDriver(
      driver: chosen.driver.path,
      options: options.map {
        DriverOption(name: $0.name, value: $0.value, hasDescriptor: $0.file != nil)
      },
      files: options.compactMap(\.file), isSynthetic: chosen.isSynthetic)
  }
}
