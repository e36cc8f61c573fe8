import Cryptography
import LinuxSystem
import Protocol
import Synchronization

/// Says who a client is, when it is accepted (K2).
protocol ApplicationNaming: Sendable {
  /// Whose items the process at the other end of a socket means.
  func client(connectedTo socket: Int32, _ peer: PeerCredentials) -> NamedClient
}

/// Who a client was when it was accepted. What its process runs later changes nothing of it.
struct NamedClient: Sendable {
  /// The name of the application; empty: nobody knows.
  let application: String
  /// Whether that is the program that shows prompts for others.
  let isAgentProgram: Bool
  /// Holds it to being that process and that program; nil: nobody does.
  var program: PeerProgram?
}

/// The process and the program that a connection was accepted from. A process that dies, forks, is
/// replaced or passes its socket on leaves nothing of its name to whoever writes there then.
final class PeerProgram: Sendable {
  /// Looks at a process anew; nil where it is gone, or nobody tells.
  typealias Look = @Sendable (borrowing RunningProcess) -> ObservedProcess?

  private let process: RunningProcess
  private let observed: ObservedProcess
  /// Looks again whether it runs the same program; nil: its name is a label, which other programs of
  /// the user can have, too.
  private let look: Look?
  /// Whether the writer of every further message has to be known.
  private let mustBeKnown: Atomic<Bool>

  /// - Parameters:
  ///   - process: the one that connected.
  ///   - observed: what that was.
  ///   - mayBeginUnknown: whether nobody knows who wrote what was sent before it was accepted.
  ///   - look: how it is looked at again; nil: it need not be.
  init(
    _ process: consuming RunningProcess, _ observed: ObservedProcess,
    mayBeginUnknown: Bool = false, look: Look?
  ) {
    mustBeKnown = Atomic(!mayBeginUnknown)
    self.process = process
    self.observed = observed
    self.look = look
  }

  /// Whether no other program of the same user gets its name.
  var nameProtects: Bool { look != nil }

  /// Why a message is not taken for one of that process's; nil: it is one. Waits for nothing.
  func objection(to writer: MessageWriter?) -> Failure? {
    if writer == nil, !mustBeKnown.load(ordering: .relaxed) { return nil }
    mustBeKnown.store(true, ordering: .relaxed)
    guard let writer, writer.process == process.identifier, !process.hasEnded else {
      return Self.refusal("another process writes into this connection than the one that opened it")
    }
    return nil
  }

  /// Why a client is not welcomed of which `count` bytes have arrived beyond its `Hello`; nil: it is.
  ///
  /// It was looked at after it had connected. What its process writes from then on is that program's;
  /// what was written before may be another one's, which has begun this program since, or which had
  /// its number first (before Linux 6.5, which does not say more of who connected).
  func objection(toUnread count: Int) -> Failure? {
    guard look != nil, count > 0 else { return nil }
    return Failure(
      .errSecMissingEntitlement,
      "requests came before Welcome: nobody knows which program wrote them",
      hint: "wait for Welcome, as each process and program has a connection of its own")
  }

  /// Why a request is not carried out in that program's name; nil: the process runs it still. May ask
  /// another process.
  func objectionToProgram() -> Failure? {
    guard let look else { return nil }
    guard let now = look(process), now.executable == observed.executable,
      now.startTime == observed.startTime
    else {
      return Self.refusal("the process runs another program than when it opened this connection")
    }
    return nil
  }

  private static func refusal(_ message: String) -> Failure {
    Failure(
      .errSecMissingEntitlement, message,
      hint: "each process and program opens a connection of its own")
  }
}

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
