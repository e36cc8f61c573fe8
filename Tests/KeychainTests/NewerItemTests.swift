import Protocol
import Testing

@Suite("Items newer than the enclave's keybag")
struct NewerItemTests {
  @Test("they are told from damaged ones, are neither changed nor removed, and open again")
  func kept() throws {
    let folder = try TestFolder()
    let keychain = try TestKeychain(folder)
    try keychain.add("mail", secret: "one")
    try keychain.add("mail", "bob", secret: "two")
    keychain.enclave.isRolledBack = true
    let failures = [
      try failure { _ = try keychain.get(query("mail", "ann")) },
      try failure { _ = try keychain.get(query("mail")) },
      try failure { _ = try keychain.find() },
      try failure { try keychain.update(query("mail", "ann"), changes(label: "x")) },
      try failure { try keychain.update(query("mail", "ann"), secret: "other") },
      try failure { try keychain.remove(query("mail"), all: true) },
    ]
    for failure in failures {
      #expect(failure?.code == .stateDamaged)
      #expect(failure?.message.contains("old copy of the keybag") == true)
    }
    #expect(try code { try keychain.add("mail", secret: "new") } == .errSecDuplicateItem)

    keychain.enclave.isRolledBack = false
    #expect(try keychain.get(query("mail", "ann")) == "one")
    #expect(try keychain.get(query("mail", "bob")) == "two")
  }
}
