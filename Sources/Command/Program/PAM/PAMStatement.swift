/// One statement of a service's file in `/etc/pam.d` (pam.conf(5)).
struct PAMStatement: Equatable {
  /// What it is for.
  enum Purpose: Equatable {
    case auth
    /// `account`, `password` or `session`.
    case other
    /// `@include`, which brings statements of any purpose.
    case inclusion
  }

  /// Where its first line begins, among the lines of the file.
  let line: Int
  let purpose: Purpose
  /// `required`, `[success=1 default=ignore]`, `include`, …; empty for an inclusion.
  let control: String
  /// The module's file name, or what is included.
  let target: String

  /// The statements of a file's lines; nil where one of them cannot be understood.
  static func all(in lines: [[UInt8]]) -> [PAMStatement]? {
    var statements: [PAMStatement] = []
    var (line, text): (Int, String) = (0, "")
    for (number, bytes) in lines.enumerated() {
      if text.isEmpty { line = number }
      var part = String(decoding: bytes, as: UTF8.self)
      if let comment = part.firstIndex(of: "#") { part = String(part[..<comment]) }
      while part.last?.isWhitespace == true { part.removeLast() }
      if part.last == "\\" {
        text += part.dropLast() + " "
        continue
      }
      let words = Self.words(of: text + part)
      text = ""
      guard !words.isEmpty else { continue }
      guard let statement = PAMStatement(words, line: line) else { return nil }
      statements.append(statement)
    }
    return text.isEmpty ? statements : nil
  }

  /// Words, of which one may stand in brackets and hold spaces.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var isOpen = false
    for part in text.split(whereSeparator: \.isWhitespace) {
      if isOpen {
        words[words.count - 1] += " " + part
      } else {
        words.append(String(part))
      }
      if part.hasPrefix("["), !isOpen { isOpen = true }
      if part.hasSuffix("]") { isOpen = false }
    }
    return words
  }

  private init?(_ words: [String], line: Int) {
    self.line = line
    if words[0] == "@include" {
      guard words.count == 2 else { return nil }
      (purpose, control, target) = (.inclusion, "", words[1])
      return
    }
    let type = words[0].lowercased().drop { $0 == "-" }
    guard words.count >= 3, ["auth", "account", "password", "session"].contains(String(type))
    else { return nil }
    purpose = type == "auth" ? .auth : .other
    control = words[1].lowercased()
    let name = words[2].split(separator: "/").last.map(String.init)
    target = ["include", "substack"].contains(control) ? words[2] : name ?? words[2]
  }

  /// Whether other statements are read in its place.
  var isInclusion: Bool {
    purpose == .inclusion || control == "include" || control == "substack"
  }

  /// How many of the statements that follow do not run where it succeeds, of a control whose failure
  /// means nothing: `sufficient` or `[success=1 default=ignore]`. 0 for any other.
  var skippedOnSuccess: Int {
    if control == "sufficient" { return .max }
    let words = controlWords
    return words.count == 4 && words[0] == "success" && words[2...] == ["default", "ignore"]
      ? Int(words[1]) ?? 0 : 0
  }

  /// Whether it passes over some of the statements that follow, or does nothing:
  /// `[default=1 ignore=ignore success=ok]`.
  var isCondition: Bool {
    let words = controlWords
    return words.count == 6 && words[0] == "default" && Int(words[1]) != nil
      && words[2...] == ["ignore", "ignore", "success", "ok"]
  }

  /// Whether it may end in a jump over statements that follow.
  var jumps: Bool { control.hasPrefix("[") && controlWords.contains { Int($0) != nil } }

  private var controlWords: [Substring] { control.split { " []=".contains($0) } }
}
