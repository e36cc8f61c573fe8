package import CoreClient
public import Protocol

/// The owner's keychain, as far as this application reaches it: its own items, and those of access
/// groups that it names.
///
/// Any thread and any task. A core is found, or started, with the first request.
public final class OwnerKeychain: Sendable {
  package let client: ApplicationClient

  /// The keychain that the environment says: `AUTHCORE_HOME`, `AUTHCORE_DRIVER`, `AUTHCORE_CORE`.
  public init() { client = .current }

  package init(_ client: ApplicationClient) { self.client = client }

  /// Adds an item; asks nobody.
  /// - Parameters:
  ///   - item: its class, generic where it says none, its attributes and its group.
  ///   - secret: at most 48 KiB.
  ///   - protection: when it can be reached, and what has to be proved to open it.
  ///   - proof: holds the password where the access control asks for one.
  /// - Returns: the item as it is stored.
  /// - Throws: `errSecDuplicateItem` where one of this name is there; `errSecParam`,
  ///   `errSecNoSuchAttr`; `passcodeNotSet`, `biometryNotEnrolled` for what could never be opened;
  ///   `errSecInteractionNotAllowed` while the device is locked.
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
    let added: ItemAdded = try await ask(in: proof) {
      AddItem(attributes: stored, secret: shared.bytes.duplicate())
    }
    return KeychainEntry(stored: added.attributes)
  }

  /// Opens the one item that is meant. Where its access control asks for a proof that is not there,
  /// the owner is asked; where the task is cancelled meanwhile and a proof is named, the prompt goes
  /// away.
  /// - Parameters:
  ///   - selector: which item.
  ///   - reason: what the owner permits, shown in the prompt; nil: the item's name.
  ///   - proof: where the proof is kept for later requests.
  /// - Returns: its secret, wiped when you let go of it.
  /// - Throws: `errSecItemNotFound`; `ambiguous` where several match; `errSecInteractionNotAllowed`
  ///   while it is locked away; `errSecAuthFailed` where it is bound to fingers that have changed;
  ///   and what a prompt ends with.
  public func secret(
    of selector: KeychainSelector, reason: String? = nil, with proof: OwnerProof? = nil
  ) async throws(Failure) -> SecretBytes {
    let query = selector.query
    let got: GotItem = try await ask(Prompting(reason: reason), in: proof) {
      GetItem(query: query)
    }
    return got.takeSecret()
  }

  /// The items that are meant, oldest first; asks nobody and opens none.
  /// - Throws: `errSecItemNotFound` where there is none; `errSecInteractionNotAllowed` where only
  ///   items that are locked away could match.
  public func entries(
    matching selector: KeychainSelector
  ) async throws(Failure) -> [KeychainEntry] {
    let (client, query) = (client, selector.query)
    return try await BlockingWork.run { () throws(Failure) in
      try FindItems(query: query).all { (page) throws(Failure) in try client.ask(page) }
        .map { KeychainEntry(stored: $0) }
    }
  }

  /// Changes the one item that is meant; a protected one asks for what opens it.
  /// - Parameters:
  ///   - selector: which item.
  ///   - attributes: those that change; an empty text or data removes one.
  ///   - secret: what takes the place of its secret; nil: it stays.
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
    let _: ItemsChanged = try await ask(Prompting(reason: reason), in: proof) {
      UpdateItems(
        query: query, changes: changed, allowsSeveral: false, replacesSecret: replacement != nil,
        secret: replacement?.bytes.duplicate() ?? SecretBytes(count: 0))
    }
  }

  /// Removes the one item that is meant; asks nobody, as with Apple.
  /// - Throws: `errSecItemNotFound`, `ambiguous`, `errSecInteractionNotAllowed`.
  public func remove(_ selector: KeychainSelector) async throws(Failure) {
    let query = selector.query
    let _: ItemsChanged = try await ask { RemoveItems(query: query, allowsSeveral: false) }
  }

  /// Sends a message on a thread of its own, with the proof that is named.
  func ask<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable & Sendable>(
    _ prompting: Prompting = Prompting(), in proof: OwnerProof? = nil,
    _ message: @escaping @Sendable () -> Request
  ) async throws(Failure) -> Reply {
    let (client, context, cancellation) = (client, proof?.context, CancellationSignal())
    return try await BlockingWork.run {
      context?.cancel(cancellation)
    } _: { () throws(Failure) in
      guard let context else { return try client.ask(message(), prompting) }
      return try context.ask(message(), prompting, cancellation: cancellation)
    }
  }
}
