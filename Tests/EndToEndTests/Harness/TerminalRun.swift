import Foundation

/// One run of `authcore` with a controlling terminal, and a script instead of a person.
struct TerminalRun {
  /// One thing the person waits to see, and what is typed then.
  struct Step {
    let seen: String
    let typed: String
  }

  /// How a shell runs the command.
  enum Shell {
    /// In the terminal's foreground, everything on it.
    case foreground
    /// In the foreground; standard input, output and error are files.
    case redirected
    /// Behind `&`.
    case background
    /// Behind `&`, and standard input, output and error are files.
    case redirectedBackground

    /// What sh(1) is told; the command and its arguments are the positional parameters.
    fileprivate func script(_ folder: String) -> String {
      switch self {
      case .foreground: "exec \"$@\""
      case .redirected: "exec \"$@\" </dev/null >'\(folder)/output' 2>'\(folder)/errors'"
      case .background: "set -m; \"$@\" & wait $!"
      case .redirectedBackground:
        "set -m; \"$@\" </dev/null >'\(folder)/output' 2>'\(folder)/errors' & wait $!"
      }
    }
  }

  let status: Int32
  /// All that the terminal showed.
  let shown: String
  /// What went to standard output and error where they are redirected.
  let output: String
  let errors: String
  /// Whether what is typed is shown again, as it was before.
  let isTerminalAsBefore: Bool

  /// Runs it to its end; what is not seen or does not end within `seconds` is killed and has status
  /// 137.
  init(
    _ arguments: [String], _ steps: [Step] = [], in shell: Shell = .foreground,
    environment: [String: String] = [:], seconds: Double = 60
  ) throws {
    var (far, near): (Int32, Int32) = (-1, -1)
    guard unsafe openpty(&far, &near, nil, nil, nil) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    defer {
      close(far)
      close(near)
    }
    let before = Self.showsKeys(near)
    let folder = try TemporaryFolder()
    let process = Process()
    // It makes its standard input the controlling terminal of a new session.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    process.arguments =
      ["--ctty", "--wait", "/bin/sh", "-c", shell.script(folder.url.path), "sh"]
      + [Products.program("authcore")] + arguments
    process.environment = ["PATH": "/usr/bin:/bin", "TERM": "xterm", "LANG": "C.UTF-8"]
      .merging(environment) { $1 }
    let terminal = FileHandle(fileDescriptor: near, closeOnDealloc: false)
    process.standardInput = terminal
    process.standardOutput = terminal
    process.standardError = terminal
    try process.run()
    var screen = Screen(far, deadline: Date(timeIntervalSinceNow: seconds))
    for step in steps where screen.awaits(step.seen, from: process) {
      let bytes = Array(step.typed.utf8)
      _ = unsafe write(far, bytes, bytes.count)
    }
    _ = screen.awaits(nil, from: process)
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    status = process.terminationReason == .exit ? process.terminationStatus : 137
    shown = screen.text
    isTerminalAsBefore = before == Self.showsKeys(near)
    output = Self.text(folder, "output")
    errors = Self.text(folder, "errors")
  }

  private static func text(_ folder: borrowing TemporaryFolder, _ name: String) -> String {
    let file = folder.url.appendingPathComponent(name).path
    return FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }

  private static func showsKeys(_ terminal: Int32) -> UInt32 {
    var settings = termios()
    _ = unsafe tcgetattr(terminal, &settings)
    return settings.c_lflag
  }

  /// What a terminal shows, as it comes.
  private struct Screen {
    private let descriptor: Int32
    private let deadline: Date
    private var bytes: [UInt8] = []
    private var looked = 0

    init(_ descriptor: Int32, deadline: Date) {
      self.descriptor = descriptor
      self.deadline = deadline
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Reads on until `words` are seen behind those seen last; nil: until the process has ended.
    mutating func awaits(_ words: String?, from process: Process) -> Bool {
      while Date() < deadline {
        let new = String(decoding: bytes[looked...], as: UTF8.self)
        if let words, let range = new.range(of: words) {
          looked += new[..<range.upperBound].utf8.count
          return true
        }
        let isRunning = process.isRunning
        if !read(), !isRunning { return false }
      }
      return false
    }

    /// - Returns: whether something was there.
    private mutating func read() -> Bool {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&polled, 1, 50) == 1, polled.revents & Int16(POLLIN) != 0 else {
        return false
      }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      bytes += buffer[..<max(0, count)]
      return count > 0
    }
  }
}
