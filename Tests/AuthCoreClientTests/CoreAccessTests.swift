import ClientProtocol
import Glibc
import Testing
import Wire

@testable import AuthCoreClient

@Suite("Coming to a core", .timeLimit(.minutes(15)))
struct CoreAccessTests {
  private let folder = TemporaryFolder()

  private func access(_ folder: String, program: String = "/nonexistent/authcored") -> CoreAccess {
    CoreAccess(to: .folder(folder), program: program)
  }

  @Test("where there is no folder, or no core in it, none runs")
  func none() throws {
    #expect(try access(folder.path + "/folder").connectIfRunning() == nil)
    #expect(try access(folder.path).connectIfRunning() == nil)
    #expect(try access(folder.path).quit() == false)
  }

  @Test("a socket that nobody listens at is as good as none")
  func stale() throws {
    let path = folder.path + "/" + StateFolder.socket
    try Listening.leaveBehind(path)
    #expect(try access(folder.path).connectIfRunning() == nil)
  }

  @Test("a folder that others may enter is refused, with the command that mends it")
  func openFolder() throws {
    #expect(unsafe chmod(folder.path, 0o755) == 0)
    let failure = #expect(throws: Failure.self) { try access(folder.path).connectIfRunning() }
    #expect(failure?.code == .coreFailed)
    #expect(failure?.hint?.contains("chmod 700") == true)
  }

  @Test("a program that is not there is named")
  func noProgram() throws {
    let failure = #expect(throws: Failure.self) { try access(folder.path).connect() }
    #expect(failure?.code == .coreFailed)
    #expect(failure?.message.contains("/nonexistent/authcored") == true)
  }

  @Test("a program that ends without a word is an error, not a hang")
  func silentProgram() throws {
    let failure = #expect(throws: Failure.self) {
      try access(folder.path, program: "/bin/true").connect()
    }
    #expect(failure?.code == .coreFailed)
    #expect(failure?.message.contains("ended with status 0") == true)
  }
}

/// A socket of a process that is gone.
enum Listening {
  static func leaveBehind(_ path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(number, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(result == 0)
    close(number)
  }
}
