import Glibc
import LinuxSystem
import Protocol

/// A socket with a path, which stays behind when the value has gone, as that of a killed core does.
final class Listening: Sendable {
  private let descriptor: Descriptor

  struct CannotListen: Error {}

  init(_ path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    descriptor = Descriptor(owning: number)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(number, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0, listen(number, 4) == 0 else { throw CannotListen() }
  }

  /// Follows `script` with the first client that comes.
  func serve(_ script: (borrowing FakeCore.Line) throws -> Void) throws {
    let number = accept(descriptor.number, nil, nil)
    guard number >= 0 else { throw CannotListen() }
    try script(
      FakeCore.Line(
        stream: MessageStream(Descriptor(owning: number), limit: ClientEnvelope.longestRequest)))
  }
}
