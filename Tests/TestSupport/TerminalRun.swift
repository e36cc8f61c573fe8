import Foundation

/// One run of a program with a controlling terminal, and a script instead of a person.
package struct TerminalRun {
  /// What the person waits to see, and does then.
  package struct Step {
    package enum Action {
      case type(String)
      /// Makes the window as wide as this.
      case resize(columns: UInt16)
      /// Closes the window.
      case hangUp
      /// Does something elsewhere.
      case run(() throws -> Void)
    }

    let seen: String
    let action: Action

    package init(seen: String, typed: String) { self.init(seen: seen, .type(typed)) }

    package init(seen: String, _ action: Action) {
      self.seen = seen
      self.action = action
    }
  }

  /// How a shell runs the command.
  package enum Shell {
    /// In the terminal's foreground, everything on it.
    case foreground
    /// In the foreground; standard input, output and error are files.
    case redirected
    /// Behind `&`.
    case background
    /// In the foreground, by a shell that says whether keys are shown when the command is suspended,
    /// and then has it go on in the foreground.
    case suspendedOnce
    /// The same, in the background.
    case suspendedAndLeft
    /// Behind `&`, and standard input, output and error are files.
    case redirectedBackground
    /// In the foreground, behind a program that reads the terminal, until Ctrl-D, as with
    /// `ssh HOST cat FILE | …`.
    case besideReader
    /// In the foreground, by a shell that says when it gets SIGINT and ends as the command did.
    case trapping

    private static let tellsEcho = "stty -a | grep -q ' echo ' && echo 'keys are shown'"

    /// What sh(1) is told; the command and its arguments are the positional parameters.
    fileprivate func script(_ folder: String) -> String {
      switch self {
      case .foreground: "exec \"$@\""
      case .redirected: "exec \"$@\" </dev/null >'\(folder)/output' 2>'\(folder)/errors'"
      case .suspendedOnce: "set -m; \"$@\"; \(Self.tellsEcho); fg >/dev/null; exit $?"
      case .suspendedAndLeft: "set -m; \"$@\"; bg >/dev/null; wait %1; exit $?"
      case .trapping: "trap 'echo the shell got it too' INT; \"$@\"; exit $?"
      case .besideReader: "cat >'\(folder)/typed' | \"$@\""
      case .background: "set -m; \"$@\" & wait $!"
      case .redirectedBackground:
        "set -m; \"$@\" </dev/null >'\(folder)/output' 2>'\(folder)/errors' & wait $!"
      }
    }
  }

  package let status: Int32
  /// All that the terminal showed.
  package let shown: String
  /// Standard output and error if they are redirected.
  package let output: String
  package let errors: String
  /// What the other reader of the terminal got.
  package let typed: String
  /// Whether the terminal echoes as before.
  package let isTerminalAsBefore: Bool

  /// Runs `program` to its end. It is killed, and has status 137, if it does not show a step or end
  /// within `seconds`.
  package init(
    _ arguments: [String], _ steps: [Step] = [], in shell: Shell = .foreground,
    program: String = "authcore", environment: [String: String] = [:], columns: UInt16 = 80,
    seconds: Double = 240
  ) throws {
    var (far, near): (Int32, Int32) = (-1, -1)
    guard unsafe openpty(&far, &near, nil, nil, nil) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    Self.resize(far, columns)
    var isOpen = true
    defer {
      if isOpen { close(far) }
      close(near)
    }
    let before = Self.showsKeys(near)
    let folder = try TemporaryFolder()
    let process = Process()
    // It makes its standard input the controlling terminal of a new session.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    process.arguments =
      ["--ctty", "--wait", "/bin/sh", "-c", shell.script(folder.url.path), "sh"]
      + [program.hasPrefix("/") ? program : Products.program(program)] + arguments
    process.environment = [
      "PATH": "/usr/bin:/bin", "HOME": try TemporaryFolder.shared.get().path, "TERM": "xterm",
      "LANG": "C.UTF-8",
    ].merging(environment) { $1 }
    let terminal = FileHandle(fileDescriptor: near, closeOnDealloc: false)
    process.standardInput = terminal
    process.standardOutput = terminal
    process.standardError = terminal
    try process.run()
    var screen = Screen(far, deadline: Date(timeIntervalSinceNow: seconds))
    for step in steps where screen.awaits(step.seen, from: process) {
      switch step.action {
      case .type(let text):
        let bytes = Array(text.utf8)
        _ = unsafe write(far, bytes, bytes.count)
      case .resize(let columns): Self.resize(far, columns)
      case .run(let body): try body()
      case .hangUp:
        close(far)
        isOpen = false
      }
    }
    if isOpen { _ = screen.awaits(nil, from: process) }
    while !isOpen, process.isRunning, Date() < screen.deadline { _ = poll(nil, 0, 20) }
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      // What it started is in a session of its own, and ends with its terminal.
      if isOpen { close(far) }
      isOpen = false
    }
    process.waitUntilExit()
    status = process.terminationReason == .exit ? process.terminationStatus : 137
    shown = screen.text
    isTerminalAsBefore = before == Self.showsKeys(near)
    output = Self.text(folder, "output")
    errors = Self.text(folder, "errors")
    typed = Self.text(folder, "typed")
  }

  private static func resize(_ terminal: Int32, _ columns: UInt16) {
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = unsafe ioctl(terminal, UInt(TIOCSWINSZ), &size)
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
    let deadline: Date
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
