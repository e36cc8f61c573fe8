import CoreClient
import Glibc
import Protocol

/// Everything that a command writes: results to standard output, progress and errors to standard
/// error, prompts to the terminal.
///
/// With `--json`, standard output gets exactly one object and no lines.
final class Output {
  let isJSON: Bool
  /// `--quiet`: prints no results. Prompts and errors are still shown.
  var isQuiet = false
  private let results: Display
  private let errors: Display
  private var prompts: Display?
  private let look: Display.Look
  private let letters: Letters

  init(isJSON: Bool, look: Display.Look, letters: Letters = .ofLocale()) {
    (self.isJSON, self.look, self.letters) = (isJSON, look, letters)
    results = Display(STDOUT_FILENO, look, letters)
    errors = Display(STDERR_FILENO, look, letters)
  }

  var paint: Paint { isJSON ? Paint(isOn: false) : results.paint }

  var errorPaint: Paint { errors.paint }

  /// Whether standard error is a terminal, where a line can be replaced.
  var isLive: Bool { errors.isLive }

  /// Whether no write to standard output has failed.
  var couldWrite: Bool { results.couldWrite }

  /// Where prompts are shown: the terminal, or else standard error.
  func display(on terminal: Terminal?) -> Display {
    guard let terminal else { return errors }
    if let prompts, prompts.descriptor == terminal.descriptor { return prompts }
    let display = Display(terminal.descriptor, look, letters)
    prompts = display
    return display
  }

  /// Where pictures are shown; nil if standard output must not get them.
  var pictures: Display? { isJSON || isQuiet ? nil : results }

  /// Prints the result: an object with `--json`, or else lines.
  func result(_ json: @autoclosure () -> JSONValue, _ lines: @autoclosure () -> [String]) {
    result(text: json().text, lines())
  }

  /// The same, for an object that is text already.
  func result(text json: @autoclosure () -> String, _ lines: @autoclosure () -> [String]) {
    if isJSON {
      clearLive()
      // Not changed for the locale.
      results.write(json() + "\n")
    } else if !isQuiet {
      for line in lines() { self.line(line) }
    }
  }

  /// Prints a line of a result for people.
  func line(_ text: String) {
    guard !isJSON, !isQuiet else { return }
    clearLive()
    results.line(text)
  }

  /// Prints a line on standard error.
  func note(_ text: String) {
    clearLive()
    errors.line(text)
  }

  /// Replaces the live line of standard error, if it is a terminal.
  func live(_ text: String) { errors.draw([text]) }

  /// Removes the live line before something else is written.
  func clearLive() {
    errors.clear()
    prompts?.clear()
  }

  /// Writes a secret to standard output as it is.
  func secret(_ bytes: Span<UInt8>) {
    clearLive()
    results.write(bytes)
  }

  /// Writes text around a secret.
  func secret(_ text: String) { secret(Array(text.utf8).span) }

  /// Starts a new line if a secret was shown on a terminal. Standard output gets nothing.
  func endSecretOnTerminal() {
    if isLive, isatty(STDOUT_FILENO) == 1 { errors.write("\n") }
  }

  /// Prints a line around something in locked memory. With `--json` it goes to standard error.
  func say(_ before: String, _ bytes: Span<UInt8>, _ after: String) {
    clearLive()
    let display = isJSON ? errors : results
    display.write(before)
    display.write(bytes)
    display.write(after + "\n")
  }
}

extension Output {
  /// Reports a failure: an object with `--json`, or else `authcore: …` and `hint: …` on standard
  /// error.
  func failure(_ failure: Failure) {
    // If the object cannot be written, standard error gets the lines.
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
  /// `{"error":{…}}`.
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
  /// A screen for a sensor without a prompt, shown on `display`.
  convenience init(_ output: Output, on display: Display) {
    self.init(on: display, .messages, beside: output)
  }

  /// A screen for prompts on `terminal`. If `isUnattended`, standard error says that a touch is
  /// awaited.
  convenience init(_ output: Output, on terminal: Terminal?, isUnattended: Bool = false) {
    let place: Place = isUnattended ? .unattended : terminal == nil ? .messages : .terminal
    self.init(on: output.display(on: terminal), place, beside: output)
  }
}
