package import Protocol

/// A search for items by what people type: a service, server, label or address, and an account.
///
/// An exact name is found by the hashes of its row. Only if nothing has that name, all open items
/// are searched.
package struct ItemSearch: Sendable {
  /// How well a typed name fits; smaller is closer.
  package enum Closeness: Int, Comparable, Sendable {
    /// All of it. In an address only the host counts, and the port if both have one.
    case exact
    /// Its beginning, or all of it in another case.
    case prefix
    /// The beginning of one of its words.
    case word

    package static func < (left: Closeness, right: Closeness) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  package enum Purpose: Sendable {
    case secret
    case oneTimePassword
  }

  /// The closest items.
  package struct Found: Sendable {
    package let closeness: Closeness
    package let items: [ItemAttributes]
  }

  package enum Outcome: Sendable {
    case found(Found)
    /// None of these items fits.
    case nothing(among: [ItemAttributes])
  }

  private let name: String
  private let account: String?
  private let purpose: Purpose
  private let address: WebAddress?

  /// Creates a search. `purpose` distinguishes a login from the item that makes its one-time
  /// passwords, which often has the same name.
  package init(_ name: String, account: String? = nil, for purpose: Purpose = .secret) {
    self.name = name
    self.account = account
    self.purpose = purpose
    address = WebAddress(name)
  }

  /// Finds the closest items.
  /// - Parameters:
  ///   - query: further conditions.
  ///   - ask: asks a keychain, as `CoreConnection.ask` does.
  /// - Returns: the closest items, or that there are none.
  /// - Throws: the failure of core or keychain; `errSecInteractionNotAllowed` if a closed item may
  ///   have exactly this name.
  package func closest(
    among query: ItemQuery, _ ask: (FindItems) throws(Failure) -> FoundItems
  ) throws(Failure) -> Outcome {
    var exact: [ItemAttributes] = []
    do throws(Failure) {
      exact = try FindItems(query: calledSo(among: query)).all(ask)
        .filter { closeness(of: $0) == .exact }
    } catch {
      guard error.code == .errSecItemNotFound else { throw error }
    }
    guard exact.isEmpty else { return .found(found(.exact, exact)) }
    let all: [ItemAttributes]
    do throws(Failure) {
      all = try FindItems(query: query).all(ask)
    } catch {
      guard error.code == .errSecItemNotFound else { throw error }
      return .nothing(among: [])
    }
    let hits = all.compactMap { item in closeness(of: item).map { (item: item, closeness: $0) } }
    guard let closeness = hits.map(\.closeness).min() else { return .nothing(among: all) }
    return .found(found(closeness, hits.filter { $0.closeness == closeness }.map(\.item)))
  }

  /// Of equally close items those for the purpose, if there are any.
  private func found(_ closeness: Closeness, _ items: [ItemAttributes]) -> Found {
    let meant = items.filter {
      purpose == .oneTimePassword ? $0.makesOneTimePasswords : !$0.standsBesideLogin
    }
    return Found(closeness: closeness, items: meant.isEmpty ? items : meant)
  }

  /// How close an item is, or nil if it does not fit.
  package func closeness(of item: ItemAttributes) -> Closeness? {
    guard let named = closenessOfNames(of: item) else { return nil }
    guard let account else { return named }
    return Self.closeness(of: item.account, to: account).map { max($0, named) }
  }

  private func closenessOfNames(of item: ItemAttributes) -> Closeness? {
    if isHost(of: item) { return .exact }
    var closest: Closeness?
    let service = purpose == .oneTimePassword ? item.servedName : item.service
    for text in [service, item.server, item.label] where !text.isEmpty {
      let typed = Self.closeness(of: text, to: name)
      // The host alone is less than what was typed.
      let host = address.flatMap { Self.closeness(of: text, to: $0.host) }.map { max($0, .prefix) }
      for case let closeness? in [typed, host] { closest = min(closest ?? closeness, closeness) }
    }
    return closest
  }

  /// Whether the item is for the server of the typed address.
  private func isHost(of item: ItemAttributes) -> Bool {
    guard let address else { return false }
    if purpose == .oneTimePassword, item.makesOneTimePasswords, item.servedName == address.host {
      return true
    }
    guard item.server == address.host else { return false }
    guard let port = address.port, case .number(let number)? = item.values[.port] else {
      return true
    }
    return number == Int64(port)
  }

  private static func closeness(of text: String, to typed: String) -> Closeness? {
    if text.utf8.elementsEqual(typed.utf8) { return .exact }
    let (text, typed) = (text.lowercased(), typed.lowercased())
    guard !typed.isEmpty else { return nil }
    if text.hasPrefix(typed) { return .prefix }
    var isBehindWord = false
    for index in text.indices {
      let isOfWord = text[index].isLetter || text[index].isNumber
      if isOfWord, !isBehindWord, text[index...].hasPrefix(typed) { return .word }
      isBehindWord = isOfWord
    }
    return nil
  }

  /// A query for items with this name, which may match others, too.
  private func calledSo(among query: ItemQuery) -> ItemQuery {
    var names: Set = [name]
    if let host = address?.host { names.insert(host) }
    if purpose == .oneTimePassword {
      names.formUnion(names.map { ItemAttributes.oneTimeService + $0 })
    }
    return called(names, among: query)
  }

  private func called(_ names: Set<String>, among query: ItemQuery) -> ItemQuery {
    var query = query
    query.names = names.filter { $0.utf8.count <= AttributeValue.longestText }.sorted()
    if let account { query.terms[.account] = .text(account) }
    return query
  }

  /// A query that opens the one item of this name in one search, or nil if it might match an item
  /// with another name or purpose.
  package func opening(among query: ItemQuery) -> ItemQuery? {
    guard purpose == .secret, !name.isEmpty, address == nil || address?.host == name,
      address?.port == nil
    else { return nil }
    return called([name], among: query)
  }
}

extension ItemAttributes {
  /// The prefix of the service of an item that makes the one-time passwords of a login. Imports
  /// file it beside the login.
  package static let oneTimeService = "otpauth:"

  /// The prefix of the service of a note that an import files beside a login.
  package static let notesService = "notes:"

  /// Whether it is filed beside a login, which often has the same name.
  var standsBesideLogin: Bool {
    makesOneTimePasswords || itemClass == .note && service.hasPrefix(Self.notesService)
  }

  /// Whether it makes one-time passwords.
  package var makesOneTimePasswords: Bool { service.hasPrefix(Self.oneTimeService) }

  /// The service, without the prefix of one-time passwords.
  package var servedName: String {
    makesOneTimePasswords ? String(service.dropFirst(Self.oneTimeService.count)) : service
  }
}
