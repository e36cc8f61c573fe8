import Foundation
import GRDB
import Protocol

extension ItemStore {
  /// What is wrong with the file as a whole; empty where nothing is. Only reads: a connection that
  /// may write would write the log back when it is closed.
  /// - Throws: `stateDamaged` for a database of a later version or another program, which is not
  ///   damaged, and what keeps the file from being looked at.
  func problems() throws(Failure) -> [String] {
    release()
    try file.finishReplacing()
    guard file.size ?? 0 > 0 else { return [] }
    do throws(Failure) {
      let whole = try wholeTables()
      return try reading { database in
        try ItemSchema.check(database, of: file)
        let found = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)")
        guard found == ["ok"] else { return found }
        let isOlder = try !ItemSchema.migrator.hasCompletedMigrations(database)
        // A restore has a table of its own for a while.
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
      configuration.busyMode = .timeout(patience)
      let queue = try DatabaseQueue(path: file.path, configuration: configuration)
      defer { ClosedDatabases.close(queue) }
      return try queue.read(body)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
      // A change that was interrupted has to be taken back first, and that writes.
      return try read(body)
    } catch {
      throw StorageFailure.describe(error, in: file)
    }
  }

  private func wholeTables() throws(Failure) -> Set<String> {
    do {
      let queue = try DatabaseQueue()
      defer { ClosedDatabases.close(queue) }
      try ItemSchema.migrator.migrate(queue)
      return try queue.read(ItemSchema.texts)
    } catch {
      throw StorageFailure.describe(error, in: file)
    }
  }

  /// Whether it is a whole database with tables, of which none is a keychain's.
  private var isOfAnotherProgram: Bool {
    let names = try? reading { database in
      try Set(
        String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'"))
    }
    return names.map { !$0.isEmpty && $0.isDisjoint(with: ["items", "grdb_migrations"]) } ?? false
  }

  /// Whether every step of this version was taken, and others. A step whose name is damaged is not
  /// there.
  private var isOfLaterVersion: Bool {
    let names = try? reading { database -> Set<String> in
      guard try ItemSchema.listsSteps(database) else { return [] }
      return try Set(String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations"))
    }
    return names.map { $0.isStrictSuperset(of: ItemSchema.migrator.migrations) } ?? false
  }

  /// Puts what can be read of the file's pages into an empty database of this version.
  /// - Returns: how many items and keys are missing there, and whether there may have been more.
  func salvage(into queue: DatabaseQueue) throws(Failure) -> (lost: Int, mayBeMore: Bool) {
    release()
    let pages = try DatabasePages(file)
    do {
      try ItemSchema.migrator.migrate(queue)
      return try queue.write { database in
        let salvage = try Salvage(pages, into: database)
        let lost = try ["items", "keys"].map { try salvage.lost(from: $0, in: database) }
        return (lost.reduce(0, +), salvage.hasUnreadablePages)
      }
    } catch {
      throw StorageFailure.describe(error, in: file)
    }
  }

  /// A database in memory, for what is only looked at.
  func temporary() throws(Failure) -> DatabaseQueue {
    do {
      return try DatabaseQueue()
    } catch {
      throw StorageFailure.describe(error, in: file)
    }
  }

  /// An empty database beside the file, for what takes its place.
  func makeNext() throws(Failure) -> DatabaseQueue {
    file.discardNext()
    return try Self.makeEmpty(file.next)
  }

  private static func makeEmpty(_ file: DatabaseFile) throws(Failure) -> DatabaseQueue {
    try file.createIfMissing()
    do {
      var configuration = Configuration()
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = EXTRA") }
      return try DatabaseQueue(path: file.path, configuration: configuration)
    } catch {
      throw StorageFailure.describe(error, in: file)
    }
  }

  /// Makes a database of the rows of one that somebody else wrote, all of them or nothing.
  func copyRows(of source: DatabaseFile, to target: DatabaseFile) throws(Failure) {
    target.discard()
    var rows = try ForeignDatabase(source)
    let queue = try Self.makeEmpty(target)
    do {
      try ItemSchema.migrator.migrate(queue)
      try queue.write {
        try $0.execute(sql: "PRAGMA max_page_count = \(mostPages)")
        try rows.copy(into: $0)
      }
      try queue.close()
    } catch {
      let failure = StorageFailure.describe(error, in: target, room: room)
      try? queue.close()
      target.discard()
      throw failure
    }
  }

  /// Removes what nothing opens from the database that is to take the file's place, has the rest
  /// found by its names, and closes it.
  func finish(_ queue: DatabaseQueue, after inspection: Inspection) throws(Failure) {
    do {
      try queue.write { database in
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
    } catch {
      throw StorageFailure.describe(error, in: file)
    }
  }

  /// By which enclave a database says its rows were sealed; nil where it does not say.
  func enclave(of queue: DatabaseQueue) throws(Failure) -> [UInt8]? {
    do {
      return try queue.read { database in
        try Row.fetchOne(database, sql: "SELECT identity FROM enclave")?.bytes(at: 0)
      }
    } catch {
      throw StorageFailure.describe(error, in: file)
    }
  }
}
