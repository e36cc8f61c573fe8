import Foundation
import GRDB
import Protocol

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
    // Of what is no identifier there is no row.
    if let identifier { values.append(Data(ItemRow.identifier(of: identifier) ?? [])) }
    return StatementArguments(values)
  }
}
