import Protocol
import Testing

@Suite("A change that depends on what was read")
final class RevisionTests: OneKeychain {
  override init() throws {
    try super.init()
    try keychain.add("token", secret: "counter 1")
  }

  @Test(
    "FINDINGS A12: it changes and removes nothing that was written since, by this process or another"
  )
  func overtaken() throws {
    let other = try TestKeychain(folder)
    let read = try keychain.revision(query("token"))
    #expect(try other.revision(query("token")) == read)
    try other.update(query("token"), secret: "counter 2", revision: read)
    #expect(
      try code { try keychain.update(query("token"), secret: "counter 2", revision: read) } == .busy
    )
    #expect(try code { try keychain.remove(query("token"), revision: read) } == .busy)
    #expect(try keychain.get(query("token")) == "counter 2")
    let again = try keychain.revision(query("token"))
    try keychain.update(query("token"), secret: "counter 3", revision: again)
    #expect(try other.get(query("token")) == "counter 3")
    try other.remove(query("token"), revision: try keychain.revision(query("token")))
  }

  @Test("FINDINGS A12: it sees every kind of change")
  func kinds() throws {
    let changes: [(TestKeychain) throws -> Void] = [
      { try $0.update(query("token"), secret: "counter 1") },
      { keychain in
        var label = ItemChanges()
        label.terms[text: .label] = "mine"
        try keychain.update(query("token"), label)
      },
    ]
    for change in changes {
      let read = try keychain.revision(query("token"))
      try change(keychain)
      #expect(
        try code { try keychain.update(query("token"), secret: "x", revision: read) } == .busy)
    }
  }

  @Test("FINDINGS A12: it asks for no proof in vain")
  func guarded() throws {
    try keychain.add("safe", access: "presence")
    #expect(try code { try keychain.update(query("safe"), secret: "x", revision: 77) } == .busy)
  }
}
