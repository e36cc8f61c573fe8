package import CoreClient
@_exported public import Protocol

// The owner's keychain and enclave for applications in Swift: typed, asynchronous, with secrets in
// locked memory. Security and LocalAuthentication offer the same under Apple's names.

/// The owner's keychain as far as this application can reach it: its own items, and those of access
/// groups that it names.
///
/// Any thread and any task. The first request finds or starts a core.
public final class OwnerKeychain: Sendable {
  package let client: ApplicationClient

  /// The keychain that the environment names: `AUTHCORE_HOME`, `AUTHCORE_DRIVER`, `AUTHCORE_CORE`.
  public init() { client = .current }

  package init(_ client: ApplicationClient) { self.client = client }

  /// Adds an item; asks nobody.
  /// - Parameters:
  ///   - item: its class (generic by default), attributes and group.
  ///   - secret: at most 48 KiB.
  ///   - protection: when it can be reached, and what has to be proved to open it.
  ///   - proof: holds the password if the access control demands one.
  /// - Returns: the item as it is stored.
  /// - Throws: `errSecDuplicateItem` if an item of this name exists; `errSecParam`,
  ///   `errSecNoSuchAttr`; `passcodeNotSet`, `biometryNotEnrolled` for an item that could not be
  ///   opened; `errSecInteractionNotAllowed` while the device is locked.
  @discardableResult
  public func add(
    _ item: KeychainSelector, secret: consuming SecretBytes,
    guardedBy protection: KeychainGuard = KeychainGuard(), with proof: OwnerProof? = nil
  ) async throws(Failure) -> KeychainEntry {
    var attributes = ItemAttributes()
    attributes.itemClass = item.itemClass ?? .generic
    for (name, value) in item.attributes { attributes.values[name] = value }
    attributes.group = item.group ?? ""
    attributes.accessibility = protection.accessibility
    attributes.accessControl = protection.accessControl
    let (stored, shared) = (attributes, SharedSecretBytes(secret))
    let added = try await use(in: proof) { (keychain) throws(Failure) in
      try keychain.add(stored, shared.bytes.duplicate())
    }
    return KeychainEntry(stored: added)
  }

  /// Opens the one item that matches. The owner is asked if the access control demands a missing
  /// proof. If the task is cancelled meanwhile and a proof is named, the prompt goes away.
  /// - Parameters:
  ///   - selector: which item.
  ///   - reason: what the owner permits, shown in the prompt; nil for the item's name.
  ///   - proof: where the proof is kept for later requests.
  /// - Returns: its secret, which is wiped when it is released.
  /// - Throws: `errSecItemNotFound`; `ambiguous` if several match; `errSecInteractionNotAllowed`
  ///   while it is locked; `errSecAuthFailed` if it is bound to fingers that have changed; the
  ///   failures of a prompt.
  public func secret(
    of selector: KeychainSelector, reason: String? = nil, with proof: OwnerProof? = nil
  ) async throws(Failure) -> SecretBytes {
    let query = selector.query
    return try await use(Prompting(reason: reason), in: proof) { (keychain) throws(Failure) in
      try keychain.open(query).takeSecret()
    }
  }

  /// The items that match, oldest first. Asks nobody and opens none.
  /// - Throws: `errSecItemNotFound` if there is none; `errSecInteractionNotAllowed` if only locked
  ///   items could match.
  public func entries(
    matching selector: KeychainSelector
  ) async throws(Failure) -> [KeychainEntry] {
    let query = selector.query
    return try await use { (keychain) throws(Failure) in
      try keychain.find(FindItems(query: query)).map { KeychainEntry(stored: $0) }
    }
  }

