import Glibc
import LinuxSystem
import Protocol

extension ProgramLaunch {
  /// Runs it to its end, in the environment of this process.
  /// - Returns: its standard output.
  /// - Throws: `unsupported` if it cannot be started.
  func output() throws(Failure) -> String {
    var pipe = try Pipe(nonBlocking: .writer)
    var launch = self
    launch.environment = EnvironmentVariable.entries
    launch.standardStreams = [nil, pipe.writer, nil]
    let process: ChildProcess
    do throws(SystemCallError) {
      process = try launch.start()
    } catch {
      throw Failure(.unsupported, "Cannot run \(path): \(error)")
    }
    pipe.closeWriter()
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = unsafe read(pipe.reader, &buffer, buffer.count), count > 0 {
      text += buffer.prefix(count)
    }
    _ = process.wait()
    return String(decoding: text, as: UTF8.self)
  }
}
