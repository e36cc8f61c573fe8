import Foundation
import Protocol
import Testing

@Suite("A keychain that is gone")
final class LostKeychainTests: OneKeychain {
  override init() throws {
    try super.init()
    try keychain.add("mail")
  }

  /// What happened to the file.
  enum Loss: CaseIterable {
    case removed, removedWithLog, emptied, replacedByEmptyOne, replacedByAnothers
  }

  private func lose(_ loss: Loss) throws {
    let files = FileManager.default
    switch loss {
    case .removed: try files.removeItem(atPath: folder.database)
    case .removedWithLog:
      for suffix in ["", "-wal", "-shm"] { try files.removeItem(atPath: folder.database + suffix) }
    case .emptied:
      try files.removeItem(atPath: folder.database)
      try write(Data(), to: folder.database)
    case .replacedByEmptyOne, .replacedByAnothers:
      let other = try TestFolder()
      do {
        let stranger = try TestKeychain(other)
        stranger.enclave.erase()
        _ = try stranger.check()
        if loss == .replacedByAnothers { try stranger.add("theirs") }
      }
      for suffix in ["", "-wal", "-shm"] { try files.removeItem(atPath: folder.database + suffix) }
      try files.copyItem(atPath: other.database, toPath: folder.database)
    }
  }

  /// Another engine process of the same device.
  private func restarted() throws -> TestKeychain {
    let next = try TestKeychain(folder)
    next.enclave.hasKeychain = keychain.enclave.hasKeychain
    return next
  }

  @Test(
    "FINDINGS A13: a keychain that is gone is said, with the way out, and never replaced silently",
    arguments: Loss.allCases, [false, true])
  func said(loss: Loss, restarts: Bool) throws {
    try lose(loss)
    let asked = restarts ? try restarted() : keychain
    for (name, ask) in ErasedEnclaveTests.requests {
      let failure = try failure { try ask(asked) }
      guard name != "remove what the passcode guarded" else {
        #expect(failure == nil, "the passcode can be removed: \(String(describing: failure))")
        continue
      }
      #expect(failure?.code == .stateDamaged, "\(name): \(String(describing: failure))")
      #expect(failure?.message.contains(folder.database) == true, "\(name)")
      #expect(failure?.hint?.contains("authcore keychain repair") == true, "\(name)")
    }
    let isThere = FileManager.default.fileExists(atPath: folder.database)
    #expect(isThere == ![.removed, .removedWithLog].contains(loss))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0.contains("lost") })
  }

  @Test("FINDINGS A13: it works again as soon as the file is put back", arguments: Loss.allCases)
  func putBack(loss: Loss) throws {
    let aside = try TestFolder()
    try FileManager.default.removeItem(atPath: aside.path)
    // A copy of database and log, as they lie there.
    try FileManager.default.copyItem(atPath: folder.path, toPath: aside.path)
    try lose(loss)
    #expect(try code { _ = try keychain.find() } == .stateDamaged)
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: folder.database + suffix)
    }
    for suffix in ["-wal", ""] {
      try FileManager.default.copyItem(
        atPath: aside.database + suffix, toPath: folder.database + suffix)
    }
    #expect(try keychain.get(query("mail")) == "s3cret")
  }

  @Test(
    "FINDINGS A13: nothing is lost if its file is moved away alone, and moved back",
    arguments: [false, true])
  func movedBack(isChecked: Bool) throws {
    let away = folder.path + "/away"
    try FileManager.default.moveItem(atPath: folder.database, toPath: away)
    if isChecked {
      #expect(try keychain.check().isGone)
    } else {
      #expect(try code { _ = try keychain.find() } == .stateDamaged)
    }
    try FileManager.default.moveItem(atPath: away, toPath: folder.database)
    #expect(try keychain.get(query("mail")) == "s3cret")
    #expect(try keychain.check().isDamaged == false)
  }

  @Test(
    "FINDINGS A13: a check says so, and only a repair that may begin anew does",
    arguments: Loss.allCases)
  func begunAnew(loss: Loss) throws {
    try lose(loss)
    let findings = try keychain.check()
    #expect(findings.isGone && findings.isDamaged && findings.problems.count == 1)
    #expect(try code { _ = try keychain.repair() } == .stateDamaged)
    #expect(try keychain.check().isGone)
    let repaired = try keychain.repair(beginsAnew: true)
    #expect(repaired.findings.isGone)
    #expect((repaired.setAside != nil) == (loss == .replacedByAnothers))
    #expect(try code { _ = try keychain.find() } == .errSecItemNotFound)
    try keychain.add("news")
    #expect(try keychain.check().isDamaged == false)
    #expect(try restarted().get(query("news")) == "s3cret")
  }

  @Test("FINDINGS A13: a repair that can read nothing leaves the file, unless it may begin anew")
  func unreadable() throws {
    try lose(.removedWithLog)
    let garbage = Data(repeating: 7, count: 8192)
    try write(garbage, to: folder.database)
    let asked = try restarted()
    #expect(try code { _ = try asked.repair() } == .stateDamaged)
    #expect(FileManager.default.contents(atPath: folder.database) == garbage)
    let repaired = try asked.repair(beginsAnew: true)
    #expect(FileManager.default.contents(atPath: try #require(repaired.setAside)) == garbage)
    try asked.add("news")
  }

  @Test(
    "FINDINGS A13: an erased enclave misses none, and a new one is begun", arguments: Loss.allCases)
  func erased(loss: Loss) throws {
    try lose(loss)
    // The other device of these tests has the keys of the first erasure.
    for _ in 1...2 { keychain.enclave.erase() }
    #expect(try code { _ = try keychain.find() } == .errSecItemNotFound)
    try keychain.add("news")
    try FileManager.default.removeItem(atPath: folder.database)
    #expect(try code { _ = try keychain.find() } == .stateDamaged)
  }

  @Test("FINDINGS A13: an enclave that cannot be asked is no reason to begin anew")
  func unasked() throws {
    try lose(.removedWithLog)
    keychain.enclave.intrusion = { request in
      request.first == NoteKeychain.number
        ? bytes(of: Failure(.stateDamaged, "the keybag is damaged").encoded()) : nil
    }
    #expect(try code { try keychain.add("news") } == .stateDamaged)
    #expect(!FileManager.default.fileExists(atPath: folder.database))
  }
}
