import Protocol

/// What the cores of one process share: the readers of the machine, whose turn it is to be touched,
/// the tries of its TPM, and the locked memory, of which a process has one.
struct SharedDevices: Sendable {
  let readers: Readers
  let touchTurn = TouchTurn()
  /// The wrong passcodes that the TPM remembers.
  let tpmTries = TPMTryLedger()
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
struct ServiceMembership: Sendable {
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

extension Core {
  /// Takes in a state that the user had elsewhere.
  /// - Throws: `unsupported` if this is not the service.
  func adoption() throws(Failure) -> StateAdoption {
    guard let service else {
      throw Failure(
        .unsupported, "only the service of the machine takes a state folder in",
        hint: "authcore migrate moves this one into the service")
    }
    return service.adoption
  }

  /// Ends this core, so that the next one starts with the adopted state.
  func endForAdoption() { service?.endCore() }

  /// What is wrong with the service that this core belongs to, if it does.
  func serviceTroubles() -> ServiceTroubles { ServiceTroubles(service?.troubles() ?? []) }

  // MARK: Auditing

  /// Whether ``audit(_:)`` writes anything.
  var isAudited: Bool { service?.audit != nil }

  func audit(_ record: AuditRecord) { service?.audit?(record) }
}
