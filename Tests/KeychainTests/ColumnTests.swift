import GRDB
import Protocol
import Testing

/// The columns that a row has in the clear, and what the enclave says of each row of several.
@Suite("Columns that lie, and rows of several kinds")
final class ColumnTests: OneKeychain {
  override init() throws {
    try super.init()
    try keychain.add("mail", "ann", label: "work", access: "presence")
    try keychain.add("mail", "bob", label: "home")
  }

  @Test("A1: an item whose column says less of its protection than was sealed is listed nowhere")
  func accessControlColumn() throws {
    try tamper(folder) { try $0.execute(sql: "UPDATE items SET accessControl = NULL") }
    #expect(try code { _ = try keychain.find(query("mail", "ann")) } == .errSecDecode)
    #expect(try code { _ = try keychain.get(query("mail", "ann")) } == .errSecDecode)
    #expect(try keychain.find(query("mail")).map(\.account) == ["bob"])
  }

  @Test(
    "K3: an item is found by what was sealed, not by what its columns say",
    arguments: ["service", "account", "label"])
  func nameColumns(column: String) throws {
    try keychain.add("news", "eve", label: "blue", secret: "of news")
    try tamper(folder) {
      try $0.execute(
        sql: """
          UPDATE items SET \(column) = (SELECT \(column) FROM items WHERE sequence = 1)
          WHERE sequence = 3
          """)
      try $0.execute(sql: "DELETE FROM items WHERE sequence < 3")
    }
    let wanted =
      switch column {
      case "service": query("mail")
      case "account": query(nil, "ann")
      default: query(label: "work")
      }
    #expect(try code { _ = try keychain.find(wanted) } == .errSecDecode)
    #expect(try code { _ = try keychain.get(wanted) } == .errSecDecode)
  }

  /// From here on the enclave says of the first of several rows that it is newer than its keybag.
  private func loseFirst() {
    let enclave = keychain.enclave
    enclave.intrusion = { [unowned enclave] request in
      guard request.first == OpenAttributes.number else { return nil }
      let own = enclave.intrusion
      enclave.intrusion = nil
      defer { enclave.intrusion = own }
      let reply = enclave.answer(request)
      guard let batch = try? AttributeBatch.decode(reply.span) else { return reply }
      return bytes(of: AttributeBatch(results: [.newer] + batch.results.dropFirst()).encoded())
    }
  }

  @Test("of several items none is removed while one of them is newer than the keybag")
  func removesNone() throws {
    loseFirst()
    #expect(try code { try keychain.remove(query("mail"), all: true) } == .stateDamaged)
    keychain.enclave.intrusion = nil
    #expect(try keychain.find(query("mail")).count == 2)
  }

  @Test("several items that match are listed with those that cannot be read")
  func listed() throws {
    loseFirst()
    let newer = try failure { _ = try keychain.get(query("mail")) }
    #expect(newer?.code == .ambiguous)
    #expect(newer?.message == "2 items match: mail/bob “home”, 1 newer than the keybag")
    keychain.enclave.intrusion = nil
    try tamper(folder) {
      try $0.execute(
        sql: "UPDATE items SET sealedAttributes = x'0102' WHERE sequence = 1")
    }
    let damaged = try failure { _ = try keychain.get(query("mail")) }
    #expect(damaged?.message == "2 items match: mail/bob “home”, 1 damaged")
  }
}
