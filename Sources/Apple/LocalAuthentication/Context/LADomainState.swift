import Protocol

/// Stands for everything that can prove the owner's presence. It never changes; any thread.
public final class LADomainState: NSObject, Sendable {
  /// What fingers there are.
  public let biometry: LADomainStateBiometry
  /// What companion devices there are: none.
  public let companion: LADomainStateCompanion

  /// Stands for all of it together; nil where nothing is enrolled.
  public var stateHash: Data? { biometry.stateHash }

  /// That of a device; nil: of one that cannot be reached.
  init(_ status: consuming CoreStatus?) {
    biometry = LADomainStateBiometry(status)
    companion = LADomainStateCompanion()
  }
}

/// Stands for the enrolled fingers. It never changes; any thread.
public final class LADomainStateBiometry: NSObject, Sendable {
  /// What biometry there is.
  public let biometryType: LABiometryType
  /// Compared for equality only, and another one after each change of the set of fingers; nil where
  /// none is enrolled.
  public let stateHash: Data?

  init(_ status: consuming CoreStatus?) {
    biometryType = status.map { LABiometryType($0) } ?? .none
    stateHash = status.flatMap { $0.domainState.isEmpty ? nil : Data($0.domainState) }
  }
}

/// Stands for companion devices, of which this system knows none. Any thread.
public final class LADomainStateCompanion: NSObject, Sendable {
  /// Nil: there are none.
  public var stateHash: Data? { nil }
  /// Empty: there are none.
  public var availableCompanionTypes: Set<LACompanionType> { [] }

  /// Nil: there are none of any kind.
  public func stateHash(for companionType: LACompanionType) -> Data? { nil }
}
