import Glibc
import LinuxSystem
import Protocol
import Testing

@Suite("Starting programs")
struct ProgramLaunchTests {
  /// Lists the open descriptors below 30 without opening one.
  private static let listing =
    "n=0; while [ $n -lt 30 ]; do [ -e /proc/$$/fd/$n ] && echo $n; n=$((n+1)); done; true"

  /// What a shell prints, read from a pipe that becomes its standard output.
  private func output(
    of script: String, _ configure: (inout ProgramLaunch) -> Void = { _ in }
  ) throws -> String {
    var ends: [Int32] = [-1, -1]
    #expect(unsafe pipe(&ends) == 0)
    let reading = Descriptor(owning: ends[0])
    var launch = ProgramLaunch(path: "/bin/sh", arguments: ["-c", script])
    launch.standardStreams = [nil, ends[1], nil]
    configure(&launch)
    let child = try launch.start()
    close(ends[1])
    var bytes = [UInt8](repeating: 0, count: 4096)
    var text = ""
    while case let count = unsafe read(reading.number, &bytes, bytes.count), count > 0 {
      text += String(decoding: bytes[..<count], as: UTF8.self)
    }
    #expect(child.wait() == .exited(0))
    return text
  }

  @Test("nothing is inherited: no variable, no descriptor, and the standard streams lead nowhere")
  func nothingInherited() throws {
    // Three descriptors that a careless child would see.
    let open = [try SystemFile.null(), try SystemFile.null(), try SystemFile.null()]
    defer { open.forEach { close($0) } }
    #expect(try output(of: "unset PWD OLDPWD SHLVL _; export -p") == "")
    #expect(try output(of: Self.listing) == "0\n1\n2\n")
    #expect(try output(of: "readlink /proc/$$/fd/0 /proc/$$/fd/2") == "/dev/null\n/dev/null\n")
  }

  @Test("descriptors arrive as 3, 4, … whatever their numbers were")
  func descriptors() throws {
    let first = try SystemFile.null()
    let second = try SystemFile.null()
    defer { for number in [first, second] { close(number) } }
    let listing = try output(of: Self.listing) {
      $0.descriptors = [second, first]
    }
    #expect(listing == "0\n1\n2\n3\n4\n")
  }

  @Test("a session of its own is started on demand")
  func session() throws {
    let number = try output(of: "cut -d' ' -f6 /proc/$$/stat; echo $$") { $0.startsSession = true }
    let lines = number.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first == lines.last)
    #expect(try output(of: "cut -d' ' -f6 /proc/$$/stat") == "\(getsid(0))\n")
  }

  @Test("a program that is not there is an error of the call")
  func missingProgram() throws {
    let error = try #require(throws: SystemCallError.self) {
      _ = try ProgramLaunch(path: "/nowhere/program", arguments: []).start()
    }
    #expect(error == SystemCallError("posix_spawn", number: ENOENT))
  }

  @Test("a child's end is told apart: its status, or the signal")
  func ends() throws {
    let child = try ProgramLaunch(path: "/bin/sh", arguments: ["-c", "exit 3"]).start()
    #expect(child.wait() == .exited(3))
    let sleeper = try ProgramLaunch(path: "/bin/sh", arguments: ["-c", "while :; do :; done"])
      .start()
    #expect(sleeper.wait(milliseconds: 0) == nil)
    sleeper.kill()
    #expect(sleeper.wait() == .signaled(SIGKILL))
  }

  @Test("the lasting thread starts a program for any thread")
  func launchThread() throws {
    let result = Guarded<(identifier: Int32, end: ProcessEnd?)>((0, nil))
    SystemThread.start(name: "asker") {
      let launch = ProgramLaunch(path: "/bin/sh", arguments: ["-c", "exit 5"])
      guard let child = try? LaunchThread.start(launch) else { return }
      let end = child.wait()
      result.update { $0 = (child.identifier, end) }
    }
    #expect(result.wait { $0.end } == .exited(5))
  }
}

/// Descriptors that are open for a test's sake.
enum SystemFile {
  static func null() throws -> Int32 {
    let number = unsafe open("/dev/null", O_RDWR)
    try #require(number >= 0)
    return number
  }
}
