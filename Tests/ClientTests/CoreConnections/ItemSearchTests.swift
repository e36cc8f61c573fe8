import Protocol
import Testing

@testable import CoreClient

@Suite("The search for items by what people type")
struct ItemSearchTests {
  private func item(
    _ id: String, service: String = "", server: String = "", account: String = "",
    label: String = "", port: Int64? = nil
  ) -> ItemAttributes {
    var item = ItemAttributes()
    (item.identifier, item.service, item.server) = (id, service, server)
    (item.account, item.label) = (account, label)
    if !server.isEmpty { item.itemClass = .internet }
    if service.hasPrefix("notes:") { item.itemClass = .note }
    if let port { item.values[.port] = .number(port) }
    return item
  }

  /// The items of an import and of a person.
  private var items: [ItemAttributes] {
    [
      item("hub", server: "github.com", account: "ann@example.org", label: "GitHub"),
      item("hub-otp", service: "otpauth:github.com", account: "ann@example.org", label: "GitHub"),
      item("hub-notes", service: "notes:github.com", label: "GitHub, notes"),
      item("post", server: "imap.example.org", account: "ann", label: "Post", port: 993),
      item("bank-a", service: "bank", account: "ann"),
      item("bank-b", service: "bank", account: "bob", label: "Savings"),
      item("token", service: "deploy token", label: "CI"),
    ]
  }

  /// A keychain of these; `asked` counts the searches through everything.
  private func closest(
    _ search: ItemSearch, among query: ItemQuery = ItemQuery(), asked: inout Int
  ) throws -> (closeness: ItemSearch.Closeness, ids: [String])? {
    var all = 0
    let outcome = try search.closest(among: query) { (request) throws(Failure) in
      if request.query.names.isEmpty { all += 1 }
      let found = items.filter { request.query.matches($0) }
      guard !found.isEmpty else { throw Failure(.errSecItemNotFound, "none") }
      return FoundItems(items: found)
    }
    asked = all
    switch outcome {
    case .found(let found): return (found.closeness, found.items.map(\.identifier))
    case .nothing: return nil
    }
  }

  private func expect(
    _ closeness: ItemSearch.Closeness, _ ids: String..., of name: String, account: String? = nil,
    for purpose: ItemSearch.Purpose = .secret, location: SourceLocation = #_sourceLocation
  ) throws {
    var asked = 0
    let found = try closest(ItemSearch(name, account: account, for: purpose), asked: &asked)
    #expect(found?.closeness == closeness, sourceLocation: location)
    #expect(found?.ids == ids, sourceLocation: location)
    #expect(asked == (closeness == .exact ? 0 : 1), sourceLocation: location)
  }

  @Test("FINDINGS B5: a service, a server, a label and an address are each found exactly")
  func exact() throws {
    try expect(.exact, "token", of: "deploy token")
    try expect(.exact, "hub", of: "github.com")
    try expect(.exact, "hub", of: "GitHub")
    // Notes that an import files beside a login do not stand in its way.
    try expect(.prefix, "hub", of: "git")
    try expect(.exact, "hub", of: "https://github.com/login?next=/")
    try expect(.exact, "post", of: "imaps://imap.example.org:993")
    try expect(.exact, "post", of: "IMAP.Example.org")
    try expect(.exact, "bank-b", of: "bank", account: "bob")
    try expect(.exact, "bank-a", "bank-b", of: "bank")
  }

  @Test("FINDINGS B5: an exact match precedes a prefix, and a prefix a word")
  func order() throws {
    try expect(.prefix, "hub", of: "git")
    try expect(.prefix, "token", of: "Deploy")
    try expect(.word, "post", of: "example")
    try expect(.word, "token", of: "token")
    try expect(.prefix, "bank-b", of: "bank", account: "b")
    try expect(.prefix, "hub", of: "github.com", account: "ann")
    try expect(.word, "hub", of: "github.com", account: "example")
    var asked = 0
    for name in ["", "hub.com", "oken", "nothing", "imap.example.org:143"] {
      #expect(try closest(ItemSearch(name), asked: &asked)?.closeness != .exact, "\(name)")
    }
    #expect(try closest(ItemSearch("oken"), asked: &asked) == nil)
  }

  @Test("FINDINGS B6: a login's name finds what makes its one-time passwords, if that is meant")
  func oneTime() throws {
    try expect(.exact, "hub-otp", of: "github.com", for: .oneTimePassword)
    try expect(.exact, "hub-otp", of: "https://github.com/", for: .oneTimePassword)
    try expect(.exact, "hub-otp", of: "GitHub", for: .oneTimePassword)
    try expect(.prefix, "hub-otp", of: "git", for: .oneTimePassword)
    try expect(.word, "token", of: "token", for: .oneTimePassword)
  }

  @Test("while a class is closed, no other item passes for one that a closed item may be")
  func closed() throws {
    let locked = Failure(.errSecInteractionNotAllowed, "locked")
    #expect(throws: locked) {
      _ = try ItemSearch("git").closest(among: ItemQuery()) { (request) throws(Failure) in
        guard request.query.names.isEmpty else { throw locked }
        return FoundItems(items: items)
      }
    }
    let open = try ItemSearch("bank").closest(among: ItemQuery()) { (request) throws(Failure) in
      guard !request.query.names.isEmpty else { throw locked }
      return FoundItems(items: items.filter { request.query.matches($0) })
    }
    guard case .found(let found) = open else {
      Issue.record("an open item of that name is found")
      return
    }
    #expect(found.items.count == 2)
  }

  @Test("further conditions narrow the search")
  func narrowed() throws {
    var query = ItemQuery()
    query.itemClass = .generic
    var asked = 0
    #expect(try closest(ItemSearch("github.com"), among: query, asked: &asked)?.ids == ["hub-otp"])
    query.itemClass = .note
    #expect(
      try closest(ItemSearch("github.com"), among: query, asked: &asked)?.ids == ["hub-notes"])
    query.itemClass = .certificate
    #expect(try closest(ItemSearch("github.com"), among: query, asked: &asked) == nil)
  }
}
