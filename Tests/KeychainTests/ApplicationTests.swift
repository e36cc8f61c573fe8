import Glibc
import Protocol
import Testing

@Suite("Applications and their own groups")
struct ApplicationTests {
  let folder: TestFolder
  let keychain: TestKeychain

  init() throws {
    folder = try TestFolder()
    keychain = try TestKeychain(folder)
  }

  @Test("K2: a program that cannot be told from others has no items and gets none")
  func unknown() throws {
    try keychain.add("mail")
    let nobody = ""
    for body in [
      { try keychain.add("mine", app: nobody) }, { _ = try keychain.find(app: nobody) },
      { _ = try keychain.get(query("mail"), app: nobody) },
      { try keychain.update(query("mail"), secret: "x", app: nobody) },
      { try keychain.remove(query("mail"), app: nobody) },
      { try keychain.createKey("deploy", app: nobody) },
      { _ = try keychain.findKeys(app: nobody) }, { try keychain.removeKey("deploy", app: nobody) },
      { _ = try keychain.useKey("deploy", app: nobody) },
    ] as [() throws -> Void] {
      let failure = try #require(try failure(of: body))
      #expect(failure.code == .errSecMissingEntitlement && failure.hint != nil)
      #expect(failure.code.exitCode == 4)
    }
    #expect(try keychain.get(query("mail")) == "s3cret")
  }

  @Test("K2: what all programs of the user shared belongs to the command, as it was sealed")
  func itemsOfTheUser() throws {
    // The core of an earlier version named every program so.
    let before = "uid:\(geteuid())"
    try keychain.add("mail", secret: "old", app: before)
    try keychain.createKey("deploy", app: before)
    #expect(try keychain.get(query("mail"), app: commandApplication) == "old")
    #expect(try keychain.findKeys(app: commandApplication).map(\.name) == ["deploy"])
    #expect(try code { _ = try keychain.get(query("mail")) } == .errSecItemNotFound)
  }

  @Test(
    "K2: of two names that look or compare alike each is an application of its own",
    arguments: [
      ("/usr/bin/\u{E9}", "/usr/bin/e\u{301}"), ("/usr/bin/a", "/usr/bin/a\u{0}"),
      ("/usr/bin/a", "/usr/bin/\u{202E}a"), ("/usr/bin/a", "/usr/bin/a/"),
      ("/usr/bin/a", "/usr/bin/\u{430}"), ("/usr/bin", "/usr/bin/"),
      ("/authcore", "authcore"), ("/usr/bin/a", "/usr/bin/A"),
    ])
  func alike(one: String, other: String) throws {
    try keychain.add("mail", secret: "one", app: one)
    #expect(try code { _ = try keychain.get(query("mail"), app: other) } == .errSecItemNotFound)
    try keychain.add("mail", secret: "other", app: other)
    #expect(try keychain.get(query("mail"), app: one) == "one")
    #expect(try keychain.remove(query("mail"), app: other) == 1)
    #expect(try keychain.find(app: one).count == 1)
  }
}
