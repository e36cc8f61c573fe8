import Glibc
import Wire

/// The groups of items that an application may name, each by the name that is hashed (K2).
struct AccessGroups {
  /// The application, as the core names it, and so its own group's name for people.
  let application: String
  /// What its own group is hashed as. That of the command is the user whose core this is, as were
  /// the items of all programs when the core did not tell them apart.
  let own: String

  /// - Throws: `errSecMissingEntitlement` for a client of which the core does not know what it is.
  init(of application: String) throws(Failure) {
    guard !application.isEmpty else {
      throw Failure(
        .errSecMissingEntitlement,
        "no keychain is kept for a program of which the kernel does not tell where it lies",
        hint: """
          the program has no file or lets nobody look into it (PR_SET_DUMPABLE), or the core was \
          started in a sandbox; for the last: authcore quit, and start it outside
          """)
    }
    self.application = application
    own = application == commandApplication ? "uid:\(geteuid())" : application
  }
}
