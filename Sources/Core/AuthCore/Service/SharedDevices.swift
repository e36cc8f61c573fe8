import Protocol

/// What the cores of one process share: the readers of the machine, whose turn it is to be touched,
/// the tries of its TPM, and the locked memory, of which a process has one.
package struct SharedDevices: Sendable {
  /// The readers of this machine.
  let readers: Readers
  /// Which request waits for a touch.
  let touchTurn = TouchTurn()
  /// The wrong passcodes that the TPM remembers.
  let tpmTries = TPMTryLedger()
  /// The locked memory that clients hold.
  let secrets: SecretLedger

  /// - Parameters:
  ///   - parts: says how devices are watched.
  ///   - preferenceFile: where a person's choice of a reader is remembered; absolute.
  ///   - secrets: how much of the locked memory clients may hold.
  init(_ parts: Core.Parts, preferenceFile: String, secrets: SecretBudget) {
    readers = Readers(
      preferenceFile: preferenceFile, watch: parts.watchDevices, drivers: parts.allDrivers,
      productName: parts.productName)
    self.secrets = SecretLedger(secrets)
  }
}

/// What makes a core one of several in the service of the machine.
package struct ServiceMembership: Sendable {
  /// Whose core it is.
  let user: UInt32
  let devices: SharedDevices
  /// Names the applications of its clients; nil: as a core on demand does.
  let naming: (any ApplicationNaming)?
  /// Keeps what happens; nil: nobody does.
  let audit: (@Sendable (AuditRecord) -> Void)?
  /// Takes in a state that the user had elsewhere.
  let adoption: StateAdoption
  /// Finds out what is wrong with the service.
  let troubles: @Sendable () -> [ServiceTrouble]
  /// Ends the user's core, on a thread of its own.
  let endCore: @Sendable () -> Void
  /// Ends the service, as root may ask.
  let endProcess: @Sendable () -> Void
}
