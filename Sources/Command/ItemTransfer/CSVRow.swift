import Protocol

/// A row of a CSV file, in locked memory because any field may be a secret.
package struct CSVRow: ~Copyable {
  /// The longest row in bytes, without commas and quotation marks. It limits memory for any file.
  package static let longest = SecretArena.largestBlock
  package static let mostFields = 256

  private var bytes = SecretBytes(count: CSVRow.longest)
  private var filled = 0
  /// Where each field ends.
  private var ends: [Int] = []
  /// The line that it begins on, counted from 1.
  package private(set) var line = 1
  /// Why it is left out. Its fields are then undefined.
  package private(set) var problem: CSVProblem?

  init() {}

  package var count: Int { ends.count }
  /// The field that is being read, counted from 1.
  var currentField: Int { ends.count + 1 }
  var isEmpty: Bool { filled == 0 && ends.isEmpty && problem == nil }
  var isBlank: Bool { filled == 0 && ends.count <= 1 && problem == nil }

  /// A field. It is UTF-8 without NUL unless there is a ``problem``.
  package subscript(index: Int) -> Span<UInt8> {
    @_lifetime(borrow self)
    get { bytes.bytes.extracting((index == 0 ? 0 : ends[index - 1])..<ends[index]) }
  }

  mutating func append(_ part: Span<UInt8>) {
    guard part.count <= Self.longest - filled else { return fail(.tooLong) }
    bytes.copy(part, at: filled)
    filled += part.count
  }

  mutating func endField() {
    guard ends.count < Self.mostFields else { return fail(.tooManyFields) }
    ends.append(filled)
  }

  /// Notes why it is left out. The first reason stays.
  mutating func fail(_ problem: CSVProblem) {
    if self.problem == nil { self.problem = problem }
  }

  /// Checks the fields of a complete row.
  mutating func check() {
    guard problem == nil else { return }
    for index in 0..<count {
      if let found = Self.problem(of: self[index], field: index + 1) { return fail(found) }
    }
  }

  private static func problem(of field: Span<UInt8>, field number: Int) -> CSVProblem? {
    for index in field.indices where field[index] == 0 { return .nulByte(field: number) }
    do {
      _ = try UTF8Span(validating: field)
      return nil
    } catch {
      return .notUTF8(field: number)
    }
  }

  mutating func reset(line: Int) {
    (filled, problem, self.line) = (0, nil, line)
    ends.removeAll(keepingCapacity: true)
  }
}

/// Why a row of a CSV file is left out. Fields are counted from 1.
package enum CSVProblem: Equatable, Sendable {
  /// A quotation mark in an unquoted field.
  case strayQuote(field: Int)
  /// Something other than a comma after a quoted field.
  case textAfterQuote(field: Int)
  /// More than ``CSVRow/longest`` bytes.
  case tooLong
  /// More than ``CSVRow/mostFields`` fields.
  case tooManyFields
  case nulByte(field: Int)
  case notUTF8(field: Int)
  /// A number of fields that differs from the header's.
  case fieldCount(Int, expected: Int)

  /// A sentence without a full stop.
  package var text: String {
    switch self {
    case .strayQuote(let field):
      "field \(field) has a quotation mark in it, but does not begin with one"
    case .textAfterQuote(let field):
      "field \(field) continues after its closing quotation mark"
    case .tooLong: "it is longer than \(CSVRow.longest) bytes"
    case .tooManyFields: "it has more than \(CSVRow.mostFields) fields"
    case .nulByte(let field): "field \(field) has a NUL byte in it"
    case .notUTF8(let field): "field \(field) is not UTF-8"
    case .fieldCount(let count, let expected):
      "it has \(count == 1 ? "one field" : "\(count) fields"), and the header \(expected)"
    }
  }
}
