import Foundation
import LinuxSystem
import PluginHosting
import Protocol
import TestSupport
import Testing

@testable import struct LinuxSystem.OwnershipRules
@testable import struct LinuxSystem.PrivateGroup

@Suite("Trust in where a plugin lies")
struct TrustTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test(
    "a file of one's own in a folder of one's own below a sticky one is trusted, by its canonical path"
  )
  func trustedFile() throws {
    let path = try folder.write("plugin.so", "x")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link.so"), withDestinationPath: path)
    #expect(try TrustedFile(checking: folder.file("link.so")).path == path)
    #expect(try TrustedFile(checking: path) == TrustedFile(checking: folder.file("link.so")))
  }

  @Test("a world-writable file is refused with the command that mends it")
  func writableFile() throws {
    let path = try folder.write("plugin.so", "x")
    try setMode(0o646, of: path)
    let failure = try #require(throws: Failure.self) { try TrustedFile(checking: path) }
    #expect(failure.code == .untrustedPlugin)
    #expect(failure.message == "Cannot load \(path): it can be written by everybody")
    #expect(failure.hint == "run: chmod o-w \(path)")
  }

  @Test(
    "a folder that everybody can write is refused, and stickiness does not mend the file's own",
    arguments: [0o777, 0o1777])
  func writableFolder(mode: Int) throws {
    let inner = try folder.makeFolder("inner")
    let path = try folder.write("inner/plugin.so", "x")
    try setMode(mode, of: inner)
    let failure = try #require(throws: Failure.self) { try TrustedFile(checking: path) }
    #expect(failure.code == .untrustedPlugin)
    #expect(failure.message.contains("its folder \(inner) can be written by everybody"))
  }

  @Test("a world-writable ancestor is refused as well")
  func writableAncestor() throws {
    let inner = try folder.makeFolder("inner")
    try folder.makeFolder("inner/own")
    let path = try folder.write("inner/own/plugin.so", "x")
    try setMode(0o777, of: inner)
    let failure = try #require(throws: Failure.self) { try TrustedFile(checking: path) }
    #expect(failure.message.contains("its folder \(inner) can be written by everybody"))
  }

  @Test("what is missing, or no file, is told apart from what is not trusted")
  func missingFile() throws {
    let missing = try #require(throws: Failure.self) {
      try TrustedFile(checking: folder.file("none.so"), missing: .engineFailed)
    }
    #expect(missing.code == .engineFailed)
    #expect(missing.message == "Cannot load \(folder.file("none.so")): No such file or directory")
    let noFile = try #require(throws: Failure.self) { try TrustedFile(checking: folder.path) }
    #expect(noFile.message.hasSuffix("it is not a file"))
  }

  private struct Case: Sendable, CustomTestStringConvertible {
    let place: OwnershipRules.Place
    let owner: UInt32
    let group: UInt32
    let mode: UInt32
    let isTrusted: Bool
    var testDescription: String { "\(place) \(owner):\(group) 0\(String(mode, radix: 8))" }
  }

  private static let cases: [Case] = [
    Case(place: .file, owner: 0, group: 0, mode: 0o755, isTrusted: true),
    Case(place: .file, owner: 1000, group: 50, mode: 0o755, isTrusted: true),
    Case(place: .file, owner: 1001, group: 1000, mode: 0o755, isTrusted: false),
    Case(place: .file, owner: 1000, group: 1000, mode: 0o775, isTrusted: true),
    Case(place: .file, owner: 1000, group: 50, mode: 0o775, isTrusted: false),
    Case(place: .file, owner: 0, group: 0, mode: 0o775, isTrusted: false),
    Case(place: .ownFolder, owner: 1000, group: 1000, mode: 0o775, isTrusted: true),
    Case(place: .ownFolder, owner: 0, group: 0, mode: 0o1777, isTrusted: false),
    Case(place: .ancestor, owner: 0, group: 0, mode: 0o1777, isTrusted: true),
    Case(place: .ancestor, owner: 0, group: 0, mode: 0o777, isTrusted: false),
    Case(place: .ancestor, owner: 1000, group: 1000, mode: 0o1777, isTrusted: false),
    Case(place: .ancestor, owner: 1001, group: 1001, mode: 0o755, isTrusted: false),
    Case(place: .ancestor, owner: 0, group: 50, mode: 0o775, isTrusted: false),
  ]

  @Test("only root and the caller may have a say, for user 1000 of group 1000", arguments: cases)
  private func ownership(_ example: Case) {
    var status = stat()
    status.st_uid = example.owner
    status.st_gid = example.group
    status.st_mode = example.mode
    let rules = OwnershipRules(user: 1000) { $0 == 1000 }
    let objection = rules.objection(to: status, at: "/path", as: example.place)
    #expect((objection == nil) == example.isTrusted)
  }

  private static let passwd = """
    root:x:0:0:root:/root:/bin/bash
    users:x:100:100::/:/bin/sh
    anna:x:1000:1000:Anna,,,:/home/anna:/bin/bash
    bert:x:1001:1001::/home/bert:/bin/bash
    carl:x:1002:1001::/home/carl:/bin/bash
    dora:x:1003:1003::/home/dora:/bin/bash
    emil:x:1004:1004::/home/emil:/bin/bash
    broken

    """
  private static let group = """
    root:x:0:
    anna:x:1000:anna
    bert:x:1001:
    dora:x:1003:dora,anna
    staff:x:1004:
    two:x:1000:

    """

  @Test(
    "a group is the user's own with the same number and name, and nobody else in it",
    arguments: [
      (0, 0, true), (1000, 1000, true), (100, 1000, false), (1000, 1001, false),
      // carl has it as his group, dora's has anna in it, emil's has another name.
      (1001, 1001, false), (1003, 1003, false), (1004, 1004, false),
      // Nobody of this number is known, or no group.
      (1009, 1009, false), (100, 100, false),
    ])
  func privateGroup(group: UInt32, user: UInt32, isPrivate: Bool) {
    let groups = PrivateGroup(passwd: Self.passwd, group: Self.group)
    #expect(groups.belongs(group, to: user) == isPrivate)
    #expect(!PrivateGroup(passwd: "", group: "").belongs(group, to: user))
    let shared = PrivateGroup(passwd: Self.passwd, group: Self.group + "x:x:\(group):mallory\n")
    #expect(!shared.belongs(group, to: user))
  }

  @Test(
    "a folder that the caller's group shares with others is refused with the command that mends it",
    .enabled(
      if: geteuid() == 0 || !PrivateGroup.ofMachine().belongs(getegid(), to: geteuid()),
      "this user's group is nobody else's"))
  func sharedGroup() throws {
    let inner = try folder.makeFolder("inner")
    let path = try folder.write("inner/plugin.so", "x")
    let group = geteuid() == 0 ? 100 : getegid()
    try #require(unsafe chown(inner, geteuid(), group) == 0)
    try setMode(0o775, of: inner)
    let failure = try #require(throws: Failure.self) { try TrustedFile(checking: path) }
    #expect(failure.code == .untrustedPlugin)
    #expect(
      failure.message.contains(
        "its folder \(inner) can be written by group \(group), which others may be in"))
    #expect(failure.hint == "run: chmod g-w \(inner)")
  }
}
