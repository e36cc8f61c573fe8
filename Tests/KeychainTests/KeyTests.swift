import GRDB
import Protocol
import Testing

@Suite("Keys in the keychain", .timeLimit(.minutes(60)))
final class KeyTests: OneKeychain {
  @Test("K1: a key is made, listed, used and removed by its name")
  func life() throws {
    let made = try keychain.createKey("deploy", access: "presence")
    let other = try keychain.createKey("mail")
    #expect(made.publicKey.count == 65 && made.publicKey != other.publicKey)
    #expect(made.identifier.count == 32 && made.identifier != other.identifier)
    #expect(made.createdAt > 1_700_000_000)
    #expect(try keychain.findKeys() == [made, other])
    #expect(try keychain.findKeys("mail") == [other])
    for operation in KeyOperation.allCases {
      #expect(
        try keychain.useKey("mail", operation, on: [7, 8]) == [2, operation.rawValue, 7, 8])
    }
    try keychain.removeKey("mail")
    #expect(try code { _ = try keychain.useKey("mail") } == .errSecItemNotFound)
    #expect(try code { try keychain.removeKey("mail") } == .errSecItemNotFound)
    #expect(try keychain.findKeys() == [made])
  }

  @Test("a name is taken once, by whom it belongs to, and is not empty")
  func names() throws {
    try keychain.createKey("deploy")
    #expect(try code { try keychain.createKey("deploy") } == .errSecDuplicateItem)
    #expect(try code { try keychain.createKey("") } == .errSecParam)
    try keychain.createKey("Deploy")
    let others = try keychain.createKey("deploy", app: "/usr/bin/news")
    #expect(try keychain.findKeys(app: "/usr/bin/news") == [others])
    #expect(try keychain.findKeys().count == 2)
    let longest = String(repeating: "ü", count: 512)
    #expect(try keychain.createKey(longest).name == longest)
    #expect(try code { try keychain.createKey(longest + "u") } == .errSecParam)
  }

  @Test("K2: an application uses, finds and removes no key of another one")
  func applications() throws {
    try keychain.createKey("deploy")
    let other = "/usr/bin/news"
    #expect(try code { _ = try keychain.useKey("deploy", app: other) } == .errSecItemNotFound)
    #expect(try code { _ = try keychain.findKeys(app: other) } == .errSecItemNotFound)
    #expect(try code { try keychain.removeKey("deploy", app: other) } == .errSecItemNotFound)
    #expect(try keychain.findKeys().count == 1)
  }

  @Test("K2 E1: nothing that is asked about items finds a key, and nothing about keys an item")
  func apartFromItems() throws {
    try keychain.createKey("deploy")
    try keychain.add("mail", label: "deploy")
    var byClass = ItemQuery()
    byClass.itemClass = .key
    let queries = [
      query("deploy"), query(nil, "deploy"), query(label: "deploy"), query(""), byClass,
      query(),
    ]
    for query in queries {
      let found = (try? keychain.find(query)) ?? []
      #expect(found.allSatisfy { $0.service == "mail" })
      let secret = try? keychain.get(query)
      #expect(secret == nil || secret == "s3cret")
    }
    #expect(try keychain.update(query("mail"), changes(label: "work")) == 1)
    #expect(try keychain.remove(query("mail"), all: true) == 1)
    #expect(try keychain.findKeys().map(\.name) == ["deploy"])
    try keychain.add("note")
    #expect(try code { _ = try keychain.useKey("note") } == .errSecItemNotFound)
    #expect(try code { _ = try keychain.useKey("ann") } == .errSecItemNotFound)
  }

  @Test("E4: what a key asks for is asked for, and the evidence of the context counts")
  func evidence() throws {
    try keychain.createKey("deploy", access: "biometry-any")
    let control = try AccessControl(parsing: "biometry-any")
    for operation in KeyOperation.allCases {
      #expect(
        throws: TestKeychain.NeedsEvidence(
          needed: EvidenceNeeded(accessControl: control, held: [], item: "deploy"))
      ) { _ = try keychain.useKey("deploy", operation) }
    }
    keychain.enclave.evidence[2] = .biometry
    #expect(try keychain.useKey("deploy", context: 2) == [1, 1, 9])
    #expect(try keychain.findKeys("deploy").count == 1, "looking at it asks for nothing")
    try keychain.removeKey("deploy")
  }

  @Test("K6: while a class is closed nothing tells whether a key is there")
  func locked() throws {
    try keychain.createKey("deploy")
    try keychain.createKey("open", accessible: .afterFirstUnlockThisDeviceOnly)
    keychain.enclave.isLocked = true
    func failures(_ name: String) throws -> [Failure?] {
      [
        try failure { _ = try keychain.useKey(name) },
        try failure { _ = try keychain.findKeys(name) },
        try failure { try keychain.removeKey(name) },
      ]
    }
    let present = try failures("deploy")
    #expect(try present == failures("nothing"))
    #expect(present.allSatisfy { $0?.code == .errSecInteractionNotAllowed })
    #expect(try code { try keychain.createKey("more") } == .errSecInteractionNotAllowed)
    #expect(try keychain.findKeys().map(\.name) == ["open"])
    #expect(try keychain.useKey("open") == [2, 1, 9])
    keychain.enclave.isLocked = false
    #expect(try keychain.findKeys().map(\.name) == ["deploy", "open"])
  }

  @Test("A9: with the passcode go its keys, and their rows")
  func passcodeBound() throws {
    try keychain.createKey("plain")
    try keychain.createKey("bound", accessible: .whenPasscodeSetThisDeviceOnly)
    try keychain.createKey("guarded", access: "passcode")
    try keychain.add("mail", access: "presence")
    #expect(try keychain.removePasscodeBound() == 3)
    #expect(try keychain.findKeys().map(\.name) == ["plain"])
  }

  @Test("K3: no name of a key, and no public key, lies readable in the file")
  func sealed() throws {
    let key = try keychain.createKey("a name to look for")
    let bytes = try folder.everything
    #expect(!contains(bytes, Array("a name to look for".utf8)))
    #expect(!contains(bytes, key.publicKey))
  }

  @Test("a key that an old keybag does not know is kept, and not removed")
  func newer() throws {
    try keychain.createKey("deploy")
    keychain.enclave.isRolledBack = true
    #expect(try code { _ = try keychain.useKey("deploy") } == .stateDamaged)
    #expect(try code { _ = try keychain.findKeys() } == .stateDamaged)
    #expect(try code { try keychain.removeKey("deploy") } == .stateDamaged)
    keychain.enclave.isRolledBack = false
    #expect(try keychain.useKey("deploy") == [1, 1, 9])
  }
}
