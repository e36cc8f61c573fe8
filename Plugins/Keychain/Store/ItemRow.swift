import Foundation
import GRDB
import Protocol

/// A row without its secret, as it was read; whoever can write the file may have put anything into
/// it.
struct ItemRow {
  /// Bytes of an item's identifier.
  static let identifierCount = 16

  /// Grows with every row: the order of adding.
  let sequence: Int64
  let identifier: [UInt8]
  /// Counts updates, so that one process notices another's.
  let revision: Int64
  let sealedAttributes: [UInt8]
  /// Identifier and revision as they are stored, whatever that is: by them a damaged row is
  /// removed.
  let stored: (identifier: DatabaseValue, revision: DatabaseValue)
  /// What the columns say in the clear; nil where one of them holds what it never holds.
  let clear: ClearColumns?

  /// How an item is protected, as the columns have it. The enclave authenticates it with the
  /// attributes and the secret.
  struct ClearColumns {
    let itemClass: ItemClass
    let accessibility: Accessibility
    let accessControl: AccessControl?
  }

  /// The columns of ``init(_:)``, in its order.
  static let columns =
    "sequence, identifier, revision, sealedAttributes, class, accessibility, accessControl"

  init(_ row: Row) {
    sequence = row.integer(at: 0) ?? 0
    identifier = row.bytes(at: 1) ?? []
    revision = row.integer(at: 2) ?? 0
    sealedAttributes = row.bytes(at: 3) ?? []
    stored = (row[1], row[2])
    clear = ClearColumns(row, from: 4)
  }

  /// What is authenticated with the item, or nil where the columns cannot be an item's.
  fileprivate func protection(group: [UInt8]) -> ItemProtection? {
    guard let clear, identifier.count == Self.identifierCount,
      sealedAttributes.count <= largestAttributes + 64
    else { return nil }
    return ItemProtection(
      accessibility: clear.accessibility, accessControl: clear.accessControl,
      identity: Self.identity(identifier, itemClass: clear.itemClass, group: group))
  }

  /// Whether the columns say what the sealed attributes say.
  func agrees(with attributes: ItemAttributes) -> Bool {
    attributes.identifier == Self.text(of: identifier) && attributes.itemClass == clear?.itemClass
      && attributes.accessibility == clear?.accessibility
      && attributes.accessControl == clear?.accessControl
  }

  /// Which item this is, as the enclave authenticates it: a row under another group's name opens for
  /// neither (K2). Without `group` all but its hash.
  static func identity(
    _ identifier: [UInt8], itemClass: ItemClass, group: [UInt8] = []
  ) -> [UInt8] { identifier + [itemClass.rawValue] + group }

  /// An identifier as people and messages have it: 32 hexadecimal digits.
  static func text(of identifier: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: identifier.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self)
  }

  /// The identifier that ``text(of:)`` gives this text for, or nil where there is none.
  static func identifier(of text: String) -> [UInt8]? {
    guard text.utf8.count == 2 * identifierCount else { return nil }
    let digits = Array(text.utf8)
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { index -> UInt8? in
      UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
    }
    return bytes.count == identifierCount && Self.text(of: bytes) == text ? bytes : nil
  }
}

/// A row of a group, with what is authenticated with the item: nil if the columns cannot be an item's.
struct NamedRow {
  let row: ItemRow
  let group: [UInt8]
  let protection: ItemProtection?

  init(_ row: ItemRow, group: [UInt8]) {
    (self.row, self.group, protection) = (row, group, row.protection(group: group))
  }

  /// Reads ``ItemRow/columns`` and the group behind them.
  init(_ columns: Row) { self.init(ItemRow(columns), group: columns.bytes(at: 7) ?? []) }
}

extension ItemRow.ClearColumns {
  fileprivate init?(_ row: Row, from index: Int) {
    guard
      let itemClass = row.integer(at: index).flatMap(UInt8.init(exactly:))
        .flatMap(ItemClass.init(rawValue:)),
      let protection = row.protection(from: index + 1)
    else { return nil }
    self.itemClass = itemClass
    (accessibility, accessControl) = protection
  }
}

extension Database {
  /// What `body` makes of each row of a query, whose statement is compiled once.
  func rows<Value>(
    _ sql: String, _ arguments: StatementArguments = StatementArguments(),
    _ body: (Row) throws -> Value
  ) throws -> [Value] {
    let cursor = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
    var values: [Value] = []
    while let row = try cursor.next() { values.append(try body(row)) }
    return values
  }
}

