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

  /// The SQL condition. Where there is a service, it tells more than the application; the unary
  /// plus keeps SQLite from using the other index (sqlite.org/optoverview.html#uplus).
  var condition: String {
    var terms: [String] = []
    if service != nil { terms.append("service = ?") }
    if account != nil { terms.append("account = ?") }
    if label != nil { terms.append("label = ?") }
    terms.append(service == nil ? "application = ?" : "+application = ?")
    if itemClass != nil { terms.append("class = ?") }
    return terms.joined(separator: " AND ")
  }

  /// The values of the condition, in its order.
  var arguments: StatementArguments {
    var values: [(any DatabaseValueConvertible)?] = [service, account, label, application]
      .compactMap(\.self).map { Data($0) }
    if let itemClass { values.append(Int64(itemClass.rawValue)) }
    return StatementArguments(values)
  }
}
