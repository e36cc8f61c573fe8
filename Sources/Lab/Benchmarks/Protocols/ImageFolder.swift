import FoundationEssentials

/// A folder of sets of prints: `DIR/SET/FINGER_IMPRESSION.pgm`.
struct ImageFolder {
  let path: String

  /// Finds the sets.
  ///
  /// - Parameter resolutions: Pixels per inch of the sets that have not 500, by either name.
  /// - Returns: The sets in the order of their names, each called by the folder's name and its own,
  ///   such as `fvc2002/DB1_B`.
  /// - Throws: ``BenchmarkFailure`` where the folder cannot be read or holds no set.
  func sets(resolutions: [String: Int]) throws(BenchmarkFailure) -> [ImageSet] {
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

  private func names(in folder: String) throws(BenchmarkFailure) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw BenchmarkFailure("cannot read the folder \(folder): \(error)")
    }
  }
}