extension Row {
  /// Accessibility and access control in two columns; nil where one of them holds what it never
  /// holds.
  func protection(
    from index: Int
  ) -> (accessibility: Accessibility, accessControl: AccessControl?)? {
    guard
      let accessibility = integer(at: index).flatMap(UInt8.init(exactly:))
        .flatMap(Accessibility.init(rawValue:))
    else { return nil }
    guard !hasNull(atIndex: index + 1) else { return (accessibility, nil) }
    guard let control = bytes(at: index + 1).flatMap(AccessControl.init(stored:)) else {
      return nil
    }
    return (accessibility, control)
  }

  /// GRDB's own conversions end the process where a column holds another type.
  func integer(at index: Int) -> Int64? {
    guard case .int64(let value) = (self[index] as DatabaseValue).storage else { return nil }
    return value
  }

  /// As ``integer(at:)``.
  func text(at index: Int) -> String? {
    guard case .string(let value) = (self[index] as DatabaseValue).storage else { return nil }
    return value
  }

  /// As ``integer(at:)``.
  func bytes(at index: Int) -> [UInt8]? {
    guard case .blob(let value) = (self[index] as DatabaseValue).storage else { return nil }
    return Array(value)
  }
}

extension AccessControl {
  /// The two bytes of the column, or nil where they are none.
  init?(stored bytes: [UInt8]) {
    do throws(DecodeError) {
      var decoder = WireDecoder(bytes.span)
      let control = try AccessControl(from: &decoder)
      try decoder.finish()
      self = control
    } catch {
      return nil
    }
  }

  /// The two bytes of the column.
  var stored: [UInt8] {
    var encoder = WireEncoder()
    encode(into: &encoder)
    return encoder.finishPlain()
  }
}

struct NewRow {
  let identifier: [UInt8]
  /// Of these only class, accessibility and access control are stored in the clear.
  let attributes: ItemAttributes
  let sealed: EnclaveLink.SealedRow
}

/// A row to be replaced, as it was read and as it will be. Its identity stays.
struct ChangedRow {
  let previous: ItemRow
  /// Nil where the names stay, and the group.
  let name: HashedName?
  let sealedAttributes: [UInt8]
  /// Nil where the secret stays as it was sealed.
  var sealedSecret: [UInt8]?
  /// What guards it, where that changes; the secret is sealed anew then.
  var protection: (accessibility: Accessibility, accessControl: AccessControl?)?
  /// By which the applications find it that it is shared with; nil where that stays.
  var shares: [UInt8]?
}

/// Which rows are meant, by the hashes they are found by.
struct RowFilter {
  let group: [UInt8]
  var itemClass: ItemClass?
  /// As people and messages have it.
  var identifier: String?
  var hashes: [NameColumn: [UInt8]] = [:]
  /// The service or the label has one of these; any if there are none.
  var names: [[UInt8]] = []

  private var columns: [NameColumn] { NameColumn.allCases.filter { hashes[$0] != nil } }

  /// The SQL condition. Where there is an identifier or a service, it tells more than the group; the
  /// unary plus keeps SQLite from using the other index (sqlite.org/optoverview.html#uplus).
  var condition: String {
    var terms = columns.map { "\(identifier == nil ? "" : "+")\($0.rawValue) = ?" }
    let isNamed = identifier != nil || hashes[.service] != nil
    terms.append(isNamed ? "+accessGroup = ?" : "accessGroup = ?")
    if !names.isEmpty {
      let places = Array(repeating: "?", count: names.count).joined(separator: ", ")
      terms.append("(+service IN (\(places)) OR label IN (\(places)))")
    }
    if itemClass != nil { terms.append("class = ?") }
    if identifier != nil { terms.append("identifier = ?") }
    return terms.joined(separator: " AND ")
  }

  /// The values of the condition, in its order.
  var arguments: StatementArguments {
    var values: [(any DatabaseValueConvertible)?] = columns.map { hashes[$0].map { Data($0) } }
    values.append(Data(group))
    for _ in 1...2 { values += names.map { Data($0) } }
    if let itemClass { values.append(Int64(itemClass.rawValue)) }
    // No row has an impossible identifier.
    if let identifier { values.append(Data(ItemRow.identifier(of: identifier) ?? [])) }
    return StatementArguments(values)
  }
}
