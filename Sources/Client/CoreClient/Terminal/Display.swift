import Glibc
import LinuxSystem
import Protocol

/// Output that a person reads. On a terminal its last lines can be an area that is replaced: a
/// prompt, a bar, a picture.
package final class Display {
  /// The descriptor of the output, which is not closed with this value.
  package let descriptor: Int32
  /// Whether this is a terminal on which lines can be replaced.
  package let isLive: Bool
  private let look: Look
  private let letters: Letters
  /// The widths of the area's lines. The cursor is behind the last.
  private var widths: [Int] = []
  private var lines: [String] = []
  /// False after a failed write: there is no reader any more.
  package private(set) var couldWrite = true
  /// Whether a terminal took nothing for a while: the person has stopped it (Ctrl-S).
  private(set) var isStopped = false

  /// What may be sent to terminals.
  package enum Look {
    /// Colors and weights.
    case colored
    /// `--no-color`, or `NO_COLOR` (no-color.org).
    case plain
    /// `TERM=dumb`: no line can be replaced either.
    case dumb

    package static func ofEnvironment(noColor: Bool = false) -> Look {
      if EnvironmentVariable.value(of: "TERM") == "dumb" { return .dumb }
      // no-color.org: present and not empty.
      let isAsked = EnvironmentVariable.value(of: "NO_COLOR")?.isEmpty == false
      return noColor || isAsked ? .plain : .colored
    }
  }

  package init(_ descriptor: Int32, _ look: Look, _ letters: Letters) {
    (self.descriptor, self.look, self.letters) = (descriptor, look, letters)
    isLive = look != .dumb && isatty(descriptor) == 1
  }

  /// The colors and the present width.
  package var paint: Paint {
    let isTerminal = isatty(descriptor) == 1
    return Paint(
      isOn: look == .colored && isTerminal, columns: isTerminal ? size.columns : nil,
      letters: letters)
  }

  /// Whether an area is shown.
  var isDrawn: Bool { !widths.isEmpty }

  /// Writes a line. An area above is removed until it is drawn again.
  package func line(_ text: String) {
    clear()
    write(letters.shown(text) + "\n")
  }

  /// Replaces the area, if lines can be replaced. Lines are cut if the terminal is too narrow, and
  /// the first are left out if it is too low.
  package func draw(_ lines: [String]) {
    guard isLive, !isDrawn || lines != self.lines else { return }
    replace(with: lines)
  }

  package func redraw() {
    if isLive, isDrawn { replace(with: lines) }
  }

  private func replace(with lines: [String]) {
    let size = size
    let fitting = lines.suffix(max(1, size.rows - 1)).map {
      letters.shown($0).clipped(to: size.columns - 1)
    }
    write(
      home(in: size) + fitting.joined(separator: "\u{1B}[K\n") + "\u{1B}[J")
    self.lines = lines
    widths = fitting.map(\.width)
  }

  /// Shows a question; its answer is typed behind it.
  package func ask(_ question: String) {
    clear()
    let question = letters.shown(question)
    write(question)
    lines = [question]
    widths = [question.width]
  }

  /// Removes the area.
  package func clear() {
    guard isDrawn else { return }
    write(isLive ? home(in: size) + "\u{1B}[J" : "\n")
    forget()
  }

  /// Ends the area and leaves it on the screen.
  package func keep() {
    guard isDrawn else { return }
    write("\n")
    forget()
  }

  /// Forgets the area, which the person ended by typing Enter.
  package func forget() {
    widths = []
    lines = []
  }

  /// Moves the cursor to the beginning of the area. Lines may fill several rows if the terminal has
  /// become narrower.
  private func home(in size: Size) -> String {
    let rows = widths.reduce(0) { $0 + max(1, ($1 + size.columns - 1) / size.columns) }
    return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
  }

  // MARK: Size

  package struct Size {
    package var columns: Int
    package var rows: Int

    /// By default the size of a terminal that does not report one.
    package init(columns: Int = 80, rows: Int = 24) {
      (self.columns, self.rows) = (columns, rows)
    }
  }

  package var size: Size {
    var window = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 else { return Size() }
    var size = Size()
    if window.ws_col > 1 { size.columns = Int(window.ws_col) }
    if window.ws_row > 1 { size.rows = Int(window.ws_row) }
    return size
  }

  // MARK: Writing

  package func write(_ text: String) { write(Array(text.utf8).span) }

  package func write(_ bytes: Span<UInt8>) {
    let isWritten = DescriptorBytes.write(bytes, to: descriptor, within: isStopped ? 0 : 1000)
    isStopped = !isWritten && errno == EAGAIN
    if !isWritten { couldWrite = false }
  }
}

/// Colors and weights, if the reader's terminal shows them, and its width.
package struct Paint {
  /// Whether there is color at all: a terminal, no `--no-color`, no `NO_COLOR` (no-color.org), not
  /// `TERM=dumb`.
  package let isOn: Bool
  /// The width in columns, or nil if lines may have any length.
  package var columns: Int?
  /// The letters of the terminal.
  package var letters: Letters

  package init(isOn: Bool, columns: Int? = nil, letters: Letters = .all) {
    (self.isOn, self.columns, self.letters) = (isOn, columns, letters)
  }

  package enum Role: String {
    case strong = "1"
    case faint = "2"
    case good = "32"
    case doubtful = "33"
    case bad = "31"
    case accent = "36"
  }

  /// `text` in the color of `role`.
  package func callAsFunction(_ text: String, _ role: Role) -> String {
    isOn ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// The text without anything that a terminal would obey: for text that others chose (labels,
  /// reasons, drivers' messages).
  package var printable: String {
    withoutSteering
  }
}
