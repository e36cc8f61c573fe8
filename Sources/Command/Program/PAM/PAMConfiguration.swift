import CoreClient
import Protocol

/// The file of one PAM service, and the line in it that asks authcore. A pure value.
struct PAMConfiguration: Equatable {
  let bytes: [UInt8]
  private let lines: [[UInt8]]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map(Array.init)
  }

  /// The module that marks lines for authcore.
  static let module = "pam_authcore.so"
  /// Marks the line that this command added.
  private static let mark = "# added by authcore pam enable"

  /// The line to add. libpam finds the module by `name`.
  static func line(_ name: String) -> String { "auth\tsufficient\t\(name)\t\(mark)" }

  /// Gives the file that an inclusion names, or nil.
  typealias Reading = (String) -> PAMConfiguration?

  /// Where the line goes, and what that skips.
  struct Place: Equatable {
    /// The index of the line that it goes before.
    let line: Int
    /// Modules after it that do not run after a touch or the passcode.
    let skipped: [String]
  }

  /// Whether this command added a line.
  var isEnabled: Bool { lines.contains(where: Self.isOurs) }

  /// Whether there is a line for the module that was written by hand.
  var namesModule: Bool {
    lines.contains { line in
      !Self.isOurs(line)
        && PAMStatement.all(in: [line])?.contains { $0.target == Self.module } == true
    }
  }

  /// The files that this one includes for authentication. If a line cannot be parsed, the
  /// inclusions of the others count.
  var included: [String] {
    let statements = asking ?? lines.flatMap { PAMStatement.all(in: [$0]) ?? [] }
    return statements.filter { $0.isInclusion && $0.purpose != .other }.map(\.target)
  }

  private static func isOurs(_ line: [UInt8]) -> Bool {
    let text = String(decoding: line, as: UTF8.self)
    return text.contains(mark) && PAMStatement.all(in: [line])?.first?.target == module
  }

  /// The line that this command added.
  var line: String? {
    lines.first(where: Self.isOurs).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The file with the line. A line that is there keeps its place and its arguments; only the
  /// module's name is updated.
  /// - Throws: `unsupported` if it is unclear where the line belongs.
  func enabled(
    _ name: String, of service: String, reading file: @escaping Reading
  ) throws(Failure) -> [UInt8] {
    guard !isEnabled else {
      let named = lines.map { Self.isOurs($0) ? Self.naming(name, in: $0) : $0 }
      return Array(named.joined(separator: [UInt8(ascii: "\n")]))
    }
    let place = try place(for: service, name, reading: file)
    let added = Array(Self.line(name).utf8)
    return Array(
      (lines[..<place.line] + [added] + lines[place.line...])
        .joined(separator: [UInt8(ascii: "\n")]))
  }

  private static func naming(_ name: String, in line: [UInt8]) -> [UInt8] {
    var text = String(decoding: line, as: UTF8.self)
    let words = text.split(whereSeparator: \.isWhitespace)
    guard let word = words.first(where: { $0.split(separator: "/").last == module[...] }),
      word != name[...]
    else { return line }
    text.replaceSubrange(word.startIndex..<word.endIndex, with: name)
    return Array(text.utf8)
  }

  /// The file without the line, otherwise unchanged.
  var disabled: [UInt8] {
    Array(lines.filter { !Self.isOurs($0) }.joined(separator: [UInt8(ascii: "\n")]))
  }

  /// Where the line belongs: before the modules that ask for the password, and after everything
  /// that must always run.
  func place(
    for service: String, _ name: String = module, reading file: @escaping Reading
  ) throws(Failure) -> Place {
    guard let asking else {
      throw Self.unknown(service, "it has lines that cannot be understood", name)
    }
    var stack = PAMStack(reading: file)
    var (before, behind, line): ([PAMStack.Step], [PAMStack.Step], Int?) = ([], [], nil)
    for statement in asking {
      let steps: [PAMStack.Step]
      do { steps = try stack.steps(of: statement) } catch {
        throw Self.unknown(service, error.reason, name)
      }
      if line == nil, steps.contains(where: \.asksPassword) { line = statement.line }
      if line == nil { before += steps } else { behind += steps }
    }
    guard let line else {
      throw Self.unknown(service, "nothing in it asks for a password as usual", name)
    }
    guard !before.contains(where: \.statement.jumps) else {
      throw Self.unknown(service, "a line before that counts the lines it jumps over", name)
    }
    // A touch ends the stack, so nothing after it may be required as well.
    if let needed = PAMStack.needed(in: behind) {
      throw Self.unknown(service, "\(needed.printable) may have to agree as well", name)
    }
    let skipped = behind.map(\.statement).filter {
      $0.target == "pam_env.so" || $0.control == "optional" && $0.target != "pam_permit.so"
    }
    return Place(line: line, skipped: skipped.map(\.target))
  }

  /// The statements that may be about authentication; nil if one cannot be parsed.
  var asking: [PAMStatement]? {
    guard !bytes.contains(UInt8(ascii: "\r")), !bytes.contains(0) else { return nil }
    return PAMStatement.all(in: lines)?.filter { $0.purpose == .auth || Self.mayAsk($0) }
  }

  /// Some inclusions are known not to be about authentication.
  private static func mayAsk(_ statement: PAMStatement) -> Bool {
    statement.purpose == .inclusion
      && !["common-account", "common-password", "common-session", "common-session-noninteractive"]
        .contains(statement.target)
  }

  private static func unknown(_ service: String, _ reason: String, _ name: String) -> Failure {
    Failure(
      .unsupported, "It is not clear where the line belongs in \(service.printable): \(reason)",
      hint: """
        add it by hand before the line that asks for the password, if nothing else has to be \
        proved: auth sufficient \(name)
        """)
  }
}
