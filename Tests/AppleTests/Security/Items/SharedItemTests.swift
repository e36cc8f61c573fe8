import Foundation
import TestSupport
import Testing

@testable import Security

@Suite("SecItem and the groups of several programs", .timeLimit(.minutes(60)))
struct SharedGroupTests {
  let application: TestedApplication

  init() throws { application = TestedApplication(try TestHome()) }

  private func item(_ account: String, in group: String? = nil) -> [CFString: Any] {
    let item = password("mail", account, secret: account)
    return group.map { item.with([kSecAttrAccessGroup: $0]) } ?? item
  }

  @Test("FINDINGS C1: a query without a group finds own items and those of groups that were named")
  func finding() throws {
    #expect(application.add(item("ann")) == errSecSuccess)
    #expect(application.add(item("bob", in: "team")) == errSecSuccess)
    let all = application.all(password("mail"))
    #expect(all.map { $0["acct"] as? String } == ["ann", "bob"])
    #expect(all.last?["agrp"] as? String == "team")
    #expect(application.secret(password("mail", "bob")) == "bob")
    let reference = try #require(
      application.copy(password("mail", "bob").with([kSecReturnPersistentRef: true])).object
        as? Data)
    #expect(application.secret([kSecValuePersistentRef: reference]) == "bob")
    #expect(
      application.all(password("mail").with([kSecAttrAccessGroup: "team"])).count == 1,
      "a query that names a group means that one alone")
  }

  @Test("FINDINGS C1: what is added without a group is the application's own")
  func adding() {
    #expect(application.add(item("ann", in: "team")) == errSecSuccess)
    #expect(application.add(item("ann")) == errSecSuccess)
    let groups = application.all(password("mail")).compactMap { $0["agrp"] as? String }
    #expect(Set(groups).count == 2 && groups.contains("team"))
  }

  @Test("FINDINGS C1: an update without a group changes own items and those of named groups")
  func updating() {
    #expect(application.add(item("ann")) == errSecSuccess)
    #expect(application.add(item("ann", in: "team")) == errSecSuccess)
    let changes: [CFString: Any] = [kSecValueData: Data("new".utf8)]
    #expect(application.update(password("mail"), changes) == errSecSuccess)
    #expect(application.secret(password("mail").with([kSecAttrAccessGroup: "team"])) == "new")
    #expect(application.delete(password("mail").with([kSecAttrAccessGroup: "team"])) == 0)
    #expect(application.secret(password("mail")) == "new")
  }

  @Test("FINDINGS C1: a removal without a group takes own items and those of named groups")
  func removing() {
    #expect(application.add(item("ann")) == errSecSuccess)
    #expect(application.add(item("bob", in: "team")) == errSecSuccess)
    #expect(application.delete(password("mail", "bob")) == errSecSuccess)
    #expect(application.all(password("mail")).count == 1)
    #expect(application.add(item("bob", in: "team")) == errSecSuccess)
    #expect(application.delete(password("mail")) == errSecSuccess)
    #expect(application.delete(password("mail")) == errSecItemNotFound)
  }

  @Test("FINDINGS C1: keys and key pairs of the enclave are found in named groups")
  func keys() throws {
    try application.device.setUp()
    let parameters: [CFString: Any] = [
      kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
      kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecAttrLabel: "ours",
      kSecAttrAccessGroup: "team", kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true],
    ]
    let made = application.run { SecKeyCreateRandomKey(parameters as CFDictionary, nil) }
    #expect(made != nil)
    let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrLabel: "ours"]
    #expect(application.attributes(query)?["agrp"] as? String == "team")
    #expect(application.delete(query) == errSecSuccess)
    #expect(application.status(query) == errSecItemNotFound)
  }

  @Test("FINDINGS C1, K2: without a group nothing is reached in groups that were never named")
  func othersGroups() throws {
    let device = application.device
    for account in ["ann", "bob"] {
      let added = try device.authcore(
        "item", "add", "mail", account, "--group", "theirs", secret: "theirs")
      #expect(added.status == 0)
    }
    #expect(application.status(password("mail")) == errSecItemNotFound)
    let changes: [CFString: Any] = [kSecValueData: Data("ours".utf8)]
    #expect(application.update(password("mail"), changes) == errSecItemNotFound)
    #expect(application.add(item("ann")) == errSecSuccess)
    #expect(application.delete([kSecClass: kSecClassGenericPassword]) == errSecSuccess)
    let kept = try device.authcore("item", "get", "mail", "bob", "--group", "theirs", json: false)
    #expect(kept.text == "theirs")
    let other = password("mail").with([kSecAttrAccessGroup: "/usr/bin/another"])
    #expect(application.status(other) == errSecMissingEntitlement)
    #expect(application.status(password("mail")) == errSecItemNotFound)
  }

  @Test("FINDINGS C1: an Info.plist lists the groups of an application from its start")
  func listed() throws {
    let folder = try TemporaryFolder()
    let list: [String: Any] = ["keychain-access-groups": ["team", "/usr/bin/another", ""]]
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    _ = try folder.write("Info.plist", data)
    let bundle = try #require(Bundle(path: folder.url.path))
    #expect(SharedGroups.listed(in: bundle) == ["team"])
    #expect(SharedGroups.listed(in: .main) == [])
  }
}

