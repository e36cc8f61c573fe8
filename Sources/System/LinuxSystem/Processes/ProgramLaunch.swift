import CSystemCalls
import Glibc

/// A program to start: nothing is inherited that is not named here.
package struct ProgramLaunch: Sendable {
  /// The program's file.
  package let path: String
  /// Its arguments, without the zeroth, which is `path`.
  package let arguments: [String]
  /// "NAME=value" entries.
  package var environment: [String] = []
  /// Whether it becomes the leader of a session of its own: no terminal, no signals from one.
  package var startsSession = false
  /// Descriptors that become 3, 4, … in the program, at most eight. They stay open here.
  package var descriptors: [Int32] = []
  /// What becomes 0, 1 and 2; nil is `/dev/null`.
  package var standardStreams: [Int32?] = [nil, nil, nil]

  /// Describes a program with an empty environment and its standard streams on `/dev/null`.
  package init(path: String, arguments: [String]) {
    (self.path, self.arguments) = (path, arguments)
  }

  /// Starts it from the calling thread (`posix_spawn(3)`, `POSIX_SPAWN_SETSID`, `addclosefrom_np`).
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

/// Calls `body` with a NULL-terminated array of C strings, as `execve(2)` wants one.
private func withCStringArray<R>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
  // strdup gives each string memory of its own that outlives the array's growth; freed below.
  var pointers = unsafe strings.map { unsafe strdup($0) }
  unsafe pointers.append(nil)
  defer { unsafe pointers.forEach { unsafe free($0) } }
  return unsafe pointers.withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { preconditionFailure("holds at least the end mark") }
    return unsafe body(base)
  }
}
