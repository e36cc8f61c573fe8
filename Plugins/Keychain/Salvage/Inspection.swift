import Foundation
import GRDB
import Protocol

/// Checks every row of a database with the enclave.
struct Inspection {
  private let enclave: EnclaveLink
  /// The application whose names may be told, and its hash.
  private let application: String
  private let own: [UInt8]
  private(set) var findings = KeychainFindings()
  /// The rows that nothing opens any more, by table.
  private(set) var unreadable: [String: [Int64]] = [:]

  /// Items with wrong hashes, and the right ones.
  private(set) var misfiled: [(sequence: Int64, name: HashedName)] = []

  /// Rows checked at once.
  private static let batch = 256

  /// - Parameters:
  ///   - enclave: asked apart from its database.
  ///   - application: the one that asks.
  ///   - own: its hash.
  init(enclave: EnclaveLink, for application: String, own: [UInt8]) {
    self.enclave = enclave.apartFromDatabase
    (self.application, self.own) = (application, own)
  }

  mutating func look(at queue: DatabaseQueue, in file: DatabaseFile) throws(Failure) {
    var last = Int64.min
    while true {
      let rows = try Self.rows(in: queue, of: file) { try SealedItemRow.fetch(after: last, in: $0) }
      guard let end = rows.last?.named.row.sequence else { break }
      try look(at: rows)
      last = end
    }
    if !misfiled.isEmpty {
      findings.problems.append(
        misfiled.count == 1
          ? "one item is not found by its name"
          : "\(misfiled.count) items are not found by their names")
    }
    let keys = try Self.rows(in: queue, of: file) {
      try Row.fetchAll($0, sql: "SELECT \(KeyRow.columns) FROM keys ORDER BY sequence")
        .map { (KeyRow($0), $0.bytes(at: 2) ?? []) }
    }
    try look(at: keys)
  }

  /// Counts items and keys that another enclave sealed. This one cannot tell if they are whole.
  mutating func count(in queue: DatabaseQueue, of file: DatabaseFile) throws(Failure) {
    let counts = try Self.rows(in: queue, of: file) { database in
      try ["items", "keys"].map {
        try UInt32(clamping: Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? 0)
      }
    }
    findings.items += counts[0]
    findings.keys += counts[1]
    findings.unopened += counts[0] + counts[1]
  }

  /// Adds findings from outside.
  mutating func note(lost: Int, mayHaveLostMore: Bool, problems: [String]) {
    findings.lost += UInt32(clamping: lost)
    findings.mayHaveLostMore = findings.mayHaveLostMore || mayHaveLostMore
    let others = problems.filter { !findings.problems.contains($0) }
    findings.problems += others.prefix(KeychainFindings.mostProblems - findings.problems.count)
  }

  private static func rows<Value>(
    in queue: DatabaseQueue, of file: DatabaseFile, _ body: (Database) throws -> Value
  ) throws(Failure) -> Value {
    return try file.using { try queue.writeWithoutTransaction(body) }
  }

  private struct SealedItemRow {
    let named: NamedRow
    let sealed: [UInt8]
    let names: [[UInt8]]

    static func fetch(after sequence: Int64, in database: Database) throws -> [SealedItemRow] {
      try Row.fetchAll(
        database,
        sql: """
          SELECT \(ItemRow.columns), accessGroup, sealedSecret, service, account, label, rest
          FROM items WHERE sequence > ?
          ORDER BY sequence LIMIT \(Inspection.batch)
          """, arguments: [sequence]
      ).map {
        let row = $0
        return SealedItemRow(
          named: NamedRow(row), sealed: row.bytes(at: 8) ?? [],
          names: (9...12).map { row.bytes(at: $0) ?? [] })
      }
    }
  }

  private mutating func look(at rows: [SealedItemRow]) throws(Failure) {
    let opened = try enclave.openAttributes(of: rows.map(\.named))
    var readable: [(SealedItemRow, ItemAttributes)] = []
    for (sealed, result) in zip(rows, opened) {
      switch (result, sealed.named.protection) {
      case (.closed, _), (.newer, _):
        findings.items += 1
        findings.unopened += 1
      case (.value(let attributes), let protection?) where sealed.named.row.agrees(with: attributes):
        findings.items += 1
        let name = sealed.named.group == own ? attributes.nameForPeople : ""
        readable.append((sealed, attributes))
        if try EnclaveLink.fails(
          with: [.errSecDecode],
          { () throws(Failure) in
            guard attributes.itemClass == .certificate else {
              _ = try enclave.authorize(sealed.sealed, as: protection)
              return
            }
            guard case .value = try enclave.openCertificate(sealed.sealed, as: protection) else {
              throw KeychainEngine.damaged
            }
          })
        {
          findings.note(
            DamagedEntry(identifier: attributes.identifier, name: name, isKey: false))
        }
      case (.value, _), (.damaged, _): lose(sealed.named.row.sequence, of: "items")
      }
    }
    try compareNames(of: readable)
  }

  /// Checks the hashes of rows. Those of other applications' own groups cannot be checked: their
  /// hashes tell nothing.
  private mutating func compareNames(
    of rows: [(SealedItemRow, ItemAttributes)]
  ) throws(Failure) {
    // By its bytes: texts that Unicode takes for equal are two groups.
    let groups = Dictionary(grouping: rows) { row, attributes in
      Array((attributes.group.isEmpty ? application : attributes.group).utf8)
    }
    for (group, rows) in groups {
      let hashes = try enclave.hashes(
        of: rows.map(\.1), in: String(decoding: group, as: UTF8.self))
      for ((sealed, _), name) in zip(rows, hashes)
      where name.group == sealed.named.group
        && [name.service, name.account, name.label, name.rest] != sealed.names
      {
        misfiled.append((sealed.named.row.sequence, name))
      }
    }
  }

  private mutating func look(at rows: [(row: KeyRow, application: [UInt8])]) throws(Failure) {
    let opened = try enclave.openAttributes(of: rows.map(\.row))
    for ((row, application), result) in zip(rows, opened) {
      switch (result, row.protection) {
      case (.closed, _), (.newer, _):
        findings.keys += 1
        findings.unopened += 1
      case (.value(let key), let protection?) where row.agrees(with: key):
        findings.keys += 1
        // The secret that a key shares with itself is of no use to anyone, and is wiped.
        let itself = UseKey(query: KeyQuery(), operation: .exchange, input: key.publicKey)
        if try EnclaveLink.fails(
          with: [.errSecDecode],
          { () throws(Failure) in
            _ = try enclave.use(row.sealedKey, as: protection, for: itself)
          })
        {
          findings.note(
            DamagedEntry(
              identifier: key.identifier, name: application == own ? key.name : "", isKey: true))
        }
      case (.value, _), (.damaged, _): lose(row.sequence, of: "keys")
      }
    }
  }

  private mutating func lose(_ sequence: Int64, of table: String) {
    findings.lost += 1
    unreadable[table, default: []].append(sequence)
  }
}
