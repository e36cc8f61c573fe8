import Foundation
import Protocol
import TestSupport
import Testing

@testable import ItemTransfer

extension PrivatePasswordStore {
  /// Everything in it.
  func read() throws -> CollectedItems {
    let collected = CollectedItems()
    try PasswordStore(environment: environment).readItems(to: collected)
    return collected
  }
}

@Suite(
  "The store of pass", .timeLimit(.minutes(60)),
  .enabled(if: PrivatePasswordStore.isInstalled, "gpg is not there"))
struct PasswordStoreTests {
  @Test("the first line is the password; what follows is told by its names or kept as notes")
  func entries() throws {
    let store = try PrivatePasswordStore()
    try store.insert("web/mail", "p w\nlogin: ann\nurl: https://example.org/x\nPIN: 1\nfree text\n")
    try store.insert("router", "only")
    try store.insert("both", "pw\notpauth://totp/x?secret=ABC\nuser: bob\nuser: carl")
    try store.insert("binary", [0, 255, 10, 1])
    try store.insert("gopass", "pw\ntotp: JBSWY3DPEHPK3PXP\nmail: otpauth://totp/y?secret=DEF")
    try store.insert("ssh/key", "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n")
    let collected = try store.read()
    #expect(collected.skipped.isEmpty)
    #expect(
      collected.items.map(\.origin) == [
        "binary", "both", "both, its one-time password", "gopass", "gopass, its one-time password",
        "gopass, its one-time password", "router", "ssh/key", "web/mail", "web/mail, its notes",
      ])
    // FINDINGS B4: what makes codes stands in no comment, however its line is called.
    #expect(collected.code("gopass") == "JBSWY3DPEHPK3PXP")
    #expect(collected.code("gopass #2") == "otpauth://totp/y?secret=DEF")
    for item in collected.items {
      #expect(!item.text(.comment).contains("PK3") && !item.text(.comment).contains("DEF"))
    }
    let named = Dictionary(
      collected.items.map { ($0.origin, $0) }, uniquingKeysWith: { first, _ in first })
    let mail = try #require(named["web/mail"])
    #expect(mail.itemClass == .internet && mail.text == "p w" && mail.attributes.account == "ann")
    #expect(mail.text(.path) == "/x" && mail.attributes.label == "web/mail")
    #expect(named["web/mail, its notes"]?.text == "PIN: 1\nfree text")
    #expect(named["router"]?.itemClass == .generic && named["router"]?.text == "only")
    #expect(named["router"]?.attributes.service == "router")
    #expect(named["binary"]?.secret == [0, 255, 10, 1])
    #expect(named["ssh/key"]?.text == "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n")
    #expect(named["both"]?.attributes.account == "bob")
    #expect(named["both"]?.text(.comment) == "user: carl")
    #expect(named["both, its one-time password"]?.text == "otpauth://totp/x?secret=ABC")
  }

  @Test("nothing outside of the store is read, and what is no entry is reported")
  func walls() throws {
    let store = try PrivatePasswordStore()
    try store.insert("real", "pw")
    let files = FileManager.default
    let outside = store.folder.deletingLastPathComponent().appendingPathComponent("outside")
    try files.createDirectory(at: outside, withIntermediateDirectories: true)
    try files.copyItem(
      at: store.folder.appendingPathComponent("real.gpg"),
      to: outside.appendingPathComponent("stolen.gpg"))
    try files.createSymbolicLink(
      at: store.folder.appendingPathComponent("folder"), withDestinationURL: outside)
    try files.createSymbolicLink(
      at: store.folder.appendingPathComponent("file.gpg"),
      withDestinationURL: outside.appendingPathComponent("stolen.gpg"))
    try Data("no gpg".utf8).write(to: store.folder.appendingPathComponent("broken.gpg"))
    try Data().write(to: store.folder.appendingPathComponent("--decrypt.gpg"))
    try Data("x".utf8).write(to: store.folder.appendingPathComponent("readme.txt"))
    try Data("id".utf8).write(to: store.folder.appendingPathComponent(".gpg-id"))
    unsafe mkfifo(store.folder.appendingPathComponent("pipe.gpg").path, 0o600)
    let collected = try store.read()
    #expect(collected.items.map(\.origin) == ["real"])
    #expect(
      collected.skipped.map(\.origin) == [
        "--decrypt", "broken", "file.gpg", "folder", "pipe.gpg", "readme.txt",
      ])
    #expect(collected.skipped[2].reason.contains("symbolic link"))
  }

  @Test("an entry at the limit is read, a longer one is left out, and the next one is read again")
  func lengths() throws {
    let store = try PrivatePasswordStore()
    let limit = GPGDecryption.longestText
    try store.insert("a", String(repeating: "x", count: largestItemSecret))
    try store.insert("b", [UInt8](repeating: 120, count: limit + 1))
    try store.insert("c", "pw")
    let collected = try store.read()
    #expect(collected.items.map(\.origin) == ["a", "c"])
    #expect(collected.skipped.map(\.origin) == ["b"])
  }

  @Test("a missing store or a missing gpg is an error with a hint")
  func absent() throws {
    for environment in [
      ["PATH=/usr/bin", "PASSWORD_STORE_DIR=/nonexistent"], ["PATH=/usr/bin"],
      ["PATH=/nonexistent", "HOME=/tmp"], ["PATH=relative:.:", "HOME=/tmp"],
    ] {
      let failure = #expect(throws: Failure.self) {
        try PasswordStore(environment: environment).readItems(to: CollectedItems())
      }
      #expect(failure?.code == .errSecNotAvailable && failure?.hint != nil)
    }
  }
}
