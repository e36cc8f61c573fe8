import CoreClient

/// What a service asks people: statements about who somebody is, and in place of an inclusion those of
/// the file that it names.
struct PAMStack {
  /// A statement that names a module.
  struct Step: Equatable {
    let statement: PAMStatement
    /// Which file it is of, counted as they are read: in another one it may be contained, and its
    /// success the end of that one alone.
    let reading: Int

    /// Whether it asks for the password, as every module here does in its own way.
    var asksPassword: Bool {
      ["pam_unix.so", "pam_sss.so", "pam_ldap.so", "pam_krb5.so", "pam_winbind.so"]
        .contains(statement.target)
    }

    /// Whether it keeps nobody out.
    fileprivate var isHarmless: Bool {
      statement.control == "optional"
        || ["pam_permit.so", "pam_env.so", "pam_faildelay.so", "pam_warn.so"]
          .contains(statement.target)
    }

    /// Whether it asks for something in place of what follows, or chooses what is asked.
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

  /// How deep libpam follows, and more files than any service reads.
  private static let (deepest, most) = (16, 100)
  private let file: (String) -> PAMConfiguration?
  private var readings = 0

  /// - Parameter file: what is read by a name.
  init(reading file: @escaping (String) -> PAMConfiguration?) { self.file = file }

  /// What libpam runs where that statement stands.
  /// - Throws: where it leads to what is not there, or cannot be understood, or back to itself.
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

  /// A module that may have to agree as well as the password. A touch stands for the first password:
  /// what is asked besides, and is not known to be in place of it or stepped over once it was right,
  /// is named here.
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
