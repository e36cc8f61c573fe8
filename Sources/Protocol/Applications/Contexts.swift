// Evidence contexts: where the enclave keeps what has been proved, and how everybody names them.

/// In place of the number of a context: nothing has been proved.
package let noContext: UInt64 = 0

/// How old an unlock by touch may be that counts once more, in seconds: as long as Apple allows
/// (`LATouchIDAuthenticationMaximumAllowableReuseDuration`).
package let longestReuse: UInt32 = 300

/// The longest name of an application, in bytes.
package let longestApplication = 512

/// The application that the command is which belongs to the running core, wherever both lie.
package let commandApplication = "authcore"

extension Requester {
  /// What the owner's command alone may do, since it is about the items of all applications.
  package enum OwnersDeed {
    /// Have items leave and come back.
    case backups
    /// Look at the keychain's file, and mend it.
    case keychainFile
    /// Change what the owner has set.
    case settings
  }

  /// - Throws: `errSecMissingEntitlement` where it is not the owner's command.
  package func requireOwnersCommand(for deed: OwnersDeed) throws(Failure) {
    guard application != commandApplication else { return }
    let (words, command) =
      switch deed {
      case .backups: ("back items up and restore them", "authcore backup")
      case .keychainFile:
        ("ask about the keychain's file", "authcore keychain check, authcore keychain repair")
      case .settings: ("change the settings", "authcore settings")
      }
    throw Failure(
      .errSecMissingEntitlement, "only the owner's command may \(words)", hint: "run: \(command)")
  }
}

extension ContextName {
  package init(_ number: UInt64, of requester: Requester) {
    self.init(requester: requester, number: number)
  }
}

/// The longest application password, in bytes.
package let longestAppPassword = 1024

extension GiveAppPassword {
  /// Gives the message up for the password.
  package consuming func takePassword() -> SecretBytes { password }
}
