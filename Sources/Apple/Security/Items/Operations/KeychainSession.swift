import CoreClient
import Protocol

/// The keychain as one request of SecItem reaches it: whose context it is in, and what the owner is
/// told.
struct KeychainSession {
  /// The way to the keychain.
  let keychain: Keychain
  private let hasContext: Bool
  private let prompting: Prompting
  /// Whether what wants a proof is left out.
  let isSkipping: Bool
  /// How the context of the request lends itself to references.
  let authentication: _Authentication?

  init(_ request: ItemRequest) {
    authentication = request.authentication
    prompting = request.prompting
    isSkipping = request.interaction == .skipped
    let context = request.authentication?.context
    hasContext = context != nil
    keychain = Keychain(.current, request.prompting, in: context)
  }

  private init(_ session: KeychainSession, in context: ApplicationContext, beginsTape: Bool) {
    authentication = session.authentication
    prompting = session.prompting
    isSkipping = session.isSkipping
    hasContext = true
    keychain = Keychain(.current, session.prompting, in: context, beginsTape: beginsTape)
  }

  /// The session for the items of a request that concerns several: what is proved for one of them
  /// serves the others, and nothing after the request. `isFirst` is of the first of them.
  func forSeveral(_ shared: ApplicationContext?, isFirst: Bool) -> KeychainSession {
    guard !hasContext, let shared else { return self }
    return KeychainSession(self, in: shared, beginsTape: isFirst)
  }

  /// A context that lives as long as the request; nil where the request has one.
  func contextForSeveral() -> ApplicationContext? {
    hasContext ? nil : ApplicationContext()
  }

  func ask<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, for reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    try keychain.ask(message)
  }
}

extension KeychainSession {
  /// An item with its secret; `group` is how its group was named.
  /// - Throws: what opening it fails with.
  func open(_ attributes: ItemAttributes, in group: String?) throws(Failure) -> GotItem {
    try keychain.open(Self.query(naming: attributes, in: group))
  }

  /// The certificate of an item or of an identity, in DER.
  /// - Throws: what reading it fails with; `errSecParam` for an item of another class.
  func certificate(of item: StoredItem, in group: String?) throws(Failure) -> [UInt8] {
    let got: GotCertificate = try ask(
      GetCertificate(query: Self.query(naming: item.attributes, in: group)))
    return got.certificate
  }

  /// The one item of these attributes.
  static func query(naming attributes: ItemAttributes, in group: String?) -> ItemQuery {
    var among = ItemQuery()
    among.group = group
    return ItemQuery(naming: attributes, among: among)
  }
}
