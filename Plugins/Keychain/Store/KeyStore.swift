import Foundation
import GRDB
import Protocol

/// A row of the table of keys. Anything may be in it, because others may have written the file.
struct KeyRow {
  let sequence: Int64
  let identifier: [UInt8]
  /// The identifier as it is stored, even if damaged, for removing the row.
  fileprivate let storedIdentifier: DatabaseValue
  /// Authenticated with the key and its attributes; nil if the columns cannot be a key's.
  let protection: ItemProtection?
  let sealedAttributes: [UInt8]
  let sealedKey: [UInt8]

  static let columns = """
    sequence, identifier, application, name, accessibility, accessControl, sealedAttributes, \
    sealedKey
    """

  /// More bytes than an enclave ever gave.
  static let longestSealedKey = 4096

  init(_ row: Row) {
    sequence = row.integer(at: 0) ?? 0
    identifier = row.bytes(at: 1) ?? []
    storedIdentifier = row[1]
    sealedAttributes = row.bytes(at: 6) ?? []
    sealedKey = row.bytes(at: 7) ?? []
    guard identifier.count == ItemRow.identifierCount,
      let group = row.bytes(at: 2), let name = row.bytes(at: 3),
      let clear = row.protection(from: 4),
      sealedAttributes.count <= largestAttributes + 64, sealedKey.count <= Self.longestSealedKey
    else {
      protection = nil
      return
    }
    protection = ItemProtection(
      accessibility: clear.accessibility, accessControl: clear.accessControl,
      identity: Self.identity(identifier, HashedKeyName(group: group, name: name)))
  }

  /// The name that finds a key.
  enum Name {
    case text(String)
    /// Its identifier takes the place of the name, so that it is unique.
    case unnamed(identifier: [UInt8])
  }

  /// The identity that the enclave authenticates: the identifier, a mark for keys, group and name.
  /// So neither another group's name nor another key's opens it.
  static func identity(_ identifier: [UInt8], _ name: HashedKeyName) -> [UInt8] {
    identifier + [mark] + name.group + name.name
  }

  /// In the place of an item's class; no item has this class.
  private static let mark: UInt8 = 0x80 | ItemClass.key.rawValue

  /// Whether the columns agree with the sealed attributes.
  func agrees(with key: EnclaveKey) -> Bool {
    key.identifier == ItemRow.text(of: identifier)
      && key.accessibility == protection?.accessibility
      && key.accessControl == protection?.accessControl
  }
}

/// The enclave's hashes by which a key is found. They are of no use without the enclave.
struct HashedKeyName {
  let group: [UInt8]
  /// Of the name together with the group.
  let name: [UInt8]
}

/// The table of keys.
struct KeyStore {
  let keychain: KeychainDatabase

  /// The keys of a group, of this name and identifier if given, oldest first.
  func keys(
    of group: [UInt8], named name: [UInt8]?, identifier: [UInt8]?
  ) throws(Failure) -> [KeyRow] {
    var terms = [name == nil ? "application = ?" : "+application = ?"]
    if name != nil { terms.append("name = ?") }
    if identifier != nil { terms.append("identifier = ?") }
    let arguments = StatementArguments(
      [group, name, identifier].compactMap(\.self).map { Data($0) })
    return try keychain.read { database in
      try database.rows(
        """
        SELECT \(KeyRow.columns) FROM keys WHERE \(terms.joined(separator: " AND "))
        ORDER BY sequence
        """, arguments, KeyRow.init)
    }
  }

  /// The keys of all groups, oldest first.
  func everyKey() throws(Failure) -> [KeyRow] {
    try keychain.read {
      try $0.rows("SELECT \(KeyRow.columns) FROM keys ORDER BY sequence") { KeyRow($0) }
    }
  }

  /// - Throws: `errSecDuplicateItem`.
  func insert(
    _ generated: GeneratedKey, _ key: EnclaveKey, identifier: [UInt8], named name: HashedKeyName,
    sealedAttributes: [UInt8]
  ) throws(Failure) {
    try keychain.write { database in
      try keychain.requireRoom(in: database)
      let statement = try database.cachedStatement(
        sql: """
          INSERT INTO keys (identifier, application, name, accessibility, accessControl,
            sealedAttributes, sealedKey)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          """)
      do {
        try statement.execute(arguments: [
          Data(identifier), Data(name.group), Data(name.name),
          Int64(key.accessibility.rawValue), key.accessControl.map { Data($0.stored) },
          Data(sealedAttributes), Data(generated.sealed),
        ])
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        throw Failure(
          .errSecDuplicateItem, "a key of this name is already in the keychain",
          hint: "choose another name, or remove it: authcore key remove")
      }
    }
  }

  /// - Returns: false if another process has removed it.
  func remove(_ row: KeyRow) throws(Failure) -> Bool {
    try keychain.writeRemoving { database in
      try database.execute(
        sql: "DELETE FROM keys WHERE sequence = ? AND identifier IS ?",
        arguments: [row.sequence, row.storedIdentifier])
      return database.changesCount == 1
    }
  }
}
