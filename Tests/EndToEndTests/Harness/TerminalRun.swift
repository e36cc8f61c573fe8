import Foundation

/// One run of `authcore` on a terminal, with a script instead of a person.
struct TerminalRun {
  /// One thing the person waits to see, and what is typed then.
  struct Step {
    let seen: String
    let typed: String
  }

  let status: Int32
  /// All that the terminal showed.
  let shown: String
  /// Whether what is typed is shown again, as it was before.
  let isTerminalAsBefore: Bool

  /// Runs it to its end; what is not seen or does not end within `seconds` is killed and has status
  /// 137.
  init(_ arguments: [String], _ steps: [Step], seconds: Double = 60) throws {
    var (far, near): (Int32, Int32) = (-1, -1)
    guard unsafe openpty(&far, &near, nil, nil, nil) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    defer {
      close(far)
      close(near)
    }
    let before = Self.showsKeys(near)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Products.program("authcore"))
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "TERM": "xterm", "LANG": "C.UTF-8"]
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
