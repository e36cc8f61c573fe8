import Glibc
import LinuxSystem
import Protocol

/// The least a server can do: takes one client after the other and sends back what each one sends.
final class EchoServer: Sendable {
  let path: String
  private let socket: Descriptor

  /// Listens in a folder; the thread ends with the process.
  init(in folder: String) throws {
    path = folder + "/echo"
    do throws(SystemCallError) {
      socket = try UnixSocket.listen(at: path, permissions: 0o600, queue: 64)
    } catch {
      throw BenchmarkFailure("cannot listen at \(path): \(error)")
    }
    SystemThread.start(name: "echo") { [self] in
      while true {
        guard let client = try? UnixSocket.accept(socket) else { continue }
        var bytes = [UInt8](repeating: 0, count: 256)
        while true {
          let count = unsafe read(client.number, &bytes, bytes.count)
          guard count > 0 else { break }
          _ = unsafe write(client.number, bytes, count)
        }
      }
    }
  }

  /// Connects, and has so many bytes sent back.
  func visit(bytes count: Int) throws {
    guard let socket = try UnixSocket.connect(to: path) else {
      throw BenchmarkFailure("nobody listens at \(path)")
    }
    var bytes = [UInt8](repeating: 7, count: count)
    _ = unsafe write(socket.number, bytes, count)
    guard unsafe read(socket.number, &bytes, count) > 0 else {
      throw BenchmarkFailure("no echo")
    }
  }
}
