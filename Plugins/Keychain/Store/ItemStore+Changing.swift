import Foundation
import GRDB
import Protocol

extension ItemStore {
  /// - Throws: `errSecDuplicateItem`.
  func insert(_ row: NewRow) throws(Failure) {
    try keychain.write { database in
      try keychain.requireRoom(in: database)
      try Self.refusingDuplicates { try Self.insert(row, in: database) }
    }
  }

  /// Adds rows in one transaction, except those whose names are taken.
  /// - Returns: for each, whether it was added.
  func insert(_ rows: [NewRow]) throws(Failure) -> [Bool] {
    guard !rows.isEmpty else { return [] }
    return try keychain.write { database in
      try keychain.requireRoom(in: database)
      return try rows.map { row in
        do {
          try Self.insert(row, in: database)
          return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
          // The statement alone is undone (sqlite.org/lang_conflict.html, ABORT).
          return false
        }
      }
    }
  }

  private static func insert(_ row: NewRow, in database: Database) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO items (identifier, revision, accessGroup, class, accessibility, accessControl,
          service, account, label, sealedAttributes, sealedSecret, rest)
        VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    let (attributes, name) = (row.attributes, row.sealed.name)
    try statement.execute(arguments: [
      Data(row.identifier), Data(name.group), Int64(attributes.itemClass.rawValue),
      Int64(attributes.accessibility.rawValue), attributes.accessControl.map { Data($0.stored) },
      Data(name.service), Data(name.account), Data(name.label), Data(row.sealed.attributes),
      Data(row.sealed.sealedSecret), Data(name.rest),
    ])
  }

  /// Another process has changed or removed a row.
  private struct Outdated: Error {}

  /// Changes all rows, or none if `body` meets an ``Outdated`` one.
  private static func allOrNone(_ database: Database, _ body: () throws -> Void) throws -> Bool {
    do {
      try database.inSavepoint {
        try body()
        return .commit
      }
      return true
    } catch is Outdated {
      return false
    }
  }

  /// Replaces all rows, or none if another process has changed or removed one: false.
  /// - Throws: `errSecDuplicateItem`.
  func update(_ rows: [ChangedRow]) throws(Failure) -> Bool {
    try keychain.write { database in
      try Self.allOrNone(database) {
        for row in rows {
          try Self.refusingDuplicates { try Self.update(row, in: database) }
          guard database.changesCount == 1 else { throw Outdated() }
        }
      }
    }
  }

  /// Leaves out the columns of names that stay: SQLite would write their index again.
  private static func update(_ row: ChangedRow, in database: Database) throws {
    let names: [(any DatabaseValueConvertible)?] =
      row.name.map {
        [Data($0.group), Data($0.service), Data($0.account), Data($0.label), Data($0.rest)]
      } ?? []
    var guarding: [(any DatabaseValueConvertible)?] = []
    if let protection = row.protection {
      guarding = [
        Int64(protection.accessibility.rawValue),
        protection.accessControl.map { Data($0.stored) },
      ]
    }
    let statement = try database.cachedStatement(
      sql: """
        UPDATE items SET revision = revision + 1, sealedAttributes = ?,
          sealedSecret = coalesce(?, sealedSecret)
          \(names.isEmpty ? "" : ", accessGroup = ?, service = ?, account = ?, label = ?, rest = ?")
          \(guarding.isEmpty ? "" : ", accessibility = ?, accessControl = ?")
          \(row.shares == nil ? "" : ", sharedWith = ?")
        WHERE sequence = ? AND identifier = ? AND revision = ?
        """)
    let contents: [(any DatabaseValueConvertible)?] = [
      Data(row.sealedAttributes), row.sealedSecret.map { Data($0) },
    ]
    let which: [(any DatabaseValueConvertible)?] = [
      row.previous.sequence, Data(row.previous.identifier), row.previous.revision,
    ]
    let shares: [(any DatabaseValueConvertible)?] =
      row.shares.map { [$0.isEmpty ? nil : Data($0)] } ?? []
    try statement.execute(
      arguments: StatementArguments(contents + names + guarding + shares + which))
  }

  /// Removes all rows, or none if another process has changed or removed one: false.
  func remove(_ rows: [ItemRow]) throws(Failure) -> Bool {
    try keychain.writeRemoving { database in
      try Self.allOrNone(database) {
        for row in rows {
          let statement = try database.cachedStatement(
            sql: "DELETE FROM items WHERE sequence = ? AND identifier IS ? AND revision IS ?")
          try statement.execute(
            arguments: [row.sequence, row.stored.identifier, row.stored.revision])
          guard database.changesCount == 1 else { throw Outdated() }
        }
      }
    }
  }

  /// Removes the items and keys that went with the passcode.
  func removePasscodeBound() throws(Failure) -> Int {
    try keychain.writeRemoving { database in
      var count = 0
      for table in ["items", "keys"] {
        try database.execute(
          sql: "DELETE FROM \(table) WHERE accessibility = ? OR accessControl IS NOT NULL",
          arguments: [Int64(Accessibility.whenPasscodeSetThisDeviceOnly.rawValue)])
        count += database.changesCount
      }
      return count
    }
  }

  /// The index of names refuses a second row.
  private static func refusingDuplicates(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw Failure(
        .errSecDuplicateItem, "an item of this name is already in the keychain",
        hint: """
          its primary key (of a generic item service and account) must be its own: change it with \
          authcore item update, or choose another account
          """)
    }
  }

  /// Removes a group with its items and keys, and changes rows of others, all or nothing.
  /// - Returns: how many rows were removed, or nil if another process has changed one.
  func forget(_ group: [UInt8], changing rows: [ChangedRow]) throws(Failure) -> Int? {
    try keychain.writeRemoving { database -> Int? in
      var count = 0
      let isDone = try Self.allOrNone(database) {
        for row in rows {
          try Self.update(row, in: database)
          guard database.changesCount == 1 else { throw Outdated() }
        }
        for (table, column) in [("items", "accessGroup"), ("keys", "application")] {
          try database.execute(
            sql: "DELETE FROM \(table) WHERE \(column) = ?", arguments: [Data(group)])
          count += database.changesCount
        }
      }
      return isDone ? count : nil
    }
  }
}
