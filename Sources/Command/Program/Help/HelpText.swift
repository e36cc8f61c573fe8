import CoreClient

/// The help of a command as it is printed: what ArgumentParser makes of it, an example, and what exit
/// codes mean.
enum HelpText {
  /// What an exit code means, beside the codes (CLI.md, "Exit codes").
  static let exitCodes = [
    ("0", "done"),
    ("1", "not authenticated: wrong finger or passcode, lockout, cancelled, timed out"),
    ("2", "not available: no reader, nothing enrolled, no passcode, nobody to ask"),
    ("3", "not found, or already there"),
    ("4", "denied: locked, another application's item, refused by policy"),
    ("5", "a driver, an engine or the core failed"),
    ("64", "the command line cannot be carried out as it is"),
    ("130", "interrupted"),
  ]

  /// Adds what ArgumentParser does not say; anything but help stays as it is.
  static func completed(_ text: String) -> String {
    guard let path = path(in: text) else { return text }
    var sections = [text.trimmingNewlines]
    if let examples = HelpExamples.of[path] {
      sections.append((["EXAMPLES:"] + examples.map { "  " + $0 }).joined(separator: "\n"))
    }
    let codes = exitCodes.map { "  \($0.0.padded(to: 5))\($0.1)" }
    sections.append((["EXIT CODES:"] + codes).joined(separator: "\n"))
    return sections.joined(separator: "\n\n")
  }

  /// The command whose help it is: the words of its usage.
  private static func path(in text: String) -> String? {
    guard text.hasPrefix("OVERVIEW: ") else { return nil }
    let lines = text.split(separator: "\n")
    guard let usage = lines.first(where: { $0.hasPrefix("USAGE: authcore") }) else { return nil }
    return usage.split(separator: " ").dropFirst(2).prefix { !"[<(".contains($0.prefix(1)) }
      .joined(separator: " ")
  }
}

extension String {
  fileprivate var trimmingNewlines: String {
    var rest = Substring(self)
    while rest.last == "\n" { rest.removeLast() }
    return String(rest)
  }
}
