import Foundation
import GRDB
import Glibc
import Protocol
import Testing

@Suite("The keychain's file")
struct DatabaseFileTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Every kind of request fails in this way, and the file is what it was.
  private func expectRefused(
    _ expected: FailureCode, saying text: String, by keychain: TestKeychain
  ) throws {
    let before = try? contents(of: folder.database)
    let requests: [() throws -> Void] = [
      { try keychain.add("mail") }, { _ = try keychain.find() },
      { _ = try keychain.get(query("mail")) }, { try keychain.update(query("mail"), secret: "x") },
      { try keychain.remove(query("mail")) }, { _ = try keychain.removePasscodeBound() },
    ]
    for request in requests {
      let failure = try #require(try failure(of: request))
      #expect(failure.code == expected, "\(failure)")
      #expect(failure.message.contains(folder.database), "\(failure)")
      #expect(failure.message.contains(text), "\(failure)")
      #expect(failure.hint != nil)
    }
    let after = try? contents(of: folder.database)
    #expect(after == before)
  }

  /// Adds items and ends the engine, which writes its log back into the file.
  private func addThirty() throws {
    let keychain = try TestKeychain(folder)
    for index in 0..<30 { try keychain.add("mail", "\(index)") }
  }

  @Test("nobody else may read the file or its log")
  func permissions() throws {
    let keychain = try TestKeychain(folder)
    try keychain.add("mail")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(
      names.sorted()
        == [".removals", "keychain.sqlite", "keychain.sqlite-shm", "keychain.sqlite-wal"])
    for name in names {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
  }

  @Test("a database of a later version is refused and left as it is")
  func laterVersion() throws {
    try TestKeychain(folder).add("mail")
    try tamper(folder) { database in
      try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('something-later')")
    }
    try expectRefused(.stateDamaged, saying: "later version", by: TestKeychain(folder))
  }

  @Test(
    "a file that may not be written fails what would change it, and works when it may be",
    .enabled(if: geteuid() != 0, "root may write everything"), arguments: [false, true])
  func readOnly(isFolderToo: Bool) throws {
    try TestKeychain(folder).add("mail")
    let before = try contents(of: folder.database)
    try setModes(0o400, folder: isFolderToo ? 0o500 : 0o700)
    defer { try? setModes(0o600, folder: 0o700) }
    let keychain = try TestKeychain(folder)
    let changes: [() throws -> Void] = [
      { try keychain.add("news") }, { try keychain.update(query("mail"), secret: "x") },
      { try keychain.remove(query("mail")) },
    ]
    for change in changes {
      let failure = try #require(try failure(of: change))
      #expect(failure.code == .storageFailed, "\(failure)")
      #expect(failure.hint?.contains("permissions") == true, "\(failure)")
    }
    #expect(try contents(of: folder.database) == before)
    try setModes(0o600, folder: 0o700)
    try keychain.add("news")
    #expect(try keychain.find().map(\.service) == ["mail", "news"])
  }

  /// Sets the modes of all files of the folder, and its own.
  private func setModes(_ mode: Int, folder own: Int) throws {
    func set(_ mode: Int, _ path: String) throws {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    try set(0o700, folder.path)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try set(mode, folder.path + "/" + name)
    }
    try set(own, folder.path)
  }

  @Test("another program's database is refused and left as it is")
  func foreignDatabase() throws {
    try tamper(folder) { try $0.execute(sql: "CREATE TABLE cookies (a)") }
    try expectRefused(.stateDamaged, saying: "something else", by: TestKeychain(folder))
  }

  @Test("a file that is no database is refused and left as it is", arguments: [20, 600, 9000])
  func noDatabase(count: Int) throws {
    try write(Data(repeating: 0x61, count: count), to: folder.database)
    try expectRefused(.stateDamaged, saying: "no database", by: TestKeychain(folder))
  }

  @Test("a database that has lost its end is refused and left as it is", arguments: [1, 2, 5])
  func truncated(pagesLeft: Int) throws {
    try addThirty()
    let whole = try contents(of: folder.database)
    try #require(whole.count > 6 * 4096)
    try write(whole.prefix(pagesLeft * 4096), to: folder.database)
    try expectRefused(.stateDamaged, saying: "cut short", by: TestKeychain(folder))
    try write(whole.prefix(pagesLeft * 4096 + 100), to: folder.database)
    try expectRefused(.stateDamaged, saying: "cut short", by: TestKeychain(folder))
  }

  @Test("an empty file, as a crash before the first commit leaves it, is a new keychain")
  func emptyFile() throws {
    try write(Data(), to: folder.database)
    let keychain = try TestKeychain(folder)
    try keychain.add("mail")
    #expect(try keychain.find().count == 1)
  }

  @Test("once a damaged file is moved away, or the right one is put back, the same engine works")
  func mended() throws {
    try TestKeychain(folder).add("mail")
    let good = try contents(of: folder.database)
    try FileManager.default.removeItem(atPath: folder.database)
    try write(Data("no database at all".utf8), to: folder.database)
    let keychain = try TestKeychain(folder)
    #expect(try code { _ = try keychain.find() } == .stateDamaged)
    try FileManager.default.removeItem(atPath: folder.database)
    try keychain.add("news")
    #expect(try keychain.find().map(\.service) == ["news"])
    let restored = folder.path + "/restored"
    try write(good, to: restored)
    try FileManager.default.removeItem(atPath: folder.database)
    try FileManager.default.moveItem(atPath: restored, toPath: folder.database)
    #expect(try keychain.find().map(\.service) == ["mail"])
  }

  @Test("a folder that has vanished is a storage failure")
  func vanishedFolder() throws {
    let keychain = try TestKeychain(folder)
    try FileManager.default.removeItem(atPath: folder.path)
    try expectRefused(.storageFailed, saying: "No such file", by: keychain)
  }

  /// Pieces of the sealed secrets, from all over them.
  private func sealedPieces() throws -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    try tamper(folder) { database in
      for sealed in try Data.fetchAll(database, sql: "SELECT sealedSecret FROM items") {
        for start in stride(from: 0, to: sealed.count - 24, by: 500) {
          pieces.append(Array(sealed[start..<start + 24]))
        }
      }
    }
    return pieces
  }

  @Test("a removed item leaves no sealed bytes behind")
  func removed() throws {
    let keychain = try TestKeychain(folder)
    try keychain.add("mail", secret: String(repeating: "m", count: 9000))
    try keychain.add("news", secret: String(repeating: "n", count: 40))
    let pieces = try sealedPieces()
    let before = try folder.everything
    let missing = pieces.filter { !contains(before, $0) }.count
    #expect(pieces.count > 15 && missing == 0)
    try keychain.remove(query("mail"))
    try keychain.remove(query("news"))
    let after = try folder.everything
    let left = pieces.filter { contains(after, $0) }.count
    #expect(left == 0)
  }

  @Test("a replaced secret leaves no sealed bytes behind once the engine has ended")
  func replaced() throws {
    var keychain: TestKeychain? = try TestKeychain(folder)
    try keychain?.add("mail", secret: String(repeating: "m", count: 9000))
    let pieces = try sealedPieces()
    try keychain?.update(query("mail"), secret: "new")
    keychain = nil
    let after = try folder.everything
    let left = pieces.filter { contains(after, $0) }.count
    #expect(pieces.count > 15 && left == 0)
  }

  @Test("a search reads the rows of its service, else those of its group")
  func queryPlans() throws {
    let keychain = try TestKeychain(folder)
    try keychain.add("mail")
    try tamper(folder) { database in
      for (condition, index) in [
        ("service = x'' AND account = x'' AND +accessGroup = x''", "itemsByName"),
        ("service = x'' AND label = x'' AND +accessGroup = x''", "itemsByName"),
        ("account = x'' AND accessGroup = x'' AND class = 1", "itemsByGroup"),
        ("accessGroup = x''", "itemsByGroup"),
      ] {
        let plan = try Row.fetchAll(
          database,
          sql: "EXPLAIN QUERY PLAN SELECT * FROM items WHERE \(condition) ORDER BY sequence"
        ).map { $0["detail"] as String }
        #expect(plan[0].contains("SEARCH items USING INDEX \(index) "), "\(plan)")
      }
    }
  }
}
