import Protocol

/// A row of a CSV file, in locked memory: any of its fields may be a secret.
package struct CSVRow: ~Copyable {
  /// The longest row, in bytes, without commas and quotation marks: what a row takes of the memory
  /// does not depend on the file.
  package static let longest = SecretArena.largestBlock
  /// The most fields of a row.
  package static let mostFields = 256

  private var bytes = SecretBytes(count: CSVRow.longest)
  private var filled = 0
  /// Where in the bytes each field ends.
  private var ends: [Int] = []
  /// The line it begins on, counted from 1.
  package private(set) var line = 1
  /// Why it is to be left out; its fields mean nothing then.
  package private(set) var problem: CSVProblem?

  init() {}

  /// How many fields it has.
  package var count: Int { ends.count }
  /// The number of the field that is being read, counted from 1.
  var currentField: Int { ends.count + 1 }
  /// Whether nothing has been read of it.
  var isEmpty: Bool { filled == 0 && ends.isEmpty && problem == nil }
  /// Whether it is an empty line.
  var isBlank: Bool { filled == 0 && ends.count <= 1 && problem == nil }

  /// A field; UTF-8 without NUL where there is no ``problem``.
  package subscript(index: Int) -> Span<UInt8> {
    @_lifetime(borrow self)
    get { bytes.bytes.extracting((index == 0 ? 0 : ends[index - 1])..<ends[index]) }
  }

  /// Adds to the current field.
  mutating func append(_ part: Span<UInt8>) {
    guard part.count <= Self.longest - filled else { return fail(.tooLong) }
    bytes.copy(part, at: filled)
    filled += part.count
  }

  mutating func endField() {
    guard ends.count < Self.mostFields else { return fail(.tooManyFields) }
    ends.append(filled)
  }

  /// Notes why it is left out; the first reason stays.
  mutating func fail(_ problem: CSVProblem) {
    if self.problem == nil { self.problem = problem }
  }

  /// Checks the fields of a row that is whole.
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

  /// Begins the next one.
  mutating func reset(line: Int) {
    (filled, problem, self.line) = (0, nil, line)
    ends.removeAll(keepingCapacity: true)
  }
}

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
