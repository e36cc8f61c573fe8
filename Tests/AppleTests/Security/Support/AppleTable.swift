import Foundation

/// A table of Apple's names and values, where the machine has it: never part of the project.
enum AppleTable {
  /// The folder, from the environment or beside the package.
  static let folder: String = {
    let package = #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
    return (ProcessInfo.processInfo.environment["AUTHCORE_SHARED"] ?? "/\(package)/../shared")
      + "/appleapi"
  }()

  /// Whether there are such tables.
  static var areThere: Bool {
    FileManager.default.isReadableFile(atPath: folder + "/constants.tsv")
      && FileManager.default.isReadableFile(atPath: folder + "/errsec.tsv")
  }

  /// What a table gives, without its heading.
  static func rows(_ name: String) throws -> [(name: String, value: String)] {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      .split(separator: "\n").dropFirst()
      .map { line in
        let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
      }
  }
}
