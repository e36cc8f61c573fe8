import Foundation
import TestSupport
import Testing

@Suite("The process of the tests, wherever it starts", .timeLimit(.minutes(60)))
struct TestProcessTests {
  /// What a desktop's session has in its environment, and what people put there.
  private static let desktop = [
    "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de", "TZ": "Asia/Tokyo",
    "DISPLAY": ":7", "WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": "/nonexistent",
    "XDG_DATA_DIRS": "/nonexistent", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
    "SSH_AUTH_SOCK": "/nonexistent", "SSH_CONNECTION": "1 2 3 4", "GIT_DIR": "/nonexistent",
    "CDPATH": "/", "EDITOR": "vi", "NO_COLOR": "1", "TERM": "dumb", "AUTHCORE_TPM": "device",
    "AUTHCORE_HOME": "/nonexistent", "AUTHCORE_SERVICE": "/nonexistent",
  ]

  @Test("FINDINGS F: what a test starts inherits no signal, terminal or mask, and no environment")
  func started() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c",
      """
      sed -nE 's/^Sig(Blk|Ign):[[:space:]]*//p' /proc/self/status
      umask; cut -d' ' -f7 /proc/self/stat; readlink /proc/self/fd/0
      [ ! -e /proc/self/fd/9 ] || readlink /proc/self/fd/9 | grep -n /dev/full
      env
      """,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let said = try #require(try output.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    let lines = String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
    let signals = lines.prefix(2).map { UInt64($0, radix: 16) }
    // The C library's own signals 32 and 33 are ignored in all that posix_spawn(3) starts.
    #expect(signals.map { $0.map { $0 & ~(3 << 31) } } == [0, 0], "\(lines)")
    #expect(lines[2..<5] == ["0022", "0", "/dev/null"], "\(lines)")
    #expect(!lines.contains("1:/dev/full"))
    let environment = lines.dropFirst(5)
    #expect(environment.contains("LANG=C.UTF-8") && environment.contains("AUTHCORE_TPM=off"))
    for (name, value) in Self.desktop { #expect(!environment.contains("\(name)=\(value)")) }
  }

  /// Becomes the program, and leaves it all that a process can inherit.
  private static let careless = """
    import os, signal, sys
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGCHLD})
    os.umask(0o077)
    os.dup2(os.open("/dev/full", os.O_WRONLY), 9)
    os.execv(sys.argv[1], sys.argv[1:])
    """

  @Test("FINDINGS F: that is so on a terminal, in German, under nohup, with everything inherited")
  func startedCarelessly() throws {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let run = try TerminalRun(
      [
        "-c", Self.careless, tests, "--testing-library", "swift-testing", "--filter",
        #"SystemTests\.TestProcessTests/started\(\)"#,
      ], in: .trapping, program: "/usr/bin/python3", environment: Self.desktop)
    #expect(run.status == 0 && run.shown.contains("1 test"), "\(run.shown)")
  }
}
