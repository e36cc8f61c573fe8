import CoreClient
import Glibc
import Protocol

/// Where a command writes: results to standard output, progress and errors to standard error,
/// prompts to the terminal. The only place that does.
///
/// With `--json` standard output gets exactly one object, and human lines of results are not
/// printed.
final class Output {
  /// Whether `--json` was given.
  let isJSON: Bool
  /// `--quiet`: neither results nor progress; prompts and errors are still shown.
  var isQuiet = false
  private let results: Display
  private let errors: Display
  /// The terminal that prompts are shown on.
  private var prompts: Display?
  private let look: Display.Look
  private let letters: Letters

  init(isJSON: Bool, look: Display.Look, letters: Letters = .ofLocale()) {
    (self.isJSON, self.look, self.letters) = (isJSON, look, letters)
    results = Display(STDOUT_FILENO, look, letters)
    errors = Display(STDERR_FILENO, look, letters)
  }

  /// For standard output.
  var paint: Paint { isJSON ? Paint(isOn: false) : results.paint }

  /// For standard error.
  var errorPaint: Paint { errors.paint }

  /// Standard error is a terminal: a line there can be replaced.
  var isLive: Bool { errors.isLive }

  /// False after standard output failed.
  var couldWrite: Bool { results.couldWrite }

  /// Where a person is asked: the terminal, else standard error.
  func display(on terminal: Terminal?) -> Display {
    guard let terminal else { return errors }
    if let prompts, prompts.descriptor == terminal.descriptor { return prompts }
    let display = Display(terminal.descriptor, look, letters)
    prompts = display
    return display
  }

  /// Where pictures are shown that replace each other: standard output, with `--json` none.
  var pictures: Display? { isJSON || isQuiet ? nil : results }

  /// Prints the result: one object with `--json`, else the lines.
  func result(_ json: @autoclosure () -> JSONValue, _ lines: @autoclosure () -> [String]) {
    result(text: json().text, lines())
  }

  /// The same with the object as it is printed.
  func result(text json: @autoclosure () -> String, _ lines: @autoclosure () -> [String]) {
    if isJSON {
      clearLive()
      // As it is, whatever the locale.
      results.write(json() + "\n")
    } else if !isQuiet {
      for line in lines() { self.line(line) }
    }
  }

  /// A line of a result for people.
  func line(_ text: String) {
    guard !isJSON, !isQuiet else { return }
    clearLive()
    results.line(text)
  }

  /// A line beside the result: progress, or something the person should know.
  func note(_ text: String) {
    clearLive()
    errors.line(text)
  }

  /// Replaces the live line; nothing where standard error is not a terminal.
  func live(_ text: String) { errors.draw([text]) }

  /// Takes away what can be replaced, before something else is written.
  func clearLive() {
    errors.clear()
    prompts?.clear()
  }

  /// Bytes of a secret, as they are, to standard output.
  func secret(_ bytes: Span<UInt8>) {
    clearLive()
    results.write(bytes)
  }

  /// Text around a secret.
  func secret(_ text: String) { secret(Array(text.utf8).span) }

  /// Where the secret was shown on a terminal, what follows begins on a line of its own; standard
  /// output gets nothing of that.
  func endSecretOnTerminal() {
    if isLive, isatty(STDOUT_FILENO) == 1 { errors.write("\n") }
  }

  /// A line with something that is in locked memory in its middle: a result for people, or beside
  /// the object of `--json`.
  func say(_ before: String, _ bytes: Span<UInt8>, _ after: String) {
    clearLive()
    let display = isJSON ? errors : results
    display.write(before)
    display.write(bytes)
    display.write(after + "\n")
  }
}

extension Output {
  /// Reports that the command failed: an object with `--json`, else `authcore: …` and `hint: …` on
  /// standard error.
  func failure(_ failure: Failure) {
    // An object that nobody can read says nothing.
    if isJSON, couldWrite {
      result(failure.json, [])
      if couldWrite { return }
    }
    let paint = errorPaint
    let start = "authcore: "
    for (index, line) in paint.hanging(failure.message.printableLines, behind: start).enumerated() {
      let begin = index == 0 ? start : ""
      note(begin + paint(String(line.dropFirst(begin.count)), .bad))
    }
    if let hint = failure.hint {
      note(errorPaint("hint: ", .accent) + hint.printableLines)
    }
  }
}

extension Failure {
  /// `{"error":{…}}` (CLI.md, "Exit codes").
  var json: JSONValue {
    .object([
      "error": .object([
        "code": .integer(Int64(code.number)), "name": .string(code.rawValue),
        "message": .string(message), "hint": hint.map(JSONValue.string),
      ])
    ])
  }
}

extension String {
  /// ``printable``, but lines stay lines.
  fileprivate var printableLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
      .joined(separator: "\n")
  }
}

extension Output: PromptSurroundings {}

extension PromptScreen {
  /// For what happens at a sensor without a prompt; `display` is where that is shown.
  convenience init(_ output: Output, on display: Display) {
    self.init(on: display, .messages, beside: output)
  }

  /// `terminal` is where prompts are shown, nil where there is none. `isUnattended`: nobody sees a
  /// prompt, and that a touch is awaited is said on standard error.
  convenience init(_ output: Output, on terminal: Terminal?, isUnattended: Bool = false) {
    let place: Place = isUnattended ? .unattended : terminal == nil ? .messages : .terminal
    self.init(on: output.display(on: terminal), place, beside: output)
  }
}
