import Glibc
import LinuxSystem

/// A process of a user that is made up, which uses a service (`authcore-bench service-user`). Root
/// alone can be other users. It is gone when the value is.
final class MadeUpUser {
  private let process: ChildProcess
  private let output: Pipe

  /// - Parameters:
  ///   - user: its number, which no account has.
  ///   - socket: the service's, which that user may reach.
  ///   - arguments: after the socket.
  /// - Throws: where it cannot be started.
  init(_ user: UInt32, of socket: String, _ arguments: [String]) throws {
    guard let program = RunningExecutable.ofThisProcess()?.path else {
      throw BenchmarkFailure("cannot tell where this program lies")
    }
    var pipe = try Pipe(nonBlocking: .writer)
    var launch = ProgramLaunch(
      path: "/usr/bin/setpriv",
      arguments: [
        "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--inh-caps=-all",
        String(decoding: program, as: UTF8.self), "service-user", socket,
      ] + arguments)
    launch.environment = ["PATH=/usr/bin:/bin"]
    launch.standardStreams = [nil, pipe.writer, 2]
    process = try launch.start()
    pipe.closeWriter()
    output = pipe
  }

  /// Whether it has ended by itself.
  var hasEnded: Bool { process.wait(milliseconds: 0) != nil }

  /// Waits until it has ended, and gives what it said.
  func end() -> String {
    var said: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 256)
    while true {
      let count = unsafe read(output.reader, &bytes, bytes.count)
      guard count > 0 else { break }
      said += bytes[..<count]
    }
    return String(decoding: said, as: UTF8.self)
  }

  deinit {
    process.kill()
    _ = process.wait(milliseconds: 20_000)
  }
}
