import CoreClient

/// The authentication statements of a service, with inclusions replaced by the statements that they
/// name.
struct PAMStack {
  /// A statement that names a module.
  struct Step: Equatable {
    let statement: PAMStatement
    /// Which inclusion it came from, counted as files are read. Success in an included file may end
    /// only that file.
    let reading: Int

    /// Whether it asks for the password.
    var asksPassword: Bool {
      ["pam_unix.so", "pam_sss.so", "pam_ldap.so", "pam_krb5.so", "pam_winbind.so"]
        .contains(statement.target)
    }

    /// Whether it never denies.
    fileprivate var isHarmless: Bool {
      statement.control == "optional"
        || ["pam_permit.so", "pam_env.so", "pam_faildelay.so", "pam_warn.so"]
          .contains(statement.target)
    }

    /// Whether it replaces what follows, or chooses what is asked.
    fileprivate var isAlternative: Bool {
      statement.skippedOnSuccess > 0
        || statement.isCondition
          && ["pam_localuser.so", "pam_usertype.so", "pam_succeed_if.so"].contains(statement.target)
    }
  }

  /// Why it cannot be followed.
  struct Unclear: Error {
    let reason: String
  }

  /// The depth that libpam follows, and more files than any service reads.
  private static let (deepest, most) = (16, 100)
  private let file: (String) -> PAMConfiguration?
  private var readings = 0

  init(reading file: @escaping (String) -> PAMConfiguration?) { self.file = file }

  /// What libpam runs for a statement.
  /// - Throws: if an inclusion is missing, cannot be parsed, or includes itself.
  mutating func steps(of statement: PAMStatement) throws(Unclear) -> [Step] {
    try steps(of: statement, through: [], reading: 0)
  }

  private mutating func steps(
    of statement: PAMStatement, through names: [String], reading: Int
  ) throws(Unclear) -> [Step] {
    guard statement.isInclusion else { return [Step(statement: statement, reading: reading)] }
    let name = statement.target
    readings += 1
    guard !names.contains(name), names.count < Self.deepest, readings <= Self.most,
      let included = file(name)?.asking
    else { throw Unclear(reason: "\(name.printable), which it reads, cannot be followed") }
    let number = readings
    var steps: [Step] = []
    for inner in included {
      steps += try self.steps(of: inner, through: names + [name], reading: number)
    }
    return steps
  }

  /// A module that may be required besides the password. A touch stands for the first password.
  /// Whatever else is asked counts, unless it is known to replace that password or to be skipped
  /// after it.
  static func needed(in steps: [Step]) -> String? {
    guard let first = steps.firstIndex(where: \.asksPassword) else { return nil }
    let password = steps[first]
    return steps.indices.first { index in
      let step = steps[index]
      if index == first || step.isHarmless { return false }
      if index < first { return !step.isAlternative }
      let isSteppedOver =
        step.reading == password.reading
        && index - first <= password.statement.skippedOnSuccess
      let isKnown =
        step.isAlternative || step.asksPassword || step.statement.target == "pam_deny.so"
      return !isSteppedOver || !isKnown
    }.map { steps[$0].statement.target }
  }
}

/// A statement in a service's file (pam.conf(5)).
struct PAMStatement: Equatable {
  enum Purpose: Equatable {
    case auth
    /// `account`, `password` or `session`.
    case other
    /// `@include`, which may bring statements of any purpose.
    case inclusion
  }

  /// The index of its first line.
  let line: Int
  let purpose: Purpose
  /// `required`, `[success=1 default=ignore]`, `include`, …; empty for an inclusion.
  let control: String
  /// The module's file name, or the file that is included.
  let target: String

  /// Parses the lines of a file; nil if one cannot be parsed.
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

  /// Splits words. One in brackets may hold spaces.
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

  var isInclusion: Bool {
    purpose == .inclusion || control == "include" || control == "substack"
  }

  /// How many of the following statements are skipped on success, if failure is ignored:
  /// `sufficient` or `[success=1 default=ignore]`. 0 for any other control.
  var skippedOnSuccess: Int {
    if control == "sufficient" { return .max }
    let words = controlWords
    return words.count == 4 && words[0] == "success" && words[2...] == ["default", "ignore"]
      ? Int(words[1]) ?? 0 : 0
  }

  /// Whether it only skips some following statements or does nothing: `[default=1 ignore=ignore
  /// success=ok]`.
  var isCondition: Bool {
    let words = controlWords
    return words.count == 6 && words[0] == "default" && Int(words[1]) != nil
      && words[2...] == ["ignore", "ignore", "success", "ok"]
  }

  /// Whether it may jump over following statements.
  var jumps: Bool { control.hasPrefix("[") && controlWords.contains { Int($0) != nil } }

  private var controlWords: [Substring] { control.split { " []=".contains($0) } }
}
