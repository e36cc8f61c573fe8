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
