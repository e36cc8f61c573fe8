import Foundation
import TestSupport
import Testing

@Suite("authcore keychain check and repair", .timeLimit(.minutes(15)))
struct KeychainRepairTests {
  /// Overwrites a page of the keychain's file, from 1.
  private func damage(page: Int, of home: String) throws {
    let file = try FileHandle(
      forUpdating: URL(filePath: home).appending(path: "keychain/keychain.sqlite"))
    try file.seek(toOffset: UInt64(page - 1) * 4096)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
    try file.close()
  }

  private func file(_ name: String, of home: String) throws -> Data {
    try Data(contentsOf: URL(filePath: home).appending(path: "keychain/\(name)"))
  }

  @Test("a damaged file is found (exit code 5) and kept, and what can be read of it is recovered")
  func damaged() throws {
    let state = try TestHome()
    for number in 0..<3 {
      let add = try state.authcore(
        "item", "add", "--service", "mail", "--account", "\(number)", secret: "\(number)")
      #expect(add.status == 0, "\(add.account)")
    }
    let whole = try state.authcore("keychain", "check")
    #expect(whole.status == 0, "\(whole.account)")
    #expect(whole.json["damaged"]?.bool == false)
    #expect(whole.json["items"]?.number == 3, "\(whole.account)")
    let nothing = try state.authcore("keychain", "repair")
    #expect(nothing.json["repaired"]?.bool == false, "\(nothing.account)")
    #expect(try state.authcore("quit").status == 0)
    try damage(page: 1, of: state.home)
    let before = try file("keychain.sqlite", of: state.home)

    let check = try state.authcore("keychain", "check")
    #expect(check.status == 5, "\(check.account)")
    #expect(check.json["needsRepair"]?.bool == true, "\(check.account)")
    #expect(check.json["problems"]?.array?.isEmpty == false, "\(check.account)")
    #expect(try state.authcore("item", "list").errorName == "stateDamaged")
    let text = try state.authcore("keychain", "check", json: false)
    #expect(text.text.contains("authcore keychain repair"), "\(text.account)")
    #expect(try file("keychain.sqlite", of: state.home) == before)

    let repair = try state.authcore("keychain", "repair")
    #expect(repair.status == 0, "\(repair.account)")
    #expect(repair.json["findings"]?["items"]?.number == 3, "\(repair.account)")
    #expect(repair.json["findings"]?["lost"]?.number == 0, "\(repair.account)")
    #expect(repair.json["setAside"]?.string?.hasSuffix("keychain.sqlite.damaged-1") == true)
    #expect(try file("keychain.sqlite.damaged-1", of: state.home) == before)
    #expect(try state.authcore("keychain", "check").status == 0)
    for number in 0..<3 {
      let get = try state.authcore(
        "item", "get", "--service", "mail", "--account", "\(number)", json: false)
      #expect(get.text == "\(number)", "\(get.account)")
    }
  }

  @Test(
    "a file of an earlier version whose beginning is gone gives all of its items and keys",
    .enabled(if: StateFixture.canBeRead, "their items are the user 65534's"),
    arguments: ["5a3dfaf", "7a5b593", "a7aed7a"])
  func older(commit: String) throws {
    let fixture = try StateFixture("state-\(commit)")
    try damage(page: 1, of: fixture.home)
    #expect(try fixture.authcore("unlock", knowsPasscode: true).status == 0)
    let repair = try fixture.authcore("keychain", "repair")
    let findings = repair.json["findings"]
    #expect(findings?["items"]?.number == Double(fixture.items.count), "\(repair.account)")
    #expect(findings?["keys"]?.number == Double(try fixture.keys().count), "\(repair.account)")
    #expect(findings?["damagedCount"]?.number == 0, "\(repair.account)")
    #expect(findings?["unopened"]?.number == 0, "\(repair.account)")
    let list = try fixture.authcore("item", "list")
    #expect(list.json["items"]?.array?.count == fixture.items.count, "\(list.account)")
    for item in fixture.items where item.access.isEmpty {
      let get = try fixture.authcore("item", "get", "--service", item.service)
      #expect(get.json["secret"]?.string == item.secret.base64EncodedString(), "\(get.account)")
    }
  }
}
