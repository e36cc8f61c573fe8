import Foundation
import GRDB
import Glibc
import Protocol
import Testing

@Suite("Several processes and full disks")
struct SharingTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test("while another process keeps the file, writing fails as busy and reading does not")
  func busy() throws {
    let keychain = try TestKeychain(folder, busyTimeout: 0)
    try keychain.add("mail")
    try tamper(folder) { database in
      try database.execute(sql: "BEGIN EXCLUSIVE")
      let failure = try #require(try failure { try keychain.add("news") })
      #expect(failure.code == .busy)
      #expect(failure.message.contains(folder.database))
      #expect(try keychain.find().map(\.service) == ["mail"])
      #expect(try code { try keychain.remove(query("mail")) } == .busy)
      #expect(try TestKeychain(folder, busyTimeout: 0).get(query("mail")) == "s3cret")
      try database.execute(sql: "COMMIT")
    }
    #expect(try keychain.find().map(\.service) == ["mail"])
  }

  @Test("two engines on one file see each other's items at once")
  func twoEngines() throws {
    let one = try TestKeychain(folder)
    let two = try TestKeychain(folder)
    try one.add("mail", secret: "one")
    #expect(try two.get(query("mail")) == "one")
    try two.update(query("mail"), secret: "two")
    #expect(try one.get(query("mail")) == "two")
    #expect(try code { try two.add("mail") } == .errSecDuplicateItem)
  }

  @Test("an update that another process got ahead of begins afresh with what there is")
  func overtakenUpdate() throws {
    let one = try TestKeychain(folder)
    let two = try TestKeychain(folder)
    try one.add("mail", label: "old", secret: "old")
    var isFirst = true
    one.enclave.beforeAnswer = { number in
      guard number == SealItem.number, isFirst else { return }
      isFirst = false
      _ = try? two.update(query("mail"), changes(label: "theirs"))
    }
    try one.update(query("mail"), secret: "mine")
    #expect(!isFirst)
    #expect(try one.find().map(\.label) == ["theirs"])
    #expect(try one.get(query("mail")) == "mine")
  }

  @Test("an update that is overtaken again and again gives up and changes nothing")
  func overtakenForever() throws {
    let one = try TestKeychain(folder)
    let two = try TestKeychain(folder)
    try one.add("mail", secret: "old")
    one.enclave.beforeAnswer = { number in
      guard number == SealItem.number else { return }
      _ = try? two.update(query("mail"), changes(label: "again"))
    }
    #expect(try code { try one.update(query("mail"), secret: "mine") } == .busy)
    one.enclave.beforeAnswer = nil
    #expect(try one.get(query("mail")) == "old")
  }

  @Test("a removal that another process's change overtakes is tried afresh, and sees the change")
  func overtakenRemoval() throws {
    let one = try TestKeychain(folder)
    let two = try TestKeychain(folder)
    try one.add("mail")
    var isFirst = true
    one.enclave.beforeAnswer = { number in
      guard number == OpenAttributes.number, isFirst else { return }
      isFirst = false
      _ = try? two.update(query("mail"), changes(service: "news"))
    }
    #expect(try code { try one.remove(query("mail")) } == .errSecItemNotFound)
    one.enclave.beforeAnswer = nil
    #expect(try one.find().map(\.service) == ["news"])
  }

  @Test("an item removed while its update is under way is not found")
  func removedMeanwhile() throws {
    let one = try TestKeychain(folder)
    let two = try TestKeychain(folder)
    try one.add("mail")
    one.enclave.beforeAnswer = { number in
      if number == SealItem.number { _ = try? two.remove(query("mail")) }
    }
    #expect(try code { try one.update(query("mail"), secret: "x") } == .errSecItemNotFound)
  }

  @Test("two processes that add to one keychain at once lose nothing")
  func twoProcesses() async throws {
    let path = folder.path
    let keychain = try TestKeychain(folder)
    async let other = #expect(processExitsWith: .success) { [path = path as String] in
      let keychain = try TestKeychain(path: path)
      for index in 0..<Self.count { try keychain.add("child", "\(index)") }
    }
    // Until the other process has added its last, so that the two certainly meet.
    var added = 0
    while (try? keychain.find(query("child")).count) != Self.count, added < 5000 {
      try keychain.add("parent", "\(added)")
      added += 1
    }
    _ = await other
    #expect(try keychain.find(query("parent")).count == added)
    #expect(try keychain.find(query("child")).count == Self.count)
  }
  private static let count = 40

  @Test("a full disk is a storage failure, and what was there is there")
  func fullDisk() async throws {
    let path = folder.path
    let keychain = try TestKeychain(folder)
    try keychain.add("mail", secret: "kept")
    await #expect(processExitsWith: .success) { [path = path as String] in
      // A limit on the size of files stands for the end of the disk: the write fails
      // (setrlimit(2)).
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 48 << 10, rlim_max: 48 << 10)
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let keychain = try TestKeychain(path: path)
      let large = String(repeating: "x", count: 40 << 10)
      let failure = try #require(try failure { try keychain.add("large", secret: large) })
      #expect(failure.code == .storageFailed)
      #expect(failure.hint?.contains("space") == true)
      #expect(
        try code { try keychain.update(query("mail"), secret: large) } == .storageFailed)
      #expect(try keychain.get(query("mail")) == "kept")
    }
    #expect(try keychain.find().map(\.service) == ["mail"])
    #expect(try keychain.get(query("mail")) == "kept")
  }

  @Test("where nothing can be written what is there is read, also by whoever opens it then")
  func openOnFullDisk() async throws {
    let path = folder.path
    try TestKeychain(folder).add("mail", secret: "kept")
    await #expect(processExitsWith: .success) { [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      // Less than the index of the log takes.
      var limit = rlimit(rlim_cur: 16 << 10, rlim_max: .max)
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let keychain = try TestKeychain(path: path)
      #expect(try keychain.get(query("mail")) == "kept")
      let large = String(repeating: "x", count: 40 << 10)
      #expect(
        try code { try keychain.update(query("mail"), secret: large) } == .storageFailed)
      #expect(try keychain.get(query("mail")) == "kept")
      limit.rlim_cur = .max
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      try keychain.update(query("mail"), secret: "with room")
    }
    #expect(try TestKeychain(folder).get(query("mail")) == "with room")
  }

  @Test("in a folder that may not be written, requests are storage failures and nothing is lost")
  func readOnlyFolder() async throws {
    try TestKeychain(folder).add("mail", secret: "kept")
    let before = try contents(of: folder.database)
    let path = folder.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      // Permissions say nothing to root.
      if geteuid() == 0 {
        for file in [path, path + "/keychain.sqlite"] { unsafe chown(file, 65534, 65534) }
        try #require(setgid(65534) == 0 && setuid(65534) == 0)
      }
      unsafe chmod(path, 0o500)
      let keychain = try TestKeychain(path: path)
      for request in [
        { try keychain.add("news") }, { try keychain.update(query("mail"), secret: "x") },
        { try keychain.remove(query("mail")) }, { _ = try keychain.get(query("mail")) },
      ] as [() throws -> Void] {
        let failure = try #require(try failure(of: request))
        #expect(failure.code == .storageFailed)
        #expect(failure.message.contains(path))
        #expect(failure.hint?.contains("permissions") == true)
      }
      unsafe chmod(path, 0o700)
    }
    let after = try contents(of: folder.database)
    #expect(after == before)
    #expect(try TestKeychain(folder).get(query("mail")) == "kept")
  }
}
