import Protocol
import Testing

/// Changing what guards an item.
@Suite("Keychain access control that changes")
struct GuardingTests {
  let folder: TestFolder
  let keychain: TestKeychain

  init() throws {
    folder = try TestFolder()
    keychain = try TestKeychain(folder)
  }

  private func by(_ text: String) throws -> ItemChanges.Guarding {
    .by(try AccessControl(parsing: text))
  }

  private func asked(_ body: () throws -> Void) throws -> String? {
    do {
      try body()
      return nil
    } catch let error as TestKeychain.NeedsEvidence {
      return error.needed.accessControl.text
    }
  }

  @Test("A7: an item is guarded anew by what guards it now, and its secret stays")
  func guarded() throws {
    try keychain.add("mail")
    try keychain.update(query("mail"), changes(guarding: by("passcode")))
    let item = try keychain.find()[0]
    #expect(item.accessControl?.text == "passcode")
    #expect(item.accessibility == .whenUnlockedThisDeviceOnly, "A9")
    #expect(try asked { _ = try keychain.get(query("mail")) } == "passcode")
    let change = try changes(guarding: by("biometry-any"))
    #expect(try asked { try keychain.update(query("mail"), change) } == "passcode")
    keychain.enclave.evidence[1] = .biometry
    #expect(try asked { try keychain.update(query("mail"), change) } == "passcode")
    keychain.enclave.evidence[1] = .passcode
    #expect(try keychain.update(query("mail"), change) == 1)
    #expect(try asked { _ = try keychain.get(query("mail")) } == "biometry-any")
    keychain.enclave.evidence[1] = .biometry
    #expect(try keychain.get(query("mail")) == "s3cret")
    try keychain.update(query("mail"), changes(guarding: .nothing))
    keychain.enclave.evidence[1] = []
    #expect(try keychain.get(query("mail")) == "s3cret")
    #expect(try keychain.find()[0].accessControl == nil)
  }

  @Test("names, secret and what guards them change as one")
  func allAtOnce() throws {
    try keychain.add("mail", access: "passcode")
    let change = try changes(service: "post", label: "Post", guarding: by("presence"))
    #expect(
      try asked { try keychain.update(query("mail"), change, secret: "lion") } == "passcode")
    #expect(try keychain.find(query("mail")).count == 1)
    keychain.enclave.evidence[1] = .passcode
    #expect(try keychain.update(query("mail"), change, secret: "lion") == 1)
    #expect(try keychain.get(query("post")) == "lion")
    let item = try keychain.find(query("post"))[0]
    #expect(item.accessControl?.text == "presence" && item.label == "Post")
    #expect(
      try keychain.update(query("post"), changes(account: "bob", guarding: by("passcode"))) == 1)
    #expect(try keychain.get(query("post", "bob")) == "lion")
  }

  @Test("of several items all are guarded anew or none")
  func several() throws {
    try keychain.add("mail", "a")
    try keychain.add("mail", "b", access: "passcode")
    try keychain.add("mail", "c", access: "biometry-any")
    let change = try changes(guarding: by("presence"))
    let before = try keychain.find()
    #expect(try code { try keychain.update(query("mail"), change) } == .ambiguous)
    keychain.enclave.evidence[1] = .passcode
    #expect(
      try asked { try keychain.update(query("mail"), change, all: true) } == "biometry-any")
    #expect(try keychain.find() == before)
    keychain.enclave.evidence[1] = [.passcode, .biometry]
    var sealed = 0
    keychain.enclave.intrusion = { request in
      guard request[0] == ResealItem.number else { return nil }
      sealed += 1
      return sealed < 3 ? nil : bytes(of: Failure(.errSecDecode, "damaged").encoded())
    }
    #expect(
      try code { try keychain.update(query("mail"), change, all: true) } == .errSecDecode)
    keychain.enclave.intrusion = nil
    #expect(try keychain.find() == before)
    #expect(try keychain.update(query("mail"), change, all: true) == 3)
    #expect(try keychain.find().allSatisfy { $0.accessControl?.text == "presence" })
    #expect(try keychain.get(query("mail", "a")) == "s3cret")
  }

  @Test("an enclave that answers something else changes nothing")
  func lies() throws {
    try keychain.add("mail")
    let change = try changes(guarding: by("presence"))
    for lie in [
      [], [1], bytes(of: Done().encoded()),
      bytes(of: SealedItem(hashes: [[1]], attributes: [2], secret: [3]).encoded()),
    ] {
      keychain.enclave.intrusion = { $0[0] == ResealItem.number ? lie : nil }
      #expect(try code { try keychain.update(query("mail"), change) } == .engineFailed)
    }
    keychain.enclave.intrusion = nil
    #expect(try keychain.get(query("mail")) == "s3cret")
  }
}
