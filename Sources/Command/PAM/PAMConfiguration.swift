import TerminalPrompts
import Wire

/// The file of one PAM service, and the line in it that asks authcore. A value: bytes in, bytes out.
struct PAMConfiguration: Equatable {
  /// What it holds, as it is on the disk.
  let bytes: [UInt8]
  private let lines: [[UInt8]]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map(Array.init)
  }

  /// The module, by which its lines are known.
  static let module = "pam_authcore.so"
  /// By this the line that was added here is found again.
  private static let mark = "# added by authcore pam enable"

  /// The line to add, for a module that libpam finds by `name`.
  static func line(_ name: String) -> String { "auth\tsufficient\t\(name)\t\(mark)" }

  /// A place for the line, and what that means.
  struct Place: Equatable {
    /// The number of the line it goes before.
    let line: Int
    /// Modules behind it that do not run where a finger or the passcode was enough.
    let skipped: [String]
  }

  /// Whether the line was added here.
  var isEnabled: Bool { lines.contains(where: Self.isOurs) }

  /// Whether somebody has written a line for the module by hand.
  var namesModule: Bool {
    lines.contains { line in
      !Self.isOurs(line)
        && PAMStatement.all(in: [line])?.contains { $0.target == Self.module } == true
    }
  }

  /// The files that are read in places of this one.
  var included: [String] {
    PAMStatement.all(in: lines)?.filter(\.isInclusion).map(\.target) ?? []
  }

  private static func isOurs(_ line: [UInt8]) -> Bool {
    let text = String(decoding: line, as: UTF8.self)
    return text.contains(mark) && PAMStatement.all(in: [line])?.first?.target == module
  }

  /// With the line, and in no other way changed; the same where it has it already.
  /// - Throws: `unsupported` where it cannot be told where the line belongs.
  func enabled(_ name: String, of service: String) throws(Failure) -> [UInt8] {
    let before = PAMConfiguration(disabled)
    let place = try before.place(for: service, name)
    let added = Array(Self.line(name).utf8)
    return Array(
      (before.lines[..<place.line] + [added] + before.lines[place.line...])
        .joined(separator: [UInt8(ascii: "\n")]))
  }

  /// Without the line, to the last byte as it was.
  var disabled: [UInt8] {
    Array(lines.filter { !Self.isOurs($0) }.joined(separator: [UInt8(ascii: "\n")]))
  }

  /// Where the line belongs: before the modules that ask for the password, behind all that is to
  /// hold for everybody.
  func place(for service: String, _ name: String = module) throws(Failure) -> Place {
    guard !bytes.contains(UInt8(ascii: "\r")), !bytes.contains(0),
      let statements = PAMStatement.all(in: lines)
    else { throw Self.unknown(service, "it has lines that cannot be understood", name) }
    let asking = statements.filter { $0.purpose == .auth || Self.mayAsk($0) }
    guard let first = asking.firstIndex(where: { Self.isMain($0) }) else {
      throw Self.unknown(service, "nothing in it asks for a password as usual", name)
    }
    let (before, after) = (asking[..<first], asking[(first + 1)...])
    guard !before.contains(where: \.jumps) else {
      throw Self.unknown(service, "a line before that counts the lines it jumps over", name)
    }
    // A finger ends the stack: nothing that has to be asked for as well may stand behind it.
    let needed = after.first { statement in
      !["optional", "sufficient"].contains(statement.control)
        && !["pam_deny.so", "pam_permit.so"].contains(statement.target)
    }
    if let needed {
      throw Self.unknown(service, "\(needed.target) behind that is asked as well", name)
    }
    return Place(
      line: asking[first].line,
      skipped: after.filter { $0.control == "optional" }.map(\.target)
        .filter { $0 != "pam_permit.so" })
  }

  /// Inclusions that are known to hold nothing about who somebody is.
  private static func mayAsk(_ statement: PAMStatement) -> Bool {
    statement.purpose == .inclusion
      && !["common-account", "common-password", "common-session", "common-session-noninteractive"]
        .contains(statement.target)
  }

  private static func isMain(_ statement: PAMStatement) -> Bool {
    statement.isInclusion
      || ["pam_unix.so", "pam_sss.so", "pam_ldap.so", "pam_krb5.so", "pam_winbind.so"]
        .contains(statement.target)
  }

  private static func unknown(_ service: String, _ reason: String, _ name: String) -> Failure {
    Failure(
      .unsupported, "It is not clear where the line belongs in \(service.printable): \(reason)",
      hint: """
        add it by hand before the line that asks for the password, if whoever is proved there needs \
        to prove nothing else: auth sufficient \(name)
        """)
  }
}
