import Foundation
import LinuxSystem
import Testing

@testable import AuthCore

@Suite("How applications are named in the service")
struct ServiceNameTests {
  private func facts(
    _ path: String, _ place: RootOwnedPath.Finding, unit: String? = nil, snap: String? = nil,
    isDeclared: Bool = true
  ) -> ProgramFacts {
    ProgramFacts(
      path: Array(path.utf8), place: place, unit: unit, snap: snap, isDeclared: isDeclared)
  }

  /// What is known of a program, and what it is called.
  struct Row: Sendable {
    let path: String
    let place: RootOwnedPath.Finding
    var unit: String?
    var snap: String?
    let name: String
    let protects: Bool
  }

  @Test(
    "K2: units, snaps and declared programs that only root can replace have names that protect; others labels",
    arguments: [
      Row(path: "/usr/bin/mail", place: .rootOwned, name: "/usr/bin/mail", protects: true),
      Row(path: "/opt/mail", place: .writable, name: "/opt/mail", protects: false),
      Row(path: "/home/me/mail", place: .notSeen, name: "/home/me/mail", protects: false),
      Row(path: "/home/me/mail", place: .writable, name: "/home/me/mail", protects: false),
      // What another mount namespace shows at a path that is somebody else's.
      Row(path: "/usr/bin/mail", place: .another, name: "//unproved/usr/bin/mail", protects: false),
      Row(path: "/usr/bin/new", place: .notSeen, name: "//unproved/usr/bin/new", protects: false),
      Row(
        path: "/usr/bin/python3.11", place: .rootOwned, unit: "backup.service",
        name: "//unit/backup.service", protects: true),
      Row(
        path: "/home/me/x", place: .notSeen, unit: "backup.service", name: "//unit/backup.service",
        protects: true),
      Row(
        path: "/snap/mail/7/bin/mail", place: .rootOwned, snap: "mail", name: "//snap/mail",
        protects: true),
      // A program of the user's own that was put under the snap's confinement.
      Row(path: "/home/me/x", place: .writable, snap: "mail", name: "/home/me/x", protects: false),
    ])
  func names(row: Row) {
    let name = ServiceNames.name(of: facts(row.path, row.place, unit: row.unit, snap: row.snap))
    #expect(name == ApplicationName(text: row.name, protects: row.protects))
  }

  @Test(
    "FINDINGS A10: a program of root's has a label unless root says that its name protects",
    arguments: [
      "/usr/bin/perl5.36-x86_64-linux-gnu", "/usr/bin/perl", "/usr/bin/nvim", "/usr/bin/emacs-gtk",
      "/usr/bin/gdb-multiarch", "/usr/bin/python3.11", "/usr/bin/socat", "/usr/bin/mail",
    ])
  func undeclared(path: String) {
    let label = ApplicationName(text: path, protects: false)
    #expect(ServiceNames.name(of: facts(path, .rootOwned, isDeclared: false)) == label)
    let declared = ApplicationName(text: path, protects: true)
    #expect(ServiceNames.name(of: facts(path, .rootOwned)) == declared)
    #expect(!ServiceNames.name(of: facts(path, .writable)).protects, "who may replace it")
  }

  @Test("FINDINGS A12: a program that runs somebody's code has no name that protects")
  func foreignCode() {
    var preloaded = facts("/usr/bin/mail", .rootOwned)
    preloaded.runsForeignCode = true
    #expect(
      ServiceNames.name(of: preloaded)
        == ApplicationName(text: "//unproved/usr/bin/mail", protects: false))
  }

  @Test("K2: a program in a namespace that its user arranges has no name that protects")
  func apart() {
    var program = facts("/usr/bin/mail", .rootOwned)
    program.isApart = true
    let unproved = ApplicationName(text: "//unproved/usr/bin/mail", protects: false)
    #expect(ServiceNames.name(of: program) == unproved)
    program.snap = "mail"
    #expect(ServiceNames.name(of: program) == unproved)
  }

  @Test("K2: a unit is the system's only below its own slice")
  func units() {
    #expect(SystemUnit.name(in: "/system.slice/backup.service") == "backup.service")
    #expect(SystemUnit.name(in: "/system.slice/system-x.slice/x@1.service/sub") == "x@1.service")
    for group in [
      "", "/", "/user.slice/user-1000.slice/user@1000.service/app.slice/backup.service",
      "/user.slice/user-1000.slice/session-3.scope", "/system.slice",
      "/system.slice/docker-1.scope",
      "/system.slice/docker-1.scope/system.slice/backup.service", "/init.scope",
      "/machine.slice/system.slice/backup.service",
    ] { #expect(SystemUnit.name(in: group) == nil, "\(group)") }
  }

  @Test("K2: a snap is one where its confinement is enforced")
  func snaps() {
    #expect(SystemUnit.snap(in: "snap.mail-client.app (enforce)") == "mail-client")
    for text in [
      "", "unconfined", "snap.mail.app (complain)", "snap.mail (enforce)", "snap..app (enforce)",
      "snap.mail. (enforce)", "snap.ma/il.app (enforce)", "snap.mail.app",
      "xsnap.mail.app (enforce)",
      "snap (enforce)",
    ] { #expect(SystemUnit.snap(in: text) == nil, "\(text)") }
  }

  @Test("a file that somebody besides root may replace is told from one that nobody may")
  func places() throws {
    let shell = try #require(RunningExecutable.ofThisProcess())
    #expect(RootOwnedPath.find(shell) != .another)
    var status = stat()
    try #require(unsafe stat("/usr/bin/env", &status) == 0)
    let device = UInt64(status.st_dev)
    func file(_ path: String, inode: UInt64) -> RunningExecutable {
      RunningExecutable(path: Array(path.utf8), device: device, inode: inode)
    }
    let inode = UInt64(status.st_ino)
    #expect(RootOwnedPath.find(file("/usr/bin/env", inode: inode)) == .rootOwned)
    #expect(RootOwnedPath.find(file("/usr/bin/env", inode: inode + 1)) == .another)
    #expect(RootOwnedPath.find(file("/usr/bin/not-there", inode: inode)) == .notSeen)
    for mode in [S_IWGRP, S_IWOTH, S_IWOTH | S_ISVTX] {
      var writable = status
      writable.st_mode |= mode
      #expect(RootOwnedPath.isRootAlone(status) && !RootOwnedPath.isRootAlone(writable))
    }
    status.st_uid = 1000
    #expect(!RootOwnedPath.isRootAlone(status))
  }
}
