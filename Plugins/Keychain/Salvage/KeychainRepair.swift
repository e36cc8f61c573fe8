import Foundation
import GRDB
import Protocol

/// Checks the keychain's file, and repairs it.
struct KeychainRepair {
  let keychain: KeychainDatabase
  let enclave: EnclaveLink

  private var file: DatabaseFile { keychain.file }

  /// ``CheckKeychain``: checks the file's structure, then every row with the enclave. If SQLite
  /// cannot read the file, reports what a repair would find.
  func check(_ request: CheckKeychain, for requester: Requester) throws(Failure) -> SecretBytes {
    try requester.requireOwnersCommand(for: .keychainFile)
    return KeychainChecked(findings: try examine(for: requester.application)).encoded()
  }

  /// ``RepairKeychain``: replaces the file only when the new one is complete and on the disk.
  func repair(_ request: RepairKeychain, for requester: Requester) throws(Failure) -> SecretBytes {
    try requester.requireOwnersCommand(for: .keychainFile)
    let findings = try examine(for: requester.application)
    if findings.isGone { return try beginAnew(findings, request, for: requester) }
    guard findings.needsRepair else {
      return KeychainRepaired(findings: findings, setAside: nil).encoded()
    }
    let queue = try makeNext()
    do throws(Failure) {
      let inspection = try salvaged(
        into: queue, findings.problems, for: requester.application)
      // An empty keychain is begun on the owner's word alone.
      let found = inspection.findings
      guard request.beginsAnew || found.items > 0 || found.keys > 0 else {
        throw StorageFailure.unreadable(file)
      }
      let identity = try enclave.identity(seenBy: requester.application).enclave
      try finish(queue, after: inspection, of: identity)
      let path = try file.keepAside()
      try file.replaceByNext()
      return KeychainRepaired(findings: found, setAside: path).encoded()
    } catch {
      try? queue.close()
      file.discardNext()
      throw error
    }
  }

  /// Begins an empty keychain in place of one that is gone. What lies there is set aside.
  private func beginAnew(
    _ findings: KeychainFindings, _ request: RepairKeychain, for requester: Requester
  ) throws(Failure) -> SecretBytes {
    let identity = try enclave.identity(seenBy: requester.application).enclave
    guard request.beginsAnew else {
      throw try keychain.loss(to: identity) ?? StorageFailure.gone(file, "was missing")
    }
    let path = try keychain.beginAnew(for: identity)
    return KeychainRepaired(findings: findings, setAside: path).encoded()
  }

  func copyDatabase(_ request: CopyDatabase) throws(Failure) -> SecretBytes {
    try copyRows(of: file.beside(CopyDatabase.source), to: file.beside(CopyDatabase.target))
    return Done().encoded()
  }

  private func examine(for application: String) throws(Failure) -> KeychainFindings {
    let problems = try problems()
    guard problems.isEmpty else {
      return try salvaged(into: temporary(), problems, for: application).findings
    }
    let hashes = try enclave.identity(seenBy: application)
    if let loss = try keychain.loss(to: hashes.enclave) {
      return KeychainFindings(problems: [loss.message], isGone: true)
    }
    var inspection = Inspection(enclave: enclave, for: application, own: hashes.application)
    try inspection.look(at: keychain.queue(), in: file)
    return inspection.findings
  }

  /// Reads the file page by page into an empty database, and checks the rows with the enclave.
  private func salvaged(
    into queue: DatabaseQueue, _ problems: [String], for application: String
  ) throws(Failure) -> Inspection {
    let hashes = try enclave.identity(seenBy: application)
    let (lost, mayBeMore) = try salvage(into: queue)
    var inspection = Inspection(enclave: enclave, for: application, own: hashes.application)
    let sealedBy = try enclave(of: queue)
    if sealedBy == nil || sealedBy == hashes.enclave {
      try inspection.look(at: queue, in: file)
    } else {
      try inspection.count(in: queue, of: file)
    }
    inspection.note(lost: lost, mayHaveLostMore: mayBeMore, problems: problems)
    return inspection
  }

  // MARK: The file

