import Cryptography
import LinuxSystem
import Protocol
import Synchronization

/// Names a client when it is accepted (K2).
protocol ApplicationNaming: Sendable {
  /// Whose items the process at the other end of a socket means.
  func client(connectedTo socket: Int32, _ peer: PeerCredentials) -> NamedClient
  /// Looks at a process that a door names.
  /// - Returns: nil if it has ended or cannot be seen.
  func caller(_ process: consuming RunningProcess) -> DoorCaller?
}

/// Who a client was when it was accepted, whatever its process runs later.
struct NamedClient: Sendable {
  /// The name of the application; empty if unknown.
  let application: String
  /// Whether it is the program that shows prompts for others.
  let isAgentProgram: Bool
  /// Which door it is; nil if it is none.
  var door: Door?
  /// Checks that it is still that process and program; nil if nothing checks.
  var program: PeerProgram?
}

/// The process and the program that a connection was accepted from. If the process dies, forks,
/// runs another program or passes its socket on, the writers after it do not get its name.
final class PeerProgram: Sendable {
  /// Looks at a process again; nil if it is gone or cannot be seen.
  typealias Look = @Sendable (borrowing RunningProcess) -> ObservedProcess?

  private let process: RunningProcess
  private let observed: ObservedProcess
  /// Checks whether it still runs the same program; nil if its name is only a label, which other
  /// programs of the user can have.
  private let look: Look?
  /// Whether the writer of every further message must be known.
  private let mustBeKnown: Atomic<Bool>

  /// - Parameters:
  ///   - process: the one that connected.
  ///   - observed: what it was then.
  ///   - mayBeginUnknown: whether the writer of what was sent before it was accepted is unknown.
  ///   - look: looks at it again; nil if that is not needed.
  init(
    _ process: consuming RunningProcess, _ observed: ObservedProcess,
    mayBeginUnknown: Bool = false, look: Look?
  ) {
    mustBeKnown = Atomic(!mayBeginUnknown)
    self.process = process
    self.observed = observed
    self.look = look
  }

  /// Whether no other program of the same user can get its name.
  var nameProtects: Bool { look != nil }

  /// Why a message does not count as that process's; nil if it does. Does not block.
  func objection(to writer: MessageWriter?) -> Failure? {
    if writer == nil, !mustBeKnown.load(ordering: .relaxed) { return nil }
    mustBeKnown.store(true, ordering: .relaxed)
    guard let writer, writer.process == process.identifier, !process.hasEnded else {
      return Self.refusal("another process writes into this connection than the one that opened it")
    }
    return nil
  }

  /// Why a client is refused after `count` bytes came behind its `Hello`; nil if it is not.
  ///
  /// The client was observed after it had connected. What its process writes from then on is that
  /// program's. What was written before may be another program's: one that the process ran earlier,
  /// or one whose process had the same number (before Linux 6.5, which tells no more about who
  /// connected).
  func objection(toUnread count: Int) -> Failure? {
    guard look != nil, count > 0 else { return nil }
    return Failure(
      .errSecMissingEntitlement,
      "requests came before Welcome: nobody knows which program wrote them",
      hint: "wait for Welcome, as each process and program has a connection of its own")
  }

  /// Why a request is not carried out in that program's name; nil if the process still runs it. May
  /// ask another process.
  func objectionToProgram() -> Failure? {
    stillRuns
      ? nil
      : Self.refusal("the process runs another program than when it opened this connection")
  }

  /// Whether the process runs the program that it ran when it was observed, as far as anything
  /// checks.
  var stillRuns: Bool {
    guard let look else { return true }
    guard let now = look(process) else { return false }
    return now.executable == observed.executable && now.startTime == observed.startTime
  }

  private static func refusal(_ message: String) -> Failure {
    Failure(
      .errSecMissingEntitlement, message,
      hint: "each process and program opens a connection of its own")
  }
}

/// Names the applications whose items are meant (K2), by what the kernel says of their processes.
///
/// For a core on demand a name is a label that keeps honest programs apart. It is no wall between
/// one user's programs (docs/decisions/0028).
struct ApplicationNames: ApplicationNaming {
  /// Begins the paths of the programs that belong to this core; nil if its own place is unknown.
  private let folder: ArraySlice<UInt8>?

  private let agent: [UInt8]?
  /// Whether only the file counts and not its path.
  private let byFile: Bool

  /// - Parameters:
  ///   - core: the program of the core, beside which its command and its agent lie.
  ///   - agent: the path of the agent if it lies elsewhere, as in tests.
  ///   - byFile: whether only the file counts, because in a client's mount namespace another file
  ///     may lie at the path.
  init(beside core: RunningExecutable?, agent: [UInt8]? = nil, byFile: Bool = false) {
    self.byFile = byFile
    folder = core.map { $0.path[..<($0.path.lastIndex(of: UInt8(ascii: "/")) ?? 0)] }
    self.agent = agent ?? folder.map { $0 + Array("/authcore-agent".utf8) }
  }

  func client(connectedTo socket: Int32, _ peer: PeerCredentials) -> NamedClient {
    guard let program = program(connectedTo: socket) else {
      return NamedClient(application: "", isAgentProgram: false)
    }
    return NamedClient(
      application: application(running: program), isAgentProgram: isAgent(program),
      door: door(program))
  }

  /// What the process at the other end of a Unix socket runs now; nil if the kernel does not tell.
  func program(connectedTo socket: Int32) -> RunningExecutable? {
    guard let process = RunningProcess(connectedTo: socket) else { return nil }
    return RunningExecutable(of: process)
  }

  func isAgent(_ executable: RunningExecutable) -> Bool {
    guard let agent else { return false }
    return isProgram(executable, at: agent)
  }

  private func lies(_ executable: RunningExecutable, beside name: String) -> Bool {
    guard let folder else { return false }
    return isProgram(executable, at: folder + Array("/\(name)".utf8))
  }

  private func isProgram(_ executable: RunningExecutable, at path: [UInt8]) -> Bool {
    executable.isFile(at: path) || (!byFile && executable.path == path)
  }

  func application(running executable: RunningExecutable) -> String {
    isOwners(executable) ? commandApplication : Self.name(ofPath: executable.path)
  }

  /// Whether this is this core's command, the settings, or a door.
  func isOwners(_ executable: RunningExecutable) -> Bool {
    ["authcore", "authcore-settings"].contains { lies(executable, beside: $0) }
      || door(executable) != nil
  }

  /// Which of this core's doors this is; nil if it is none.
  func door(_ executable: RunningExecutable) -> Door? {
    Door.allCases.first { lies(executable, beside: $0.program) }
  }

  /// The name of the application with this canonical path: the path itself if it is short UTF-8.
  /// Else two slashes, which begin no canonical path, the path's SHA-256, and its last component
  /// for people. No two paths have one name.
  /// - Returns: at most ``Protocol/longestApplication`` bytes; empty if hashing fails.
  static func name(ofPath path: [UInt8]) -> String {
    if path.count <= longestApplication, let text = String(validating: path, as: UTF8.self) {
      return text
    }
    guard let digits = try? digest(path) else { return "" }
    let component = path[((path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...]
    let shown = String(decoding: component.prefix(longestShown), as: UTF8.self)
    return "//\(digits)/\(shown)"
  }

  /// The SHA-256 of a path, in 64 hexadecimal digits.
  static func digest(_ path: [UInt8]) throws(Failure) -> String {
    try cryptographic { () throws(CryptographyError) in try SHA2.sha256(path.span) }
      .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// Bytes of the last component that are shown; each may become U+FFFD, which takes three.
  private static let longestShown = 100
}
