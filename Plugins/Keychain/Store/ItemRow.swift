import Foundation
import GRDB
import Protocol

/// A row without its secret. Anything may be in it, because others may have written the file.
struct ItemRow {
  static let identifierCount = 16

  /// The order of adding.
  let sequence: Int64
  let identifier: [UInt8]
  /// Counts updates, so that one process notices those of another.
  let revision: Int64
  var revisionForClients: UInt64 { UInt64(bitPattern: revision) }
  let sealedAttributes: [UInt8]
  /// Identifier and revision as they are stored, even if damaged, for removing the row.
  let stored: (identifier: DatabaseValue, revision: DatabaseValue)
  /// The columns in the clear; nil if one of them is impossible.
  let clear: ClearColumns?

  /// An item's protection in its columns, which the enclave authenticates with the attributes and
  /// the secret.
  struct ClearColumns {
    let itemClass: ItemClass
    let accessibility: Accessibility
    let accessControl: AccessControl?
  }

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

  fileprivate func protection(group: [UInt8]) -> ItemProtection? {
    guard let clear, identifier.count == Self.identifierCount,
      sealedAttributes.count <= largestAttributes + 64
    else { return nil }
    return ItemProtection(
      accessibility: clear.accessibility, accessControl: clear.accessControl,
      identity: Self.identity(identifier, itemClass: clear.itemClass, group: group))
  }

  /// Whether the columns agree with the sealed attributes.
  func agrees(with attributes: ItemAttributes) -> Bool {
    attributes.identifier == Self.text(of: identifier) && attributes.itemClass == clear?.itemClass
      && attributes.accessibility == clear?.accessibility
      && attributes.accessControl == clear?.accessControl
  }

  /// The identity that the enclave authenticates: a row under another group's name opens for
  /// neither group (K2). Without `group`, all but its hash.
  static func identity(
    _ identifier: [UInt8], itemClass: ItemClass, group: [UInt8] = []
  ) -> [UInt8] { identifier + [itemClass.rawValue] + group }

  /// An identifier for people and messages: 32 hexadecimal digits.
  static func text(of identifier: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: identifier.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self)
  }

  /// The identifier with this ``text(of:)``, or nil.
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
  /// Accessibility and access control in two columns; nil if one is impossible.
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

  /// GRDB's own conversions end the process if a column holds another type.
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
  /// From the two bytes of the column.
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
  /// Only class, accessibility and access control are stored in the clear.
  let attributes: ItemAttributes
  let sealed: EnclaveLink.SealedRow
}

/// A row and its changes. Its identity stays.
struct ChangedRow {
  let previous: ItemRow
  /// Nil if names and group stay.
  let name: HashedName?
  let sealedAttributes: [UInt8]
  /// Nil if the secret stays as it was sealed.
  var sealedSecret: [UInt8]?
  /// The protection, if it changes; the secret is sealed again then.
  var protection: (accessibility: Accessibility, accessControl: AccessControl?)?
  /// Hashes of the applications that it is shared with; nil if they stay.
  var shares: [UInt8]?
}

/// Which rows a query matches, by hashes.
struct RowFilter {
  let group: [UInt8]
  var itemClass: ItemClass?
  /// In text form.
  var identifier: String?
  var hashes: [NameColumn: [UInt8]] = [:]
  /// If not empty, service or label has one of these.
  var names: [[UInt8]] = []

  private var columns: [NameColumn] { NameColumn.allCases.filter { hashes[$0] != nil } }

  /// The SQL condition. An identifier or a service tells more than the group; the unary plus keeps
  /// SQLite from using the group's index (sqlite.org/optoverview.html#uplus).
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
