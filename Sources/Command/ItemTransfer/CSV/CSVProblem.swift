/// Why a row of a CSV file is left out. Fields are counted from 1.
package enum CSVProblem: Equatable, Sendable {
  /// A quotation mark in a field that does not begin with one.
  case strayQuote(field: Int)
  /// Something other than a comma behind the quotation mark that ends a field.
  case textAfterQuote(field: Int)
  /// More than ``CSVRow/longest`` bytes.
  case tooLong
  /// More than ``CSVRow/mostFields`` fields.
  case tooManyFields
  case nulByte(field: Int)
  case notUTF8(field: Int)
  /// Another number of fields than the header has.
  case fieldCount(Int, expected: Int)

  /// One sentence without a full stop.
  package var text: String {
    switch self {
    case .strayQuote(let field):
      "field \(field) has a quotation mark in it and does not begin with one"
    case .textAfterQuote(let field):
      "field \(field) goes on behind the quotation mark that ends it"
    case .tooLong: "it is longer than \(CSVRow.longest) bytes"
    case .tooManyFields: "it has more than \(CSVRow.mostFields) fields"
    case .nulByte(let field): "field \(field) has a NUL byte in it"
    case .notUTF8(let field): "field \(field) is not UTF-8"
    case .fieldCount(let count, let expected):
      "it has \(count == 1 ? "one field" : "\(count) fields"), and the header \(expected)"
    }
  }
}
