import LinuxSystem
import Protocol
import Synchronization

/// The process that a door acts for. The first core that is told keeps its program in mind; later
/// connections, perhaps to another core, say what that was.
final class NamedCaller: Sendable {
  private let process: RunningProcess
  private let program = Mutex<ProgramFile?>(nil)

  init(_ process: consuming RunningProcess) { self.process = process }

  /// In this process's namespace.
  var identifier: Int32 { process.identifier }

  /// The terminal that it is in the foreground of, only to write to.
  var terminal: Terminal? {
    let terminal = Terminal.writable(inFrontOf: process.identifier)
    // Up to here the id has meant the same process.
    return process.hasEnded ? nil : terminal
  }

  /// Whether its person is elsewhere; true once it has ended.
  var isRemote: Bool { RemoteLogin.isUsed(by: process.identifier) || process.hasEnded }

  func introduce(on connection: CoreConnection) throws(Failure) {
    let acting: ActingFor = try connection.request(
      ActFor(program: program.withLock { $0 }), descriptors: [process.descriptor])
    program.withLock { $0 = acting.program }
  }
}
