import Cryptography
import LinuxSystem
import Protocol

/// Names the applications whose items are meant (K2), by what the kernel says of their processes.
///
/// On demand a name is a label that keeps honest programs apart, no wall between programs of one
/// user (docs/decisions/0028).
struct ApplicationNames: ApplicationNaming {
  /// Where the owner's own programs lie that belong to this core, the command and the settings; none
  /// where the core's own place is unknown.
  private let ownersPrograms: [[UInt8]]

  /// The program that shows prompts for others.
  private let agent: [UInt8]?
  /// Whether a path says nothing, and only the file counts.
  private let byFile: Bool

  /// - Parameters:
  ///   - core: the program of the core, beside which its command and its agent lie.
  ///   - agent: the path of that agent where it lies elsewhere, as in tests.
  ///   - byFile: whether a path is not enough, since clients may be where another file lies there.
  init(beside core: RunningExecutable?, agent: [UInt8]? = nil, byFile: Bool = false) {
    self.byFile = byFile
    let folder = core.map { $0.path[..<($0.path.lastIndex(of: UInt8(ascii: "/")) ?? 0)] }
    ownersPrograms =
      folder.map { folder in
        ["/authcore", "/authcore-settings"].map { folder + Array($0.utf8) }
      } ?? []
    self.agent = agent ?? folder.map { $0 + Array("/authcore-agent".utf8) }
  }

  func client(connectedTo socket: Int32, _ peer: PeerCredentials) -> NamedClient {
    guard let program = program(connectedTo: socket) else {
      return NamedClient(application: "", isAgentProgram: false)
    }
    return NamedClient(
      application: application(running: program), isAgentProgram: isAgent(program))
  }

  /// What the process at the other end of a Unix socket runs at this moment; nil where the kernel
  /// does not tell.
  func program(connectedTo socket: Int32) -> RunningExecutable? {
    guard let process = RunningProcess(connectedTo: socket) else { return nil }
    return RunningExecutable(of: process)
  }

  /// Whether this is the program that shows prompts for others.
  func isAgent(_ executable: RunningExecutable) -> Bool {
    guard let agent else { return false }
    return isProgram(executable, at: agent)
  }

  private func isProgram(_ executable: RunningExecutable, at path: [UInt8]) -> Bool {
    executable.isFile(at: path) || (!byFile && executable.path == path)
  }

  /// The application that an executable is.
  func application(running executable: RunningExecutable) -> String {
    isCommand(executable) ? commandApplication : Self.name(ofPath: executable.path)
  }

  /// Whether this is the command that belongs to this core, or the settings.
  func isCommand(_ executable: RunningExecutable) -> Bool {
    ownersPrograms.contains { isProgram(executable, at: $0) }
  }

  /// The name of the application with this canonical path: the path itself where it is text and
  /// short enough. Else two slashes, which begin no canonical path, the path's SHA-256 and its last
  /// component for people: no two paths have one name.
  /// - Returns: at most ``Protocol/longestApplication`` bytes; empty where nothing can be hashed.
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
