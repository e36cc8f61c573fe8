import Foundation

/// The built programs and plugins: they lie beside the test bundle.
enum Products {
  /// The folder of the running test bundle.
  static let folder: URL = {
    let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    return URL(fileURLWithPath: bundle ?? executable ?? CommandLine.arguments[0])
      .deletingLastPathComponent()
  }()

  /// A program of this build by name; another one by its absolute path.
  static func program(_ name: String) -> String {
    name.hasPrefix("/") ? name : folder.appendingPathComponent(name).path
  }

  /// The package's sources, or the copy that `scripts/test` made of those that tests read.
  static let sources: URL = {
    if let path = ProcessInfo.processInfo.environment["AUTHCORE_SOURCES"] {
      return URL(fileURLWithPath: path)
    }
    return URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
  }()

  /// The data that is not part of the project, or nil where it is not there.
  static let shared: URL? = {
    let path = ProcessInfo.processInfo.environment["AUTHCORE_SHARED"]
    let folder =
      path.map { URL(fileURLWithPath: $0) } ?? sources.appendingPathComponent("../shared")
    return FileManager.default.isReadableFile(atPath: folder.appendingPathComponent("prints").path)
      ? folder.standardizedFileURL : nil
  }()
}
