import ArgumentParser
import FoundationEssentials

/// Folders of prints of people, as every protocol takes them.
struct RealPrintOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Real prints: DIR/SET/FINGER_IMPRESSION.pgm; repeatable.", valueName: "dir"))
  var images: [String] = []

  @Option(
    help: ArgumentHelp("Resolution of a set that has not 500 ppi; repeatable.", valueName: "set=n"))
  var ppi: [String] = []

  @Option(
    help: ArgumentHelp(
      "Sets whose fingers may be the same, so that they are never strangers; repeatable.",
      valueName: "set=set"))
  var samePeople: [String] = []

  func validate() throws {
    _ = try resolutions()
    for text in samePeople { _ = try Self.pair(text, of: "--same-people", expecting: "SET=SET") }
  }

  /// The sets of all folders, or these if there is no folder.
  ///
  /// - Throws: ``BenchmarkFailure`` for a folder that cannot be read or holds no set, or an option
  ///   that names no set.
  func sets(or synthetic: @autoclosure () -> [ImageSet] = []) throws -> [ImageSet] {
    guard !images.isEmpty else { return synthetic() }
    let resolutions = try resolutions()
    var sets = try images.flatMap { try Self.sets(in: $0, resolutions) }
    for text in samePeople {
      let names = try Self.pair(text, of: "--same-people", expecting: "SET=SET")
      guard let first = sets.firstIndex(where: { $0.name == names.0 }),
        let second = sets.firstIndex(where: { $0.name == names.1 })
      else {
        throw BenchmarkFailure(
          "--same-people \(text): the sets are " + sets.map(\.name).joined(separator: ", "))
      }
      let (kept, replaced) = (sets[first].people, sets[second].people)
      for index in sets.indices where sets[index].people == replaced { sets[index].people = kept }
    }
    return sets
  }

  private func resolutions() throws -> [String: Int] {
    try ppi.reduce(into: [:]) { result, text in
      let (set, number) = try Self.pair(text, of: "--ppi", expecting: "SET=VALUE, from 100 to 2000")
      guard let value = Int(number), (100...2000).contains(value) else {
        throw ValidationError("--ppi \(text): expected SET=VALUE, from 100 to 2000.")
      }
      result[set] = value
    }
  }

  private static func pair(
    _ text: String, of option: String, expecting form: String
  ) throws -> (String, String) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
      throw ValidationError("\(option) \(text): expected \(form).")
    }
    return (parts[0], parts[1])
  }

  /// The sets of a folder, `DIR/SET/FINGER_IMPRESSION.pgm`, in the order of their names, each called
  /// by the folder's name and its own, such as `fvc2002/DB1_B`. `resolutions` are by either name.
  private static func sets(
    in path: String, _ resolutions: [String: Int]
  ) throws(BenchmarkFailure) -> [ImageSet] {
    let own = path.split(separator: "/").last.map(String.init) ?? path
    var sets: [ImageSet] = []
    for folder in try names(in: path).sorted() {
      var isFolder = false
      guard FileManager.default.fileExists(atPath: "\(path)/\(folder)", isDirectory: &isFolder),
        isFolder
      else { continue }
      let name = "\(own)/\(folder)"
      let set = ImageSet(
        folder: "\(path)/\(folder)", files: try names(in: "\(path)/\(folder)"), name: name,
        pixelsPerInch: resolutions[name] ?? resolutions[folder] ?? 500)
      if let set { sets.append(set) }
    }
    guard !sets.isEmpty else {
      throw BenchmarkFailure("\(path) holds no folder with FINGER_IMPRESSION.pgm pictures")
    }
    return sets
  }

  private static func names(in folder: String) throws(BenchmarkFailure) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw BenchmarkFailure("cannot read the folder \(folder): \(error)")
    }
  }
}
