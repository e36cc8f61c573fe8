import CoreClient

/// Reads what a service asks people: statements about who somebody is, and in place of an inclusion
/// those of the file that it names.
struct PAMStack {
  /// A statement that names a module.
  struct Step: Equatable {
    let statement: PAMStatement
    /// Which file it is of, counted as they are read: in another one it may be contained, and its
    /// success the end of that one alone.
    let reading: Int
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
}

/// The modules that do not run where a touch was enough, from the first that asks for a password on.
struct PAMSkippedSteps {
  private let steps: [PAMStack.Step]

  init(_ steps: [PAMStack.Step]) { self.steps = steps }

  /// Whether it asks for the password, as every module here does in its own way.
  static func asksPassword(_ step: PAMStack.Step) -> Bool {
    ["pam_unix.so", "pam_sss.so", "pam_ldap.so", "pam_krb5.so", "pam_winbind.so"]
      .contains(step.statement.target)
  }

  /// They keep nobody out.
  private static let harmless = ["pam_permit.so", "pam_env.so", "pam_faildelay.so", "pam_warn.so"]
  /// They choose which of the following modules are asked.
  private static let choosing = ["pam_localuser.so", "pam_usertype.so", "pam_succeed_if.so"]

  /// A module that has to agree as well, or may have to; nil where a password is all there is.
  var needed: String? {
    guard let first = steps.firstIndex(where: Self.asksPassword),
      let last = steps.lastIndex(where: Self.asksPassword)
    else { return nil }
    let isNeeded = steps.indices.first { index in
      let (step, control) = (steps[index], steps[index].statement.control)
      let refusesNobody =
        control.hasPrefix("[") && !control.contains("=bad") && !control.contains("=die")
      switch step.statement.target {
      case let target where Self.harmless.contains(target): return false
      // What is jumped over to get to a password makes whatever jumps a condition.
      case "pam_deny.so": return index < last
      case let target where Self.choosing.contains(target): return !refusesNobody || index > last
      case _ where Self.asksPassword(step) && index == first: return false
      case _ where Self.asksPassword(step) && step.statement.jumps:
        return !refusesNobody && !isPassed(at: index)
      default: break
      }
      switch control {
      case "optional": return false
      // Instead of the password; behind one that is not enough, together with it.
      case "sufficient":
        return index > first && !Self.asksPassword(step)
          && (steps[first].statement.control != control || steps[first].reading != step.reading)
      default: return index > first || !refusesNobody || !control.contains("default=ignore")
      }
    }
    return isNeeded.map { steps[$0].statement.target }
  }

  /// Whether it does not run where a password before it was right.
  private func isPassed(at index: Int) -> Bool {
    steps[..<index].indices.contains { earlier in
      let step = steps[earlier]
      return Self.asksPassword(step) && step.reading == steps[index].reading
        && index - earlier <= step.statement.skippedOnSuccess
    }
  }

  /// Modules that do something besides, and will not.
  var besides: [String] {
    steps.map(\.statement).filter { $0.control == "optional" || $0.target == "pam_env.so" }
      .map(\.target).filter { $0 != "pam_permit.so" }
  }
}