@Suite("SecItem beside others", .timeLimit(.minutes(60)))
struct SharedKeychainTests {
  let application: TestedApplication

  init() throws { application = TestedApplication(try TestHome()) }

  @Test("X5: a hundred tasks at once add, find, change and delete each its own item")
  func manyTasks() async {
    let rights = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask { [application] in
          let query = password("task", "\(number)")
          let added = application.add(query.with([kSecValueData: Data("\(number)".utf8)]))
          let got = application.secret(query)
          let changed = application.update(query, [kSecValueData: Data("x\(number)".utf8)])
          let gotAgain = application.secret(query)
          let removed = application.delete(query)
          return added == errSecSuccess && got == "\(number)" && changed == errSecSuccess
            && gotAgain == "x\(number)" && removed == errSecSuccess
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(rights == 100)
  }

  @Test("K2: the items of the command are not the application's, and those of a group are both's")
  func commandsItems() throws {
    let device = application.device
    #expect(try device.authcore("item", "add", "mail", "ann", secret: "theirs").status == 0)
    #expect(application.status(password("mail")) == errSecItemNotFound)
    #expect(
      try device.authcore("item", "add", "mail", "ann", "--group", "post", secret: "both's").status
        == 0)
    let query = password("mail").with([kSecAttrAccessGroup: "post"])
    #expect(application.secret(query) == "both's")
    let always = password("old", "ann", secret: "x").with([
      kSecAttrAccessGroup: "post", kSecAttrAccessible: kSecAttrAccessibleAlways,
    ])
    #expect(application.add(always) == errSecSuccess)
    let shown = try device.authcore("item", "find", "old", "--group", "post")
    #expect(shown.text.contains("after-first-unlock") && shown.text.contains("statedAccessibility"))
    let refused = try device.authcore(
      "item", "find", "--group", "post", "--attribute", "statedAccessibility=dk")
    #expect(refused.status == 64)
  }

  @Test("K6: while the device is locked what is closed is errSecInteractionNotAllowed")
  func locked() throws {
    let device = application.device
    try device.setUp()
    #expect(application.add(password("mail", secret: "closed")) == errSecSuccess)
    let open = password("news", secret: "open").with([
      kSecAttrAccessible: kSecAttrAccessibleAlways
    ])
    #expect(application.add(open) == errSecSuccess)
    #expect(try device.authcore("lock").status == 0)
    let query = password("mail").with([kSecReturnData: true])
    #expect(application.status(query) == errSecInteractionNotAllowed)
    #expect(application.add(password("more", secret: "x")) == errSecInteractionNotAllowed)
    #expect(application.secret(password("news")) == "open")
    #expect(application.attributes(password("news"))?["pdmn"] as? String == "dk")
  }

  @Test("X5: a core that is killed is started again by the next call")
  func killed() throws {
    application.add(password("mail", secret: "x"))
    let core = try #require(application.device.core)
    kill(core, SIGKILL)
    while application.device.core == core { sched_yield() }
    let status = application.status(password("mail"))
    #expect([errSecSuccess, errSecNotAvailable].contains(status))
    #expect(application.secret(password("mail")) == "x")
  }
}
