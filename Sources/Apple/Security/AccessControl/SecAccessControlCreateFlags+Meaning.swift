import Protocol

extension SecAccessControlCreateFlags {
  /// What these flags mean to the keychain; nil: nothing has to be proved.
  /// - Throws: `errSecParam` for flags that go together nowhere (APPLE.md 1.5), or not here.
  func accessControl() throws(Failure) -> AccessControl? {
    guard subtracting(.known).isEmpty else {
      throw refusal("there are bits without a meaning", "use the names of the flags")
    }
    guard !isSuperset(of: [.or, .and]) else {
      throw refusal("or and and exclude each other", "leave one of them out")
    }
    guard
      !contains(.userPresence)
        || subtracting([.userPresence, .applicationPassword, .privateKeyUsage]).isEmpty
    else {
      throw refusal(
        "userPresence already means a finger or the passcode",
        "leave the other proofs out, or userPresence")
    }
    let proofs = intersection(.proofs)
    guard !proofs.contains(.watch) || (contains(.or) && proofs != .watch) else {
      throw refusal(
        "a watch proves nothing here",
        "leave it out, or join it to another proof with or")
    }
    var additions: AccessControl.Additions = []
    if contains(.applicationPassword) { additions.insert(.appPassword) }
    if contains(.privateKeyUsage) { additions.insert(.privateKeyUsage) }
    let constraints = Self.meanings.reduce(into: AccessControl.Constraints()) { constraints, pair in
      if contains(pair.flag) { constraints.insert(pair.constraint) }
    }
    guard !constraints.isEmpty || !additions.isEmpty else { return nil }
    do throws(AccessControl.Problem) {
      return try AccessControl(
        constraints, joinedBy: contains(.or) ? .or : .and, with: additions)
    } catch {
      throw refusal(
        "any finger and the current ones exclude each other", "leave one of them out")
    }
  }

  /// The flags that make an access control of this meaning.
  init(_ accessControl: AccessControl) {
    self = []
    for (flag, constraint) in Self.meanings where accessControl.constraints.contains(constraint) {
      insert(flag)
    }
    if accessControl.junction == .or { insert(.or) }
    if accessControl.needsAppPassword { insert(.applicationPassword) }
    if accessControl.additions.contains(.privateKeyUsage) { insert(.privateKeyUsage) }
  }

  private static let meanings:
    [(flag: SecAccessControlCreateFlags, constraint: AccessControl.Constraints)] = [
      (.userPresence, .presence), (.biometryAny, .biometryAny),
      (.biometryCurrentSet, .biometryCurrent), (.devicePasscode, .passcode),
    ]

  private func refusal(_ reason: String, _ hint: String) -> Failure {
    Failure(.errSecParam, "these flags make no access control: \(reason)", hint: hint)
  }
}
