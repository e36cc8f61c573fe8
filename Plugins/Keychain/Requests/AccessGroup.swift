import Protocol

/// How access groups are called: an application's own by the application's name, any other by the
/// name that those use who share it. Names are compared by their bytes (K2): texts that Unicode
/// takes for equal are two.
enum AccessGroup {
  /// What is hashed for a group, so that no name of a shared one is any application's.
  ///
  /// The command's own group is hashed as that of the user whose core this is, as were the items of
  /// all programs when the core did not tell them apart: so their rows need no sealing anew.
  static func hashedName(_ name: String, ofUser user: UInt32) -> String {
    if isSame(name, commandApplication) { return ofUsers + "\(user)" }
    return isApplication(name) ? name : "group:" + name
  }

  /// Whether it can be an application's name, as the core gives it: a path, or the command's. A core
  /// of before named every program of a user by the user.
  static func isApplication(_ name: String) -> Bool {
    isSame(name, commandApplication) || name.utf8.first == UInt8(ascii: "/")
      || name.utf8.starts(with: ofUsers.utf8)
  }

  /// Whether two names are one.
  static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8)
  }

  private static let ofUsers = "uid:"
}

extension KeychainEngine {
  /// Whose items are meant.
  /// - Throws: `errSecMissingEntitlement` for a client of which the core does not know what it is.
  static func application(of requester: Requester) throws(Failure) -> String {
    guard AccessGroup.isApplication(requester.application) else {
      throw Failure(
        .errSecMissingEntitlement,
        "no keychain is kept for a program of which the kernel does not tell where it lies",
        hint: """
          the program has no file or lets nobody look into it (PR_SET_DUMPABLE), or the core was \
          started in a sandbox; for the last: authcore quit, and start it outside
          """)
    }
    return requester.application
  }

  /// The group that an application means: its own where it names none, or itself. Any other name
  /// than an application's is that of a group which every program may name.
  /// - Throws: `errSecMissingEntitlement` for another application's own group, `errSecParam` for a
  ///   name that would not be read as it is.
  func group(_ named: String, of application: String) throws(Failure) -> String {
    guard !named.isEmpty, !AccessGroup.isSame(named, application) else { return application }
    guard !AccessGroup.isApplication(named) else {
      throw Failure(
        .errSecMissingEntitlement,
        "the items of \(named.withoutSteering) are not this application's",
        hint: """
          leave the group out for the application's own; for items of several programs choose a name \
          that is no path
          """)
    }
    guard named.withoutSteering == named else {
      throw Failure(
        .errSecParam, "the group \(named.withoutSteering) has a name that cannot be read",
        hint: "choose one without control characters and marks of writing direction")
    }
    return named
  }
}
