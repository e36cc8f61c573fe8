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

/// Who asks, by the core's word.
package struct Requester: Hashable, WireField {
  /// Whose items are meant (K2): the path of the client's executable, ``commandApplication``, or
  /// empty where the kernel does not tell. Applications are told apart by the bytes of this.
  package let application: String
  /// Names one connection of a client to the core; the core gives no number twice.
  package let connection: UInt64
  package init(application: String, connection: UInt64) {
    self.application = application
    self.connection = connection
  }
  package func encode(into encoder: inout WireEncoder) { encoder.write(application, connection) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    application = try decoder.readText(limit: longestApplication)
    connection = try decoder.read()
  }
}

extension Requester {
  /// What the owner's command alone may do, since it is about the items of all applications.
  package enum OwnersDeed {
    /// Have items leave and come back.
    case backups
    /// Look at the keychain's file, and mend it.
    case keychainFile
  }

  /// - Throws: `errSecMissingEntitlement` where it is not the owner's command.
  package func requireOwnersCommand(for deed: OwnersDeed) throws(Failure) {
    guard application != commandApplication else { return }
    let (words, command) =
      switch deed {
      case .backups: ("back items up and restore them", "authcore backup")
      case .keychainFile:
        ("ask about the keychain's file", "authcore keychain check, authcore keychain repair")
      }
    throw Failure(
      .errSecMissingEntitlement, "only the owner's command may \(words)", hint: "run: \(command)")
  }
}

/// A context, and who names it: the enclave knows it by that name alone, so that nobody but who
/// opened it can use it.
package struct ContextName: Hashable, WireField {
  package let requester: Requester
  /// Chosen by the core, or ``noContext``.
  package let number: UInt64
  package init(_ number: UInt64, of requester: Requester) {
    self.requester = requester
    self.number = number
  }
  package func encode(into encoder: inout WireEncoder) { encoder.write(requester, number) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (requester, number) = try decoder.read()
  }
}

/// The longest application password, in bytes.
package let longestAppPassword = 1024

/// What an application password is given for.
package enum AppPasswordUse: UInt8, CaseIterable, WireField {
  /// Opening what it guards. Sealing, too, where no other one is given for that.
  case opening = 1
  /// Sealing what is added, or what is changed to be guarded by it.
  case sealing = 2
}

/// Gives an application password to the evidence context that the request names. It enters the keys
/// of what is opened and sealed there (`LACredentialType.applicationPassword`), counts for as long
/// as other evidence, and is stored nowhere. It is bytes: whoever reads it from a person normalizes
/// it as a passcode. Reply: ``Done``. Failures: `invalidContext`, also where none is named;
/// `errSecParam` for an empty one.
package struct GiveAppPassword: EngineMessage, ~Copyable {
  package static var number: UInt8 { 49 }
  package static var engine: AddressedEngine { .enclave }
  package static var replyNumber: UInt8 { Done.number }
  package let use: AppPasswordUse
  package let password: SecretBytes
  package init(use: AppPasswordUse, password: consuming SecretBytes) {
    self.use = use
    self.password = password
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(use)
    encoder.writeSecret(password)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let use = try AppPasswordUse(from: &decoder)
    self.init(use: use, password: try decoder.readSecret(limit: longestAppPassword))
  }

  /// Gives the message up for the password.
  package consuming func takePassword() -> SecretBytes { password }
}
