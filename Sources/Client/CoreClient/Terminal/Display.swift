import Glibc
import LinuxSystem
import Protocol

/// A place where a person reads lines. On a terminal the last few of them can be an area that is
/// replaced: a prompt, a bar, a picture.
package final class Display {
  /// What is written to; not closed with the value.
  package let descriptor: Int32
  /// A terminal on which lines can be replaced.
  package let isLive: Bool
  private let look: Look
  private let letters: Letters
  /// The area as it stands there: the width of each of its lines. The cursor is behind the last.
  private var widths: [Int] = []
  private var lines: [String] = []
  /// False after a write that failed: nobody reads any more.
  package private(set) var couldWrite = true

  /// What the terminals of a program are to be sent, if there are any.
  package enum Look {
    /// Colors and weights.
    case colored
    /// `--no-color`, or `NO_COLOR` (no-color.org).
    case plain
    /// `TERM=dumb`: no line can be replaced either.
    case dumb

    /// As the environment has it.
    /// - Parameter noColor: `--no-color`.
    /// - Returns: colored unless something speaks against it.
    package static func ofEnvironment(noColor: Bool = false) -> Look {
      if EnvironmentVariable.value(of: "TERM") == "dumb" { return .dumb }
      // no-color.org: present and not empty.
      let isAsked = EnvironmentVariable.value(of: "NO_COLOR")?.isEmpty == false
      return noColor || isAsked ? .plain : .colored
    }
  }

  /// Writes to `descriptor` what its reader can see.
  package init(_ descriptor: Int32, _ look: Look, _ letters: Letters) {
    (self.descriptor, self.look, self.letters) = (descriptor, look, letters)
    isLive = look != .dumb && isatty(descriptor) == 1
  }

  /// Colors, and how wide it is at this moment.
  package var paint: Paint {
    let isTerminal = isatty(descriptor) == 1
    return Paint(
      isOn: look == .colored && isTerminal, columns: isTerminal ? size.columns : nil,
      letters: letters)
  }

  /// Whether an area is shown.
  package var isDrawn: Bool { !widths.isEmpty }

  /// A line, above the area if there is one: that is gone until it is drawn again.
  package func line(_ text: String) {
    clear()
    write(letters.shown(text) + "\n")
  }

  /// Replaces the area; nothing if no line can be replaced. Lines are cut if the terminal is
  /// too narrow, and the first ones are left out if it is too low.
  package func draw(_ lines: [String]) {
    guard isLive, !isDrawn || lines != self.lines else { return }
    replace(with: lines)
  }

  /// Draws the area again, on a terminal that has another size.
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

  /// Shows a question whose answer is typed behind it.
  package func ask(_ question: String) {
    clear()
    let question = letters.shown(question)
    write(question)
    lines = [question]
    widths = [question.width]
  }

  /// Takes the area away.
  package func clear() {
    guard isDrawn else { return }
    write(isLive ? home(in: size) + "\u{1B}[J" : "\n")
    forget()
  }

  /// Ends the area so that it stays.
  package func keep() {
    guard isDrawn else { return }
    write("\n")
    forget()
  }

  /// The person has ended the area by typing Enter.
  package func forget() {
    widths = []
    lines = []
  }

  /// Moves the cursor to the beginning of the area. What is too long for a terminal that has become
  /// narrower meanwhile goes on in the next row.
  private func home(in size: Size) -> String {
    let rows = widths.reduce(0) { $0 + max(1, ($1 + size.columns - 1) / size.columns) }
    return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
  }

  // MARK: Size

  /// In characters.
  package struct Size {
    /// How many fit side by side.
    package var columns: Int
    /// How many lines.
    package var rows: Int

    /// By default that of a terminal which does not say.
    package init(columns: Int = 80, rows: Int = 24) {
      (self.columns, self.rows) = (columns, rows)
    }
  }

  /// How much there is room for at this moment.
  package var size: Size {
    var window = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 else { return Size() }
    var size = Size()
    if window.ws_col > 1 { size.columns = Int(window.ws_col) }
    if window.ws_row > 1 { size.rows = Int(window.ws_row) }
    return size
  }

  // MARK: Writing

  /// Text as it is.
  package func write(_ text: String) { write(Array(text.utf8).span) }

  /// Bytes as they are.
  package func write(_ bytes: Span<UInt8>) {
    if !DescriptorBytes.write(bytes, to: descriptor) { couldWrite = false }
  }
}

/// Colors and weights, if the reader has a terminal that shows them, and how wide that is.
package struct Paint {
  /// Whether there is color at all: a terminal, no `--no-color`, no `NO_COLOR` (no-color.org), not
  /// `TERM=dumb`.
  package let isOn: Bool
  /// How many columns there are; nil if lines may be of any length.
  package var columns: Int?
  /// What the terminal's letters are.
  package var letters: Letters

  /// For a reader whose terminal is like that.
  package init(isOn: Bool, columns: Int? = nil, letters: Letters = .all) {
    (self.isOn, self.columns, self.letters) = (isOn, columns, letters)
  }

  /// What a piece of text is.
  package enum Role: String {
    /// What matters most.
    case strong = "1"
    /// What need not be read.
    case faint = "2"
    /// What went well.
    case good = "32"
    /// What may be wrong.
    case doubtful = "33"
    /// What went wrong.
    case bad = "31"
    /// What leads on.
    case accent = "36"
  }

  /// `text` in the color of `role`.
  package func callAsFunction(_ text: String, _ role: Role) -> String {
    isOn ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// Without anything that a terminal would obey: for text that others chose (labels, reasons,
  /// drivers' messages).
  package var printable: String {
    withoutSteering
  }
}
