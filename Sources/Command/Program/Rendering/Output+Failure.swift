import CoreClient
import Protocol

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
