import CoreClient
import Protocol

/// Where a credential is used, in terms of internet items.
struct CredentialPlace: Equatable {
  let scheme: InternetProtocol
  let server: String
  /// Nil for the protocol's default.
  let port: UInt16?
  /// Begins with a slash; empty for the whole server.
  let path: String

  /// - Returns: nil if no item can name the server.
  init?(_ description: borrowing CredentialDescription) {
    guard let name = description.scheme, let host = description.host,
      let scheme = InternetProtocol(rawValue: name), !host.contains("/"),
      let address = WebAddress("\(name)://\(host)"), !address.saysMore, address.path.isEmpty
    else { return nil }
    self.scheme = scheme
    server = address.host
    port = address.port == Self.ownPort(of: scheme) ? nil : address.port
    let named = description.path ?? ""
    path = named.isEmpty || named.hasPrefix("/") ? named : "/" + named
  }

  /// Finds the items of the server, or of one account there.
  func query(account: String?) -> ItemQuery {
    var query = ItemQuery()
    query.itemClass = .internet
    query.server = server
    query.account = account
    return query
  }

  /// Whether an item is for this place. An item without protocol and port matches encrypted
  /// protocols on their default ports only.
  func isThat(of item: ItemAttributes) -> Bool {
    guard item.itemClass == .internet, item.server == server,
      // A password for a web form is not one for Git.
      item.values[text: .authenticationType] != "form"
    else { return false }
    switch item.values[.protocol] {
    case nil: guard Self.isEncrypted(scheme) else { return false }
    case .text(let code)?: guard code == scheme.code else { return false }
    default: return false
    }
    switch item.values[.port] {
    case nil: guard port == nil else { return false }
    case .number(let number)?:
      guard number == Int64(port ?? Self.ownPort(of: scheme) ?? 0) else { return false }
    default: return false
    }
    return item.values[text: .path] == path
  }

  /// The attributes of a new item.
  func attributes(account: String) -> ItemAttributes {
    var attributes = ItemAttributes()
    attributes.itemClass = .internet
    attributes.server = server
    attributes.account = account
    attributes.label = server
    attributes.values[.protocol] = .text(scheme.code)
    if let port { attributes.values[.port] = .number(Int64(port)) }
    attributes.values[.path] = .text(path)
    attributes.values[.description] = .text("Git credential")
    return attributes
  }

  private static func isEncrypted(_ scheme: InternetProtocol) -> Bool {
    switch scheme {
    case .https, .ftps, .ssh, .imaps, .pop3s, .ldaps, .nntps, .ircs: true
    default: false
    }
  }

  /// The default ports (IANA) of the protocols that Git speaks.
  private static func ownPort(of scheme: InternetProtocol) -> UInt16? {
    switch scheme {
    case .http: 80
    case .https: 443
    case .ftp: 21
    case .ftps: 990
    case .imap: 143
    case .imaps: 993
    case .smtp: 25
    default: nil
    }
  }
}

/// The credentials of one place in the keychain.
struct CredentialStore {
  private let session: CoreSession
  private let place: CredentialPlace

  init(_ session: CoreSession, _ place: CredentialPlace) {
    (self.session, self.place) = (session, place)
  }

  /// The items of the place, or of one account there, latest change first. Accounts that do not fit
  /// on one line are left out.
  func items(account: String?, group: String? = nil) throws(Failure) -> [ItemAttributes] {
    var query = place.query(account: account)
    query.group = group
    let found = try ifFound { () throws(Failure) in try session.find(query) } ?? []
    return found.filter {
      place.isThat(of: $0) && !$0.account.unicodeScalars.contains(where: \.isSteering)
    }
    .sorted { $0.modifiedAt > $1.modifiedAt }
  }

  /// An item's secret.
  /// - Returns: nil if it has been removed meanwhile.
  func secret(
    of item: ItemAttributes, _ options: PromptOptions
  ) throws(Failure) -> CredentialSecret? {
    try ifFound { () throws(Failure) in
      let got: GotItem = try session.ask(GetItem(query: ItemQuery(naming: item)), options)
      return try CredentialSecret(reading: got.secret)
    }
  }

  /// Replaces the secret of an item of this application.
  func replace(_ item: ItemAttributes, with secret: borrowing CredentialSecret) throws(Failure) {
    let _: ItemsChanged = try session.ask(UpdateItems(secretOf: item, to: secret.joined()))
  }

  func remove(_ item: ItemAttributes, _ revision: UInt64? = nil) throws(Failure) {
    let _: ItemsChanged = try session.ask(
      RemoveItems(query: ItemQuery(naming: item), allowsSeveral: false, revision: revision))
  }

  /// Removes an item with this password, and none that gets another one meanwhile.
  func remove(_ item: ItemAttributes, ifItHolds password: borrowing SecretBytes) throws(Failure) {
    let got = try ifFound { () throws(Failure) -> GotItem in
      try session.ask(GetItem(query: ItemQuery(naming: item)), PromptOptions.none)
    }
    guard let got, try CredentialSecret(reading: got.secret).password.isEqual(to: password.bytes)
    else { return }
    do throws(Failure) {
      try remove(item, got.revision)
    } catch  where error.code == .busy {
    }
  }
}
