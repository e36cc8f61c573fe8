import Glibc
import LinuxSystem
import Testing

@Suite("Unix sockets by their path")
struct UnixSocketTests {
  /// A path in the temporary folder of this process's own.
  private let path =
    (EnvironmentVariable.value(of: "TMPDIR") ?? "/tmp")
    + "/authcore-socket-\(getpid())-\(UInt64.random(in: 0 ... .max))"

  @Test("a client finds who listens, and each knows the other; what is left behind is nobody")
  func connecting() throws {
    #expect(try !connects())
    do {
      let listener = try UnixSocket.listen(at: path, permissions: 0o600, queue: 4)
      defer { unsafe unlink(path) }
      var status = stat()
      #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
      guard let client = try UnixSocket.connect(to: path) else {
        Issue.record("nobody listens")
        return
      }
      let served = try UnixSocket.accept(listener)
      #expect(fcntl(served.number, F_GETFD) == FD_CLOEXEC)
      let me = PeerCredentials(process: getpid(), user: geteuid())
      #expect(PeerCredentials(of: served.number) == me)
      #expect(PeerCredentials(of: client.number) == me)
    }
    #expect(try !connects())
  }

  private func connects() throws -> Bool { try UnixSocket.connect(to: path) != nil }

  @Test("a socket left behind is nobody, and is not replaced")
  func leftBehind() throws {
    defer { unsafe unlink(path) }
    _ = try UnixSocket.listen(at: path, permissions: 0o600, queue: 4)
    #expect(try !connects())
    #expect(throws: SystemCallError("bind", number: EADDRINUSE)) {
      _ = try UnixSocket.listen(at: path, permissions: 0o600, queue: 4)
    }
  }

  @Test("a path of 108 bytes is refused, and reached by its folder")
  func longPath() throws {
    let long = "/tmp/" + String(repeating: "x", count: 103)
    let error = try #require(throws: SystemCallError.self) { _ = try UnixSocket.connect(to: long) }
    #expect(error.number == ENAMETOOLONG)
    #expect(UnixSocket.path(in: 7, named: "socket") == "/proc/self/fd/7/socket")
  }

  @Test("what is no socket has no peer")
  func noSocket() throws {
    let pipe = try Pipe(nonBlocking: .reader)
    #expect(PeerCredentials(of: pipe.reader) == nil)
  }
}
