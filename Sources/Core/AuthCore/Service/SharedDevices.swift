import Protocol

/// What the cores of one process share: the machine's readers, their touches, the tries of its TPM,
/// and the locked memory.
struct SharedDevices: Sendable {
  let readers: Readers
  let touchTurn = TouchTurn()
  /// The wrong passcodes that the TPM remembers.
  let tpmTries = TPMTryLedger()
  let secrets: SecretLedger

  /// - Parameters:
  ///   - parts: watches devices and lists drivers.
  ///   - preferenceFile: remembers a person's choice of a reader; absolute.
  ///   - secrets: how much of the locked memory clients may hold.
  init(_ parts: Core.Parts, preferenceFile: String, secrets: SecretBudget) {
    readers = Readers(
      preferenceFile: preferenceFile, watch: parts.watchDevices, drivers: parts.allDrivers,
      productName: parts.productName)
    self.secrets = SecretLedger(secrets)
  }
}

/// What makes a core a part of the machine's service.
struct ServiceMembership: Sendable {
  let user: UInt32
  let devices: SharedDevices
  /// Names the applications of its clients; nil to name them as a core on demand does.
  let naming: (any ApplicationNaming)?
  /// Writes down what happens; nil if nothing is written.
  let audit: (@Sendable (AuditRecord) -> Void)?
  /// The doors that the machine's policy forbids at present.
  var forbiddenDoors: @Sendable () -> Set<Door> = { [] }
  let adoption: StateAdoption
  let troubles: @Sendable () -> [ServiceTrouble]
  let endCore: @Sendable () -> Void
  /// Ends the service, if root asks.
  let endProcess: @Sendable () -> Void
}

extension Core {
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

  /// Writes down what happens for a client: in the service for each, on demand for doors, since
  /// only those act for others. Nil if nothing is written.
  func audit(of link: ClientLink) -> (@Sendable (AuditRecord) -> Void)? {
    if let service { return service.audit }
    guard link.door != nil else { return nil }
    return { record in record.write(in: Self.journal) }
  }

  /// That of a core on demand.
  private static let journal = Journal()
}