  /// Changes the one item that matches. A protected item demands the proof that opens it.
  /// - Parameters:
  ///   - selector: which item.
  ///   - attributes: those that change; an empty text or data removes one.
  ///   - secret: its new secret; nil keeps the old one.
  ///   - reason: what the owner permits.
  ///   - proof: where the proof is kept for later requests.
  /// - Throws: as ``secret(of:reason:with:)``, and `errSecDuplicateItem`.
  public func update(
    _ selector: KeychainSelector, attributes: [AttributeName: AttributeValue] = [:],
    secret: consuming SecretBytes? = nil, reason: String? = nil, with proof: OwnerProof? = nil
  ) async throws(Failure) {
    var changes = ItemChanges()
    for (name, value) in attributes { changes.terms[name] = value }
    var shared: SharedSecretBytes?
    if let secret { shared = SharedSecretBytes(secret) }
    let (query, changed, replacement) = (selector.query, changes, shared)
    try await use(Prompting(reason: reason), in: proof) { (keychain) throws(Failure) in
      try keychain.update(query, changed, secret: replacement?.bytes.duplicate())
    }
  }

  /// Removes the one item that matches. Asks nobody, as with Apple.
  /// - Throws: `errSecItemNotFound`, `ambiguous`, `errSecInteractionNotAllowed`.
  public func remove(_ selector: KeychainSelector) async throws(Failure) {
    let query = selector.query
    try await use { (keychain) throws(Failure) in try keychain.remove(query) }
  }

  /// Uses the keychain on a thread of its own, with the named proof.
  func use<Reply: ~Copyable & Sendable>(
    _ prompting: Prompting = Prompting(), in proof: OwnerProof? = nil,
    _ body: @escaping @Sendable (Keychain) throws(Failure) -> Reply
  ) async throws(Failure) -> Reply {
    let (context, cancellation) = (proof?.context, CancellationSignal())
    let keychain = Keychain(client, prompting, in: context, cancelledBy: cancellation)
    return try await BlockingWork.run {
      context?.cancel(cancellation)
    } _: { () throws(Failure) in
      try body(keychain)
    }
  }
}

/// An application that keeps something in the owner's keychain.
public struct KeychainApplication: Hashable, Sendable {
  /// The core's name for it: usually the path of its executable.
  public let name: String
  /// The number of items in its own group.
  public let items: Int
  /// The number of keys in its own group.
  public let keys: Int
  /// The number of items that other applications share with it.
  public let sharedItems: Int

  init(_ holdings: ApplicationHoldings) {
    name = holdings.application
    items = Int(holdings.items)
    keys = Int(holdings.keys)
    sharedItems = Int(holdings.shared)
  }
}

extension OwnerKeychain {
  /// The applications that keep something in the keychain, by name, without what is locked. The
  /// owner is asked if a passcode is set.
  /// - Parameters:
  ///   - reason: what the owner permits, shown in the prompt.
  ///   - proof: where the proof is kept for later requests.
  /// - Returns: the applications that have anything.
  /// - Throws: `errSecInteractionNotAllowed` if everything is locked; the failures of a prompt.
  public func applications(
    reason: String, with proof: OwnerProof? = nil
  ) async throws(Failure) -> [KeychainApplication] {
    let found = try await use(Prompting(reason: reason), in: proof) {
      (keychain) throws(Failure) -> FoundApplications in try keychain.ask(FindApplications())
    }
    return found.applications.map { KeychainApplication($0) }
  }

  /// Removes everything that an application keeps, and ends what others share with it. The owner is
  /// asked if a passcode is set.
  /// - Parameters:
  ///   - application: its name.
  ///   - reason: what the owner permits, shown in the prompt. No earlier proof counts.
  /// - Throws: `errSecItemNotFound` if it has nothing; `errSecInteractionNotAllowed` while the
  ///   device is locked; the failures of a prompt.
  public func forget(
    _ application: KeychainApplication, reason: String
  ) async throws(Failure) {
    let name = application.name
    _ = try await use(Prompting(reason: reason)) {
      (keychain) throws(Failure) -> ItemsChanged in
      try keychain.ask(ForgetApplication(application: name))
    }
  }
}
