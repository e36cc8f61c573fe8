import CSystemCalls
import Glibc

/// A program to start. It inherits only what is named here.
package struct ProgramLaunch: Sendable {
  package let path: String
  /// Without the zeroth, which is `path`.
  package let arguments: [String]
  /// "NAME=value".
  package var environment: [String] = []
  /// Whether it leads a new session, without a terminal and its signals.
  package var startsSession = false
  /// They become 3, 4, … in the program; at most eight. They stay open here.
  package var descriptors: [Int32] = []
  /// For 0, 1 and 2; nil is `/dev/null`.
  package var standardStreams: [Int32?] = [nil, nil, nil]

  package init(path: String, arguments: [String]) {
    (self.path, self.arguments) = (path, arguments)
  }

  /// Starts it from the calling thread (`posix_spawn(3)`).
  package func start() throws(SystemCallError) -> ChildProcess {
    var identifier: Int32 = 0
    let streams = (0..<3).map { $0 < standardStreams.count ? standardStreams[$0] ?? -1 : -1 }
    let failure = unsafe withCStringArray([path] + arguments) { arguments in
      unsafe withCStringArray(environment) { environment in
        unsafe ac_spawn(
          path, arguments, environment, streams, descriptors, descriptors.count,
          startsSession ? 1 : 0, &identifier)
      }
    }
    guard failure == 0 else { throw SystemCallError("posix_spawn", number: failure) }
    return try ChildProcess(identifier: identifier)
  }
}

/// Calls `body` with a NULL-terminated array of C strings.
private func withCStringArray<R>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
  // strdup gives each string its own memory, freed below.
  var pointers = unsafe strings.map { unsafe strdup($0) }
  unsafe pointers.append(nil)
  defer { unsafe pointers.forEach { unsafe free($0) } }
  return unsafe pointers.withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { preconditionFailure("holds at least the end mark") }
    return unsafe body(base)
  }
}

/// A started program, held by a descriptor so that its id cannot mean another process.
///
/// Dropping the value neither ends nor reaps the process; the owner calls ``kill()`` and
/// ``wait(milliseconds:)``.
package struct ChildProcess: ~Copyable, Sendable {
  /// The process id, for messages.
  package let identifier: Int32
  private let handle: Descriptor

  init(identifier: Int32) throws(SystemCallError) {
    self.identifier = identifier
    let number = ac_pidfd_open(identifier)
    guard number >= 0 else { throw SystemCallError("pidfd_open") }
    handle = Descriptor(owning: number)
  }

  /// A pidfd, readable once the process has ended. To poll, not to close.
  package var pidfd: Int32 { handle.number }

  /// Sends SIGKILL.
  package borrowing func kill() { _ = ac_pidfd_kill(handle.number, SIGKILL) }

  /// Waits until the process has ended, and reaps it.
  /// - Parameter milliseconds: at most; negative: forever.
  /// - Returns: nil after the deadline. A process that was reaped before counts as ended with
  ///   status 0.
  package borrowing func wait(milliseconds: Int32 = -1) -> ProcessEnd? {
    var poll = pollfd(fd: handle.number, events: Int16(POLLIN), revents: 0)
    while true {
      let ready = unsafe Glibc.poll(&poll, 1, milliseconds)
      if ready == 0 { return nil }
      if ready > 0 || errno != EINTR { break }
    }
    var code: Int32 = 0
    var status: Int32 = 0
    switch unsafe ac_pidfd_reap(handle.number, &code, &status) {
    case 1: return code == CLD_EXITED ? .exited(status) : .signaled(status)
    case 0: return nil
    default: return .exited(0)
    }
  }
}

package enum ProcessEnd: Equatable, Sendable, CustomStringConvertible {
  /// With status 0…255.
  case exited(Int32)
  case signaled(Int32)

  /// For example "was ended by signal 11 (Segmentation fault)".
  package var description: String {
    switch self {
    case .exited(let status): "ended with status \(status)"
    case .signaled(let signal): "was ended by signal \(signal) (\(Self.name(of: signal)))"
    }
  }

  private static func name(of signal: Int32) -> String {
    // The text is copied before another call replaces it.
    unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "unknown"
  }
}

/// A thread that starts programs and lasts as long as this process.
///
/// `PR_SET_PDEATHSIG` sends its signal when the *thread* that started a program ends (`prctl(2)`),
/// so a program that uses it must be started from a lasting thread.
package enum LaunchThread {
  private struct Order: Sendable {
    let launch: ProgramLaunch
    let answer: Guarded<Answer>
  }

  private struct Answer: ~Copyable, Sendable {
    var result: Result<ChildProcess, SystemCallError>?
  }

  private static let orders: Guarded<[Order]> = {
    let orders = Guarded<[Order]>([])
    SystemThread.start(name: "launch") {
      while true {
        let order = orders.wait { $0.isEmpty ? nil : $0.removeFirst() }
        order.answer.update { answer in
          do throws(SystemCallError) {
            answer.result = .success(try order.launch.start())
          } catch {
            answer.result = .failure(error)
          }
        }
      }
    }
    return orders
  }()

  /// Starts a program and waits until it has started.
  package static func start(_ launch: ProgramLaunch) throws(SystemCallError) -> ChildProcess {
    let answer = Guarded(Answer())
    orders.update { $0.append(Order(launch: launch, answer: answer)) }
    let result = answer.wait { $0.result.take() }
    return try result.get()
  }
}
