package import Foundation

/// The built programs and plugins: they lie beside the test bundle, or in the folder of another build
/// that `AUTHCORE_PRODUCTS` names.
package enum Products {
  /// The folder with them.
  package static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["AUTHCORE_PRODUCTS"], !path.isEmpty {
      return URL(fileURLWithPath: path)
    }
    let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    return URL(fileURLWithPath: bundle ?? executable ?? CommandLine.arguments[0])
      .deletingLastPathComponent()
  }()

  /// A program of this build by name; another one by its absolute path.
  package static func program(_ name: String) -> String {
    name.hasPrefix("/") ? name : folder.appendingPathComponent(name).path
  }

  /// A sample of Examples: beside the test bundle, where `scripts/test` copies it, or where
  /// `scripts/test-examples` builds it.
  /// - Returns: its absolute path, or nil if it is not built.
  package static func sample(_ name: String) -> String? {
    [program(name), sources.appendingPathComponent(".build/examples/debug/" + name).path]
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The package's sources, or the copy that `scripts/test` made of those that tests read.
  package static let sources: URL = {
    if let path = ProcessInfo.processInfo.environment["AUTHCORE_SOURCES"] {
      return URL(fileURLWithPath: path)
    }
    return URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }()

  /// The data that is not part of the project, or nil without it.
  package static let shared: URL? = {
    let path = ProcessInfo.processInfo.environment["AUTHCORE_SHARED"]
    let folder =
      path.map { URL(fileURLWithPath: $0) } ?? sources.appendingPathComponent("../shared")
    return FileManager.default.isReadableFile(atPath: folder.appendingPathComponent("prints").path)
      ? folder.standardizedFileURL : nil
  }()
}
