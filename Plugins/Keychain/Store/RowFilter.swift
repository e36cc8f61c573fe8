import Foundation
import GRDB
import Wire

/// Which rows are meant, by the hashes they are found by.
struct RowFilter {
  let application: [UInt8]
  var itemClass: ItemClass?
  var service: [UInt8]?
  var account: [UInt8]?
  var label: [UInt8]?

  /// The SQL condition. The first of its terms is the most telling one; a unary plus keeps SQLite from using the index of another
  /// (sqlite.org/optoverview.html#uplus). The index by service holds the account too.
  var condition: String {
    var columns: [String] = []
    if service != nil { columns.append("service") }
    if account != nil { columns.append("account") }
    if label != nil { columns.append("label") }
    columns.append("application")
    if itemClass != nil { columns.append("class") }
    let indexed = service != nil && account != nil ? 2 : 1
    return columns.enumerated().map { $0 < indexed ? "\($1) = ?" : "+\($1) = ?" }
      .joined(separator: " AND ")
  }

  /// The values of the condition, in its order.
  var arguments: StatementArguments {
    var values: [(any DatabaseValueConvertible)?] = [service, account, label, application]
      .compactMap(\.self).map { Data($0) }
    if let itemClass { values.append(Int64(itemClass.rawValue)) }
    return StatementArguments(values)
  }
}
