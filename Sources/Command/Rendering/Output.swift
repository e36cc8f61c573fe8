import Glibc
import Wire

/// Where a command writes: results to standard output, prompts, progress and errors to standard
/// error. The only place that does.
///
/// With `--json` standard output gets exactly one object, and human lines of results are not
/// printed.
final class Output {
  /// Whether `--json` was given.
  let isJSON: Bool
  /// For standard output.
  let paint: Paint
  /// For standard error.
  let errorPaint: Paint
  /// Standard error is a terminal: a line there can be replaced.
  let isLive: Bool
  /// `--quiet`: neither results nor progress; prompts and errors are still shown.
  var isQuiet = false
  private var liveLine: String?
  private(set) var couldWrite = true

  /// What the terminals of a command are to be sent, where there are any.
  enum Look {
    case coloured
    /// `--no-color`, or `NO_COLOR` (no-color.org).
    case plain
    /// `TERM=dumb`: no line can be replaced either.
    case dumb
  }

  init(isJSON: Bool, look: Look) {
    self.isJSON = isJSON
    isLive = look != .dumb && isatty(STDERR_FILENO) == 1
    paint = Paint(isOn: look == .coloured && !isJSON && isatty(STDOUT_FILENO) == 1)
    errorPaint = Paint(isOn: look == .coloured && isLive)
  }

  /// Prints the result: one object with `--json`, else the lines.
  func result(_ json: @autoclosure () -> JSONValue, _ lines: @autoclosure () -> [String]) {
    result(text: json().text, lines())
  }

  /// The same with the object as it is printed.
  func result(text json: @autoclosure () -> String, _ lines: @autoclosure () -> [String]) {
    if isJSON {
      clearLive()
      write(json() + "\n", to: STDOUT_FILENO)
    } else if !isQuiet {
      for line in lines() { self.line(line) }
    }
  }

  /// A line of a result for people.
  func line(_ text: String) {
    guard !isJSON, !isQuiet else { return }
    clearLive()
    write(text + "\n", to: STDOUT_FILENO)
  }

  /// A line beside the result: progress, or something the person should know.
  func note(_ text: String) {
    clearLive()
    write(text + "\n", to: STDERR_FILENO)
  }

  /// Replaces the live line; nothing where standard error is not a terminal.
  func live(_ text: String) {
    guard isLive, text != liveLine else { return }
    write("\r\u{1B}[2K" + text.clipped(to: columns - 1), to: STDERR_FILENO)
    liveLine = text
  }

  /// Shows a question whose answer is typed behind it.
  func ask(_ question: String) {
    clearLive()
    write(question, to: STDERR_FILENO)
    liveLine = question
  }

  /// Takes the live line away.
  func clearLive() {
    guard liveLine != nil else { return }
    write(isLive ? "\r\u{1B}[2K" : "\n", to: STDERR_FILENO)
    liveLine = nil
  }

  /// A line that is longer than the terminal is wide cannot be replaced.
  private var columns: Int {
    var size = winsize()
    let result = unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size)
    return result == 0 && size.ws_col > 1 ? Int(size.ws_col) : 80
  }

  /// The person has ended the live line by typing Enter.
  func liveWasEnded() { liveLine = nil }

  /// Ends the live line so that it stays.
  func keepLive() {
    guard liveLine != nil else { return }
    write("\n", to: STDERR_FILENO)
    liveLine = nil
  }

  /// Bytes of a secret, as they are, to standard output.
  func secret(_ bytes: Span<UInt8>) {
    clearLive()
    write(bytes, to: STDOUT_FILENO)
  }

  /// Where the secret was shown on a terminal, what follows begins on a line of its own; standard
  /// output gets nothing of that.
  func endSecretOnTerminal() {
    if isLive, isatty(STDOUT_FILENO) == 1 { write("\n", to: STDERR_FILENO) }
  }

  /// A line with something that is in locked memory in its middle: a result for people, or beside
  /// the object of `--json`.
  func say(_ before: String, _ bytes: Span<UInt8>, _ after: String) {
    clearLive()
    let descriptor = isJSON ? STDERR_FILENO : STDOUT_FILENO
    write(before, to: descriptor)
    write(bytes, to: descriptor)
    write(after + "\n", to: descriptor)
  }

  private func write(_ text: String, to descriptor: Int32) {
    write(Array(text.utf8).span, to: descriptor)
  }

  private func write(_ bytes: Span<UInt8>, to descriptor: Int32) {
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = unsafe Glibc.write(
          descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          if descriptor == STDOUT_FILENO { couldWrite = false }
          return
        }
        written += count
      }
    }
  }
}
