import Protocol

/// What a core has of the service that it is a part of.
extension Core {
  /// Where a state that the user had elsewhere is taken in.
  /// - Throws: `unsupported` where this is not the service.
  func adoption() throws(Failure) -> StateAdoption {
    guard let service else {
      throw Failure(
        .unsupported, "only the service of the machine takes a state folder in",
        hint: "authcore migrate moves this one into the service")
    }
    return service.adoption
  }

  /// Ends this core, so that the next one begins with the state that was taken in.
  func endForAdoption() { service?.endCore() }

  /// What is wrong with the service that this core is a part of, if it is of one.
  func serviceTroubles() -> ServiceTroubles { ServiceTroubles(service?.troubles() ?? []) }

  // MARK: Auditing

  /// Whether anybody keeps what ``audit(_:)`` is told.
  var isAudited: Bool { service?.audit != nil }

  /// Writes down what happened, where that is kept.
  func audit(_ record: AuditRecord) { service?.audit?(record) }
}
