import CoreClient
public import Protocol

/// What an application keeps in the owner's keychain.
public struct KeychainApplication: Hashable, Sendable {
  /// As the core names it: the path of its executable, or another name that it gives.
  public let name: String
  /// How many items are in its own group.
  public let items: Int
  /// How many keys are.
  public let keys: Int
  /// How many items of other applications are shared with it.
  public let sharedItems: Int

  init(_ holdings: ApplicationHoldings) {
    name = holdings.application
    items = Int(holdings.items)
    keys = Int(holdings.keys)
    sharedItems = Int(holdings.shared)
  }
}

extension OwnerKeychain {
  /// The applications that keep something in the keychain, by name; what is locked away is not
  /// counted. The owner is asked where a passcode is set.
  /// - Parameters:
  ///   - reason: what the owner permits, shown in the prompt.
  ///   - proof: where the proof is kept for later requests.
  /// - Returns: those that have anything.
  /// - Throws: `errSecInteractionNotAllowed` while everything is locked away, and what a prompt ends
  ///   with.
  public func applications(
    reason: String, with proof: OwnerProof? = nil
  ) async throws(Failure) -> [KeychainApplication] {
    let found = try await use(Prompting(reason: reason), in: proof) {
      (keychain) throws(Failure) -> FoundApplications in try keychain.ask(FindApplications())
    }
    return found.applications.map { KeychainApplication($0) }
  }

  /// Removes everything that an application keeps, and ends what others share with it. The owner is
  /// asked where a passcode is set.
  /// - Parameters:
  ///   - application: its name.
  ///   - reason: what the owner permits, shown in the prompt.
  ///   - proof: where the proof is kept for later requests.
  /// - Throws: `errSecItemNotFound` where it has nothing; `errSecInteractionNotAllowed` while the device
  ///   is locked; and what a prompt ends with.
  public func forget(
    _ application: KeychainApplication, reason: String, with proof: OwnerProof? = nil
  ) async throws(Failure) {
    let name = application.name
    _ = try await use(Prompting(reason: reason), in: proof) {
      (keychain) throws(Failure) -> ItemsChanged in
      try keychain.ask(ForgetApplication(application: name))
    }
  }
}
