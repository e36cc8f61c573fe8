import Protocol
import Testing

@testable import KeychainEngine

/// Changing what guards an item.
@Suite("Keychain access control that changes")
final class GuardingTests: OneKeychain {
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
      bytes(of: SealedItem(hashes: [[1]], attributes: [2], sealedSecret: [3]).encoded()),
    ] {
      keychain.enclave.intrusion = { $0[0] == ResealItem.number ? lie : nil }
      #expect(try code { try keychain.update(query("mail"), change) } == .engineFailed)
    }
    keychain.enclave.intrusion = nil
    #expect(try keychain.get(query("mail")) == "s3cret")
  }
}

@Suite("What an access control guards")
final class GuardedTests: TwoKeychains {
  private func list(for application: String = commandApplication) throws -> [GuardedEntry] {
    let reply: FoundGuarded = try keychain.send(FindGuarded(), app: application)
    return reply.entries
  }

  /// The enclave says of everything that is opened that the fingers have changed.
  private func changeFingers() {
    keychain.enclave.haveFingersChanged = true
    keychain.enclave.intrusion = { request in
      guard request.first == OpenItem.number || request.first == UseSealedKey.number else {
        return nil
      }
      let reply = Failure(.errSecAuthFailed, "the fingers have changed").encoded()
      return reply.bytes.indices.map { reply.bytes[$0] }
    }
  }

  @Test("FINDINGS B2: what is guarded is listed, of other applications without its name")
  func listing() throws {
    try keychain.add("free", app: commandApplication)
    try keychain.add("bank", "ann", app: commandApplication, access: "biometry-current")
    try keychain.add("theirs", access: "presence")
    try keychain.createKey("signer", app: commandApplication, access: "biometry-any")
    try keychain.createKey("open", app: commandApplication)
    let found = try list()
    #expect(found.map(\.name) == ["bank/ann", "", "signer"])
    #expect(found.map(\.isKey) == [false, false, true])
    #expect(found.map(\.accessControl.text) == ["biometry-current", "presence", "biometry-any"])
    #expect(found.allSatisfy { !$0.isLost })
    changeFingers()
    #expect(try list().allSatisfy(\.isLost))
  }

  @Test("K2: other programs are not told what is guarded")
  func others() throws {
    try keychain.add("bank", access: "presence")
    #expect(throws: Failure.self) { try list(for: TestKeychain.app) }
  }

  @Test("FINDINGS B2: on a locked device what is guarded counts, without its name, and not as lost")
  func locked() throws {
    try keychain.add("bank", app: commandApplication, access: "biometry-current")
    try keychain.createKey("signer", app: commandApplication, access: "biometry-current")
    keychain.enclave.isLocked = true
    let found = try list()
    #expect(found.map(\.name) == ["", ""] && found.allSatisfy { !$0.isLost })
  }

  @Test("FINDINGS B7: what the proofs open leaves as guarded, and comes back guarded")
  func backup() throws {
    try keychain.add("free", secret: "tin")
    try keychain.add("bank", secret: "gold", access: "biometry-current")
    try keychain.add("safe", access: "passcode")
    try keychain.add("wine", access: "app-password")
    try keychain.add("bound", accessible: .whenUnlockedThisDeviceOnly)
    try keychain.createKey("signer", access: "presence")
    let without = try keychain.backUp(proving: .passcode)
    #expect(without.records.map(\.kind) == [.secret, .guarded])
    #expect(without.leftOut == 4)
    let backup = try keychain.backUp(proving: [.biometry, .passcode])
    #expect(backup.records.map(\.kind) == [.secret, .guarded, .guarded])
    #expect(backup.leftOut == 3 && backup.unreadable == 0)
    for _ in 0..<2 {
      let counts = try other.restore(backup.records)
      #expect(counts.added + counts.kept == 3)
      let item = try #require(try other.find(query("bank")).first)
      #expect(item.accessControl?.text == "biometry-current")
      #expect(item.accessibility == .whenUnlockedThisDeviceOnly)
    }
    other.enclave.evidence[1] = []
    #expect(throws: (any Error).self) { _ = try other.get(query("bank")) }
    other.enclave.evidence[1] = .biometry
    #expect(try other.get(query("bank")) == "gold")
  }

  @Test("FINDINGS B7: what no finger opens any more stays out and is counted, and hinders nothing")
  func lost() throws {
    try keychain.add("bank", access: "biometry-current")
    try keychain.add("free")
    changeFingers()
    let backup = try keychain.backUp(proving: [.biometry, .passcode])
    #expect(backup.records.map(\.kind) == [.secret])
    #expect(backup.leftOut == 1 && backup.unreadable == 0)
  }

  @Test(
    "FINDINGS B7: before a proof is there the keychain says what is missing, and nothing leaves")
  func evidence() throws {
    try keychain.add("bank", access: "biometry-current")
    keychain.enclave.nextRecord = 0
    keychain.enclave.evidence[1] = .passcode
    let needed = TestKeychain.NeedsEvidence(
      needed: EvidenceNeeded(
        accessControl: try AccessControl(.biometryCurrent), held: .passcode))
    #expect(throws: needed) {
      let _: ItemsBackedUp = try keychain.send(
        BackUpItems(after: 0, proofs: [.biometry, .passcode]), app: commandApplication)
    }
    #expect(keychain.enclave.nextRecord == 0)
  }

  @Test("a guarded item takes the place of an older free one, and no free one that of a guarded")
  func replacing() throws {
    try other.add("bank", secret: "old")
    try keychain.add("bank", secret: "gold", access: "presence")
    let backup = try keychain.backUp(proving: [.biometry, .passcode])
    #expect(try other.restore(backup.records) == RestoreCounts(replaced: 1))
    #expect(try other.find(query("bank")).first?.accessControl?.text == "presence")
    let thirdFolder = try TestFolder()
    let third = try TestKeychain(thirdFolder)
    third.enclave.erase()
    try third.add("bank", secret: "free")
    #expect(try other.restore(third.backUp().records) == RestoreCounts(kept: 1))
  }
}
