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
