import Foundation
import GRDB
import Protocol
import Testing

@Suite("Loss of power", .timeLimit(Thoroughness.limit))
struct PowerLossTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// What lies in the folder before the disk takes notes.
  enum Beginning: CaseIterable {
    case nothing
    /// A database of before there were classes and groups, and two items.
    case older
    /// A database of the first version, and two items.
    case oldest
  }

  private func begin(_ beginning: Beginning) throws {
    guard beginning != .nothing else { return }
    let keychain = try TestKeychain(folder)
    try keychain.add("service 0", "old", secret: "as it was")
    try keychain.add("service 1", "old", secret: String(repeating: "long", count: 3000))
    try tamper(folder) { database in
      try database.execute(sql: OlderSchema.withoutClasses)
      if beginning == .oldest { try database.execute(sql: OlderSchema.withoutKeys) }
    }
  }

  /// Asks a keychain for many things on a disk that takes notes; the cut is not run yet.
  private func recorded(
    _ beginning: Beginning, seed: UInt64, requests: Int
  ) throws -> DiskCut {
    try begin(beginning)
    let disk = try SimulatedDisk(under: folder.path)
    defer { disk.end() }
    let keychain = try TestKeychain(folder)
    var marked: Int?
    keychain.enclave.onKeychain = { marked = disk.events.count }
    var workload = Workload(seed: seed)
    var states: [KeychainContents] = []
    while states.count <= requests {
      // The first look opens the database, which makes it one of this version.
      if states.isEmpty {
        states.append(try keychain.contents())
      } else if try workload.step(keychain) {
        disk.answered()
        states.append(try keychain.contents())
      }
    }
    var cut = DiskCut(of: disk, states: states)
    cut.seed = seed
    cut.marked = marked
    return cut
  }

  @Test(
    "K1: at every write, sync and change of a name the power can go, and what was answered is there",
    arguments: Beginning.allCases, 1...Thoroughness.number(2, full: 20))
  func requests(beginning: Beginning, seed: Int) throws {
    var cut = try recorded(
      beginning, seed: UInt64(seed), requests: Thoroughness.number(12, full: 50))
    cut.stride = Thoroughness.number(5, full: 1)
    let result = try cut.run()
    Thoroughness.report("power loss, \(beginning), seed \(seed): \(result.tried) tried")
    #expect(result.tried > 50)
    #expect(result.wrong.isEmpty, "\(result.wrong.count): \(result.wrong.prefix(5))")
  }

  @Test(
    "FINDINGS A13: the power can go while a keychain is begun: the enclave knows of none that is not there",
    arguments: 1...Thoroughness.number(3, full: 20))
  func beginning(seed: Int) throws {
    var cut = try recorded(.nothing, seed: UInt64(seed), requests: 2)
    let marked = try #require(cut.marked)
    let result = try cut.run()
    #expect(result.wrong.isEmpty, "\(result.wrong.count): \(result.wrong.prefix(5))")
    // A mark before the file was on the disk would be noticed.
    cut.marked = cut.beginning + 1
    #expect(marked > cut.beginning)
    #expect(try cut.run().wrong.isEmpty == false)
  }

  @Test("an engine that waited for no disk would be noticed")
  func withoutSyncs() throws {
    var cut = try recorded(.older, seed: 3, requests: 4)
    cut.events = cut.events.enumerated().filter { index, event in
      guard index >= cut.beginning, case .synced = event else { return true }
      return false
    }.map(\.element)
    cut.stride = 4
    #expect(try cut.run().wrong.isEmpty == false)
  }

  @Test(
    "K1: the power can go while the items of another enclave are set aside: they lie there whole")
  func settingAside() throws {
    try begin(.older)
    _ = try TestKeychain(folder).contents()
    let disk = try SimulatedDisk(under: folder.path)
    defer { disk.end() }
    let keychain = try TestKeychain(folder)
    keychain.enclave.erase()
    var states = [KeychainContents()]
    for name in ["first", "second"] {
      try keychain.add(name)
      disk.answered()
      states.append(try keychain.contents())
    }
    var cut = DiskCut(of: disk, states: states)
    cut.erasures = 1
    cut.alsoWrong = { folder, _ in
      var rows = 0
      let queue = try DatabaseQueue(path: folder.database + ".lost-1")
      rows = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM items") } ?? 0
      return rows == 2 ? nil : "\(rows) rows lie aside"
    }
    let result = try cut.run()
    #expect(result.tried > 50)
    #expect(result.wrong.isEmpty, "\(result.wrong.count): \(result.wrong.prefix(5))")
  }
}

@Suite("Loss of power while restoring", .timeLimit(Thoroughness.limit))
struct RestorePowerTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let count = 6

  /// A backup with later items, half of which the keychain has.
  private func records(_ enclave: FakeEnclave) -> [SealedRecord] {
    (0..<Self.count).map { number in
      var item = ItemAttributes()
      (item.service, item.account) = ("service \(number)", "ann")
      item.group = TestKeychain.app
      item.modifiedAt = .max
      return enclave.record(
        of: item, secret: String(repeating: "restored", count: 200), at: UInt64(number))
    }
  }

  @Test("K7: the power can go at every write of a restore: all of its items are there, or none")
  func everyWrite() throws {
    let keychain = try TestKeychain(folder)
    for number in 0..<Self.count / 2 { try keychain.add("service \(number)", secret: "as it was") }
    let disk = try SimulatedDisk(under: folder.path)
    defer { disk.end() }
    var states = [try keychain.contents()]
    let records = records(keychain.enclave)
    for first in stride(from: 0, to: Self.count, by: 2) {
      let _: ItemsRestored = try keychain.send(
        RestoreItems(
          mode: .apply, first: UInt64(first), records: Array(records[first..<first + 2])),
        app: commandApplication)
      disk.answered()
      states.append(try keychain.contents())
    }
    #expect(states.allSatisfy { $0 == states[0] })
    let counts = try keychain.finishRestore(of: Self.count)
    #expect(counts == RestoreCounts(added: 3, replaced: 3))
    disk.answered()
    states.append(try keychain.contents())
    var cut = DiskCut(of: disk, states: states)
    cut.stride = Thoroughness.number(3, full: 1)
    cut.alsoWrong = { folder, _ in
      try isAnythingStaged(in: folder) ? "what was brought still lies there" : nil
    }
    let result = try cut.run()
    #expect(result.tried > 50)
    #expect(result.wrong.isEmpty, "\(result.wrong.count): \(result.wrong.prefix(5))")
  }

  @Test("a disk that is full in any write of a restore: it fails, and nothing has changed")
  func fullDisk() throws {
    let keychain = try TestKeychain(folder)
    for number in 0..<Self.count / 2 { try keychain.add("service \(number)", secret: "as it was") }
    let before = try keychain.contents()
    let disk = try SimulatedDisk(under: folder.path)
    defer { disk.end() }
    let records = records(keychain.enclave)
    var wasDone = false
    for room in stride(from: 0, to: 400, by: Thoroughness.number(3, full: 1)) where !wasDone {
      disk.isFull(after: room)
      let failure = try failure(of: { try keychain.restore(records, atOnce: 2) })
      disk.isFull(after: nil)
      wasDone = failure == nil
      if let failure {
        #expect(failure.code == .storageFailed, "\(failure)")
        #expect(try keychain.contents() == before, "after \(room) writes")
      }
    }
    #expect(wasDone)
    #expect(try keychain.contents().items.count == Self.count)
  }
}
