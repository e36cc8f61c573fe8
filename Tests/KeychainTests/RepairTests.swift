import Foundation
import GRDB
import Protocol
import SyntheticPrints
import Testing

@testable import KeychainEngine

@Suite("Checking and repairing the file", .timeLimit(Thoroughness.limit))
struct RepairTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// A file with items on many pages, long secrets among them, keys and pages that are free.
  private static let filled = Result { try filledKeychain(items: 40, longest: 5_000) }

  /// Has a file repaired and looks whether everything that was in it is there or said to be lost, and
  /// nothing else is there.
  private func repair(_ damaged: Data, _ what: Comment) throws {
    let folder = try TestFolder()
    try write(damaged, to: folder.database)
    let before = try Self.filled.get().contents
    let foreseen = try TestKeychain(folder).check()
    #expect(try KeychainTests.contents(of: folder.database) == damaged, what)
    let keychain = try TestKeychain(folder)
    let repaired = try keychain.repair()
    let findings = repaired.findings
    #expect(findings == foreseen, what)
    let after = try keychain.readableContents()
    #expect(after.items.allSatisfy(before.items.contains), what)
    #expect(after.keys.allSatisfy(before.keys.contains), what)
    let left = after.items.count + after.keys.count + Int(findings.damagedCount)
    let all = before.items.count + before.keys.count
    #expect(left + Int(findings.lost) == all || findings.mayHaveLostMore, "\(what): \(findings)")
    #expect(left <= all && left == Int(findings.items + findings.keys), "\(what): \(findings)")
    if let path = repaired.setAside {
      #expect(path == folder.database + ".damaged-1", what)
      #expect(try KeychainTests.contents(of: path) == damaged, what)
      #expect(try keychain.check().needsRepair == false, what)
    } else {
      #expect(left == all, "\(what): \(findings)")
    }
    try keychain.add("after", "the repair")
    #expect(try TestKeychain(folder).get(query("after", "the repair")) == "s3cret", what)
  }

  @Test("a whole keychain is said to be whole, and a repair leaves it alone")
  func whole() throws {
    let keychain = try TestKeychain(folder)
    try keychain.add("mail")
    try keychain.add("bank", access: "presence")
    try keychain.createKey("deploy")
    let findings = try keychain.check()
    #expect(!findings.isDamaged, "\(findings)")
    #expect((findings.items, findings.keys, findings.unopened) == (2, 1, 0))
    #expect(try keychain.repair() == KeychainRepaired(findings: findings, setAside: nil))
    keychain.enclave.isLocked = true
    #expect(try keychain.check().unopened == 3)
    #expect(try keychain.check().isDamaged == false)
  }

  @Test(
    "whichever page is lost, the rows on all others are recovered, and those on it are counted",
    arguments: ["zeros", "noise", "another page"])
  func pages(kind: String) throws {
    let whole = try Self.filled.get().bytes
    var generator = RandomNumbers(seed: 11)
    for page in stride(from: 0, to: whole.count / 4096, by: kind == "zeros" ? 1 : 3) {
      var damaged = whole
      let range = page * 4096..<(page + 1) * 4096
      switch kind {
      case "zeros": damaged.replaceSubrange(range, with: Data(count: 4096))
      case "noise":
        damaged.replaceSubrange(
          range, with: Data((0..<4096).map { _ in .random(in: 0...255, using: &generator) }))
      default:
        let other = (page + 3) % (whole.count / 4096) * 4096
        damaged.replaceSubrange(range, with: whole[other..<other + 4096])
      }
      try repair(damaged, "page \(page + 1)")
    }
  }

  @Test("a table that has lost its one page is counted row by row, by its index and no other")
  func onePage() throws {
    let keychain = try TestKeychain(folder)
    for number in 0..<3 { try keychain.add("mail", "\(number)") }
    try keychain.createKey("deploy")
    var page = 0
    try tamper(folder) { database in
      page =
        try Int.fetchOne(
          database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'items'") ?? 0
      try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    var bytes = try contents(of: folder.database)
    bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: Data(count: 4096))
    let other = try TestFolder()
    try write(bytes, to: other.database)
    let findings = try TestKeychain(other).repair().findings
    #expect((findings.items, findings.keys, findings.lost) == (0, 1, 3))
  }

  @Test("whichever bytes are changed, nothing goes without being counted, and nothing comes")
  func bytes() throws {
    let whole = try Self.filled.get().bytes
    var generator = RandomNumbers(seed: 5)
    for round in 0..<Thoroughness.number(30, full: 4_000) {
      var damaged = whole
      let start = Int.random(in: 0..<whole.count, using: &generator)
      // A byte, or a region that a bad sector or a stray write leaves.
      let length = [1, 1, 16, 512].randomElement(using: &generator) ?? 1
      for index in start..<min(start + length, whole.count) {
        damaged[index] ^= .random(in: 1...255, using: &generator)
      }
      try repair(damaged, "round \(round): \(length) bytes at \(start)")
    }
  }

  @Test("a file that has lost its end, or all but it, gives what is left", arguments: [1, 3, 7])
  func cut(pages: Int) throws {
    let whole = try Self.filled.get().bytes
    try repair(whole.dropLast(pages * 4096), "without its end")
    try repair(whole.dropLast(pages * 4096 - 100), "within a page")
    try repair(Data(count: pages * 4096) + whole.dropFirst(pages * 4096), "without its beginning")
  }

  @Test("the header alone is no loss: byte by byte")
  func header() throws {
    let (whole, before) = try Self.filled.get()
    for index in 0..<100 {
      let folder = try TestFolder()
      var damaged = whole
      damaged[index] ^= 0x41
      try write(damaged, to: folder.database)
      let keychain = try TestKeychain(folder)
      let repaired = try keychain.repair()
      #expect(repaired.findings.lost == 0, "byte \(index): \(repaired.findings)")
      #expect(try keychain.contents() == before, "byte \(index)")
    }
  }

  @Test("what was committed and not written back yet is recovered from the log, which is kept, too")
  func log() throws {
    try write(Self.filled.get().bytes, to: folder.database)
    let keychain = try TestKeychain(folder)
    for number in 0..<10 { try keychain.add("later", "\(number)") }
    var files = try folder.files
    let log = try #require(files["keychain.sqlite-wal"])
    files["keychain.sqlite"]?.replaceSubrange(0..<90_000, with: Data(repeating: 7, count: 90_000))
    let other = try TestFolder()
    try other.write(files)
    let damaged = try TestKeychain(other)
    #expect(try damaged.check().needsRepair)
    #expect(try other.files == files)
    let repaired = try damaged.repair()
    #expect(repaired.findings.items >= 10 && repaired.findings.lost > 0)
    #expect(try damaged.find(query("later")).count == 10)
    #expect(try contents(of: other.database + ".damaged-1") == files["keychain.sqlite"])
    #expect(try contents(of: other.database + ".damaged-1-wal") == log)
  }

  @Test(
    "a row whose attributes are damaged is lost; one whose secret is damaged stays and is named")
  func rows() throws {
    let keychain = try TestKeychain(folder)
    let app = commandApplication
    try keychain.add("mail", app: app)
    try flipBit(of: "sealedAttributes", in: folder)
    try keychain.add("news", "bob", app: app)
    try tamper(folder) {
      try $0.execute(sql: "UPDATE items SET sealedSecret = zeroblob(20) WHERE sequence = 2")
    }
    try keychain.createKey("deploy", app: app)
    try flipBit(of: "sealedKey", in: folder, table: "keys")
    try keychain.add("bank", app: app)
    let findings = try keychain.check()
    #expect((findings.items, findings.keys, findings.lost) == (2, 1, 1))
    #expect(findings.damaged.map(\.name) == ["news/bob", "deploy"])
    #expect(findings.damaged.map(\.isKey) == [false, true])
    #expect(findings.problems.isEmpty && findings.needsRepair)
    #expect(try keychain.repair().findings == findings)
    let after = try keychain.check()
    #expect(!after.needsRepair && after.damagedCount == 2)
    #expect(try keychain.repair().setAside == nil)
    #expect(try keychain.get(query("bank"), app: app) == "s3cret")
    try keychain.update(query("news"), secret: "mended", app: app)
    try keychain.removeKey("deploy", app: app)
    #expect(try keychain.check().isDamaged == false)
  }

  @Test("an item that is not found by its name any more is found by it after a repair")
  func misfiled() throws {
    let keychain = try TestKeychain(folder)
    try keychain.add("mail", label: "mine")
    try flipBit(of: "label", in: folder)
    try flipBit(of: "service", in: folder)
    #expect(try code { _ = try keychain.get(query("mail")) } == .errSecItemNotFound)
    let findings = try keychain.check()
    #expect(findings.problems == ["one item is not found by its name"])
    #expect(try keychain.repair().setAside != nil)
    #expect(try keychain.get(query("mail", label: "mine")) == "s3cret")
  }

  /// The filled keychain, whose header is zeros.
  private func withoutHeader() throws -> TestKeychain {
    var bytes = try Self.filled.get().bytes
    bytes.replaceSubrange(0..<100, with: Data(count: 100))
    try write(bytes, to: folder.database)
    return try TestKeychain(folder)
  }

  @Test("what is locked away is recovered without being looked into")
  func locked() throws {
    let keychain = try withoutHeader()
    keychain.enclave.isLocked = true
    let findings = try keychain.repair().findings
    #expect((findings.items, findings.keys, findings.unopened) == (40, 4, 44))
    keychain.enclave.isLocked = false
    #expect(try keychain.contents() == Self.filled.get().contents)
  }

  @Test("the rows of another enclave are neither judged nor lost")
  func anotherEnclave() throws {
    let keychain = try withoutHeader()
    keychain.enclave.erase()
    let findings = try keychain.repair().findings
    #expect((findings.items, findings.keys, findings.unopened) == (40, 4, 44))
  }

  @Test("what a restore leaves behind that was interrupted is no damage")
  func interruptedRestore() throws {
    try TestKeychain(folder).add("mail")
    try tamper(folder) { try $0.execute(sql: StagedRows.table) }
    #expect(try TestKeychain(folder).check().isDamaged == false)
  }

  @Test("a database of a later version or of another program is not repaired")
  func notOurs() throws {
    try TestKeychain(folder).add("mail")
    try tamper(folder) { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('later')") }
    let later = try contents(of: folder.database)
    #expect(try code { _ = try TestKeychain(folder).repair() } == .stateDamaged)
    #expect(try code { _ = try TestKeychain(folder).check() } == .stateDamaged)
    #expect(try contents(of: folder.database) == later)
    let other = try TestFolder()
    try tamper(other) { try $0.execute(sql: "CREATE TABLE cookies (a)") }
    #expect(try code { _ = try TestKeychain(other).repair() } == .stateDamaged)
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.path).count == 1)
  }

  @Test("K2: names of other applications' items are not told, and no other application may ask")
  func applications() throws {
    let keychain = try TestKeychain(folder)
    try keychain.add("mail", app: "/usr/bin/mail")
    try flipBit(of: "sealedSecret", in: folder)
    let findings = try keychain.check()
    #expect(findings.damaged.map(\.name) == [""])
    for app in ["/usr/bin/mail", "group:mail", "uid:0", ""] {
      #expect(try code { _ = try keychain.check(app: app) } == .errSecMissingEntitlement)
      #expect(try code { _ = try keychain.repair(app: app) } == .errSecMissingEntitlement)
    }
  }

  @Test("the power can go at every moment of a repair: it is done, or done by the next one")
  func lossOfPower() throws {
    var bytes = try Self.filled.get().bytes
    bytes.replaceSubrange(8192..<12_288, with: Data(count: 4096))
    try write(bytes, to: folder.database)
    let damaged = bytes
    let disk = try SimulatedDisk(under: folder.path)
    defer { disk.end() }
    let keychain = try TestKeychain(folder)
    _ = try keychain.repair()
    disk.answered()
    let recovered = try keychain.contents()
    var cut = DiskCut(of: disk, states: [recovered, recovered])
    cut.stride = Thoroughness.number(11, full: 1)
    cut.beforehand = { _ = try $0.repair() }
    cut.alsoWrong = { folder, _ in
      let aside = try folder.files.filter { $0.key.contains("damaged") }
      return aside == ["keychain.sqlite.damaged-1": damaged] ? nil : "\(aside)"
    }
    let result = try cut.run()
    Thoroughness.report("power loss in a repair: \(result.tried) tried")
    #expect(result.tried > 30)
    #expect(result.wrong.isEmpty, "\(result.wrong.count): \(result.wrong.prefix(5))")
  }

  @Test("a repair on a full disk leaves the damaged file in its place, and works with room")
  func fullDisk() throws {
    var bytes = try Self.filled.get().bytes
    bytes.replaceSubrange(8192..<12_288, with: Data(count: 4096))
    for room in stride(from: 0, to: 400, by: Thoroughness.number(9, full: 1)) {
      let folder = try TestFolder()
      try write(bytes, to: folder.database)
      let disk = try SimulatedDisk(under: folder.path)
      defer { disk.end() }
      let keychain = try TestKeychain(folder)
      disk.isFull(after: room)
      let code = try code { _ = try keychain.repair() }
      let wrote = disk.writes
      disk.isFull(after: nil)
      #expect(code == (wrote > room ? .storageFailed : nil), "room for \(room)")
      if code != nil {
        #expect(try contents(of: folder.database) == bytes, "room for \(room)")
        _ = try keychain.repair()
      }
      #expect(try keychain.check().needsRepair == false, "room for \(room)")
      if wrote <= room { return }
    }
    Issue.record("a repair writes more than that")
  }
}