  /// What is wrong with the file as a whole. Only reads: a connection that may write would write
  /// the log back when it is closed.
  /// - Throws: `stateDamaged` for an undamaged database of a later version or another program.
  private func problems() throws(Failure) -> [String] {
    keychain.release()
    try file.finishReplacing()
    guard file.size ?? 0 > 0 else { return [] }
    do throws(Failure) {
      let whole = try wholeTables()
      return try reading { database in
        try ItemSchema.check(database, of: file)
        let found = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)")
        guard found == ["ok"] else { return found }
        let isOlder = try !ItemSchema.migrator.hasCompletedMigrations(database)
        // A restore adds a table for a while.
        return try isOlder || whole.isSubset(of: ItemSchema.texts(in: database))
          ? [] : ["its tables are not those of a keychain"]
      }
    } catch  where error.code == .stateDamaged {
      if isOfLaterVersion || isOfAnotherProgram { throw error }
      return [error.message]
    }
  }

  private func reading<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
    do {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(keychain.busyTimeout)
      let queue = try DatabaseQueue(path: file.path, configuration: configuration)
      defer { ClosedDatabases.close(queue) }
      return try queue.read(body)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
      // An interrupted change has to be taken back first, which writes.
      return try keychain.read(body)
    } catch {
      throw StorageFailure.describe(error, in: file)
    }
  }

  private func wholeTables() throws(Failure) -> Set<String> {
    return try file.using {
      let queue = try DatabaseQueue()
      defer { ClosedDatabases.close(queue) }
      try ItemSchema.migrator.migrate(queue)
      return try queue.read(ItemSchema.texts)
    }
  }

  /// Whether it is a whole database whose tables are not a keychain's.
  private var isOfAnotherProgram: Bool {
    let names = try? reading { database in
      try Set(
        String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'"))
    }
    return names.map { !$0.isEmpty && $0.isDisjoint(with: ["items", "grdb_migrations"]) } ?? false
  }

  /// Whether it has every migration of this version, and more.
  private var isOfLaterVersion: Bool {
    let names = try? reading { database -> Set<String> in
      guard try ItemSchema.listsSteps(database) else { return [] }
      return try Set(String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations"))
    }
    return names.map { $0.isStrictSuperset(of: ItemSchema.migrator.migrations) } ?? false
  }

  /// Puts everything that can be read of the file's pages into an empty database of this version.
  /// - Returns: how many items and keys are missing, and whether there may be more.
  private func salvage(into queue: DatabaseQueue) throws(Failure) -> (lost: Int, mayBeMore: Bool) {
    keychain.release()
    let pages = try DatabasePages(file)
    return try file.using {
      try ItemSchema.migrator.migrate(queue)
      return try queue.write { database in
        let salvage = try Salvage(pages, into: database)
        let lost = try ["items", "keys"].map { try salvage.lost(from: $0, in: database) }
        return (lost.reduce(0, +), salvage.hasUnreadablePages)
      }
    }
  }

  /// A database in memory.
  private func temporary() throws(Failure) -> DatabaseQueue {
    return try file.using { try DatabaseQueue() }
  }

  /// An empty database beside the file, to replace it.
  private func makeNext() throws(Failure) -> DatabaseQueue {
    file.discardNext()
    return try Self.makeEmpty(file.next)
  }

  private static func makeEmpty(_ file: DatabaseFile) throws(Failure) -> DatabaseQueue {
    try file.createIfMissing()
    return try file.using {
      var configuration = Configuration()
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = EXTRA") }
      return try DatabaseQueue(path: file.path, configuration: configuration)
    }
  }

  /// Copies the rows of an untrusted database into a new one, all or nothing.
  private func copyRows(of source: DatabaseFile, to target: DatabaseFile) throws(Failure) {
    target.discard()
    var rows = try ForeignDatabase(source)
    let queue = try Self.makeEmpty(target)
    do {
      try ItemSchema.migrator.migrate(queue)
      try queue.write {
        try $0.execute(sql: "PRAGMA max_page_count = \(keychain.mostPages)")
        try rows.copy(into: $0)
      }
      try queue.close()
    } catch {
      let failure = StorageFailure.describe(error, in: target, room: keychain.room)
      try? queue.close()
      target.discard()
      throw failure
    }
  }

  /// Completes the new database: removes rows that nothing opens, corrects hashes, and closes it.
  /// An enclave that nothing names is the present one, which has checked the rows.
  private func finish(
    _ queue: DatabaseQueue, after inspection: Inspection, of enclave: [UInt8]
  ) throws(Failure) {
    try file.using {
      try queue.write { database in
        try ItemSchema.adopt(enclave, in: database)
        for (sequence, name) in inspection.misfiled {
          try database.execute(
            sql: """
              UPDATE OR IGNORE items SET service = ?, account = ?, label = ?, rest = ?
              WHERE sequence = ?
              """,
            arguments: [
              Data(name.service), Data(name.account), Data(name.label), Data(name.rest), sequence,
            ])
        }
        for (table, sequences) in inspection.unreadable {
          for sequence in sequences {
            try database.execute(
              sql: "DELETE FROM \(table) WHERE sequence = ?", arguments: [sequence])
          }
        }
      }
      try queue.close()
    }
  }

  /// The enclave that sealed the rows of a database, if it says so.
  private func enclave(of queue: DatabaseQueue) throws(Failure) -> [UInt8]? {
    return try file.using {
      return try queue.read { database in
        try Row.fetchOne(database, sql: "SELECT identity FROM enclave")?.bytes(at: 0)
      }
    }
  }
}
