import Protocol
import Testing

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
