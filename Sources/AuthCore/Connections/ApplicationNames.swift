import Cryptography
import System
import Wire

/// Names the applications whose items are meant (K2), by what the kernel says of their processes.
///
/// On demand a name is a label that keeps honest programs apart, no wall between programs of one
/// user (docs/decisions/0028).
struct ApplicationNames: Sendable {
  /// Where the command lies that belongs to this core; nil where the core's own place is unknown.
  private let command: [UInt8]?

  /// - Parameter core: the program of the core, beside which its command lies.
  init(beside core: RunningExecutable?) {
    command = core.map { core in
      let folder = core.path[..<(core.path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
      return folder + Array("/authcore".utf8)
    }
  }

  /// The application at the other end of a Unix socket, as its process runs it now; empty where the
  /// kernel does not tell.
  func application(connectedTo socket: Int32) -> String {
    guard let process = RunningProcess(connectedTo: socket),
      let executable = RunningExecutable(of: process)
    else { return "" }
    return application(running: executable)
  }

  /// The application that an executable is.
  func application(running executable: RunningExecutable) -> String {
    if let command, executable.path == command || executable.isFile(at: command) {
      return commandApplication
    }
    return Self.name(ofPath: executable.path)
  }

  /// The name of the application with this canonical path: the path itself where it is text and
  /// short enough. Else two slashes, which begin no canonical path, the path's SHA-256 and its last
  /// component for people: no two paths have one name.
  /// - Returns: at most ``Wire/longestApplication`` bytes; empty where nothing can be hashed.
  static func name(ofPath path: [UInt8]) -> String {
    if path.count <= longestApplication, let text = String(validating: path, as: UTF8.self) {
      return text
    }
    guard let hash = try? SHA2.sha256(path.span) else { return "" }
    let digits = hash.map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
    let component = path[((path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...]
    let shown = String(decoding: component.prefix(longestShown), as: UTF8.self)
    return "//\(digits)/\(shown)"
  }

  /// Bytes of a last component that are shown; each may become the three of U+FFFD.
  private static let longestShown = 100
}
