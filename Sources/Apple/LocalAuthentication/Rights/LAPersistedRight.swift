public import Security

/// A right that is kept under a name (``LARightStore``), with a key of the enclave's and, where one
/// was saved, a secret, which serve only while the right is authorized.
public final class LAPersistedRight: LARight, @unchecked Sendable {
  /// The name it is kept under.
  let name: String
  /// A key that was made for it; its private half never leaves the enclave.
  public let key: LAPrivateKey
  /// The secret that was saved with it, if one was.
  public let secret: LASecret

  init(
    _ name: String, _ requirement: LAAuthenticationRequirement, _ key: SecKey,
    _ evidence: RightEvidence
  ) {
    self.name = name
    self.key = LAPrivateKey(key)
    secret = LASecret(of: name, evidence)
    super.init(requirement, evidence)
  }
}

/// The secret that was saved with a right. Any thread.
public final class LASecret: NSObject, Sendable {
  private let name: String
  private let evidence: RightEvidence

  init(of name: String, _ evidence: RightEvidence) {
    (self.name, self.evidence) = (name, evidence)
  }

  /// Reads the secret while the right is authorized; nobody is asked for it.
  /// - Parameter completion: gets the secret, which is the caller's to wipe, or hears why not, an
  ///   error of `NSOSStatusErrorDomain`: `errSecInteractionNotAllowed` while the right is not
  ///   authorized, `errSecItemNotFound` where none was saved. On a queue of its own.
  @preconcurrency public func loadData(
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [self] in try read() }
  }

  /// The secret, read while the right is authorized; nobody is asked for it. It is the caller's to
  /// wipe. Fails as ``loadData(completion:)`` does.
  public var rawData: Data {
    get async throws { try await RightWork.value { [self] in try read() } }
  }

  private func read() throws -> Data {
    try KeptRights(client: evidence.client).secret(of: name, evidence)
  }
}
