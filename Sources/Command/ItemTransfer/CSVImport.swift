import CoreClient
package import Protocol

/// Reads a CSV file in parts, and gives its items to a receiver.
package struct CSVImport: ~Copyable {
  private var parser = CSVParser()
  private let rows: CSVRows

  /// - Parameters:
  ///   - receiver: gets the items.
  ///   - map: what the columns hold, if their names do not say it.
  ///   - place: stands before the line where something was found.
  package init(
    to receiver: any ImportReceiver, _ map: ColumnMap? = nil, place: String = ""
  ) {
    rows = CSVRows(receiver, map, place)
  }

  /// The program that wrote the file; nil before the first row.
  package var program: String? { rows.header?.layout.name }
  /// Columns with values that are not imported, in the order of the file.
  package var unkeptColumns: [String] { rows.unkept }

  /// Reads the next part.
  /// - Throws: `importUnreadable` for an unknown header, and what the receiver throws.
  package mutating func read(_ bytes: Span<UInt8>) throws(Failure) {
    let rows = rows
    try parser.read(bytes) { (row) throws(Failure) in try rows.take(row) }
  }

  /// Reads what is left.
  /// - Throws: `importUnreadable` for an empty file or an open quotation mark. The rows before were
  ///   given to the receiver.
  package mutating func finish() throws(Failure) {
    let rows = rows
    let openQuote = try parser.finish { (row) throws(Failure) in try rows.take(row) }
    if let line = openQuote {
      throw Failure(
        .importUnreadable,
        "the quotation mark in line \(line) is never closed: what follows cannot be told apart",
        hint: "export the file again, or mend that line")
    }
    guard rows.header != nil else {
      throw Failure(
        .importUnreadable, "the file is empty",
        hint: "the first line has to name the columns, as the program exported them")
    }
  }
}

/// The rows of a file as they come.
private final class CSVRows {
  private let receiver: any ImportReceiver
  private let map: ColumnMap?
  private let place: String
  private(set) var header: CSVHeader?
  private(set) var unkept: [String] = []

  init(_ receiver: any ImportReceiver, _ map: ColumnMap?, _ place: String) {
    (self.receiver, self.map, self.place) = (receiver, map, place)
  }

  func take(_ row: borrowing CSVRow) throws(Failure) {
    guard let header else {
      let first = try CSVHeader(row, map)
      header = first
      return first.isEntry ? try give(row, first) : ()
    }
    try give(row, header)
  }

  private func give(_ row: borrowing CSVRow, _ header: CSVHeader) throws(Failure) {
    let origin = "\(place)line \(row.line)"
    guard let problem = row.problem ?? countProblem(row, header) else {
      return try entry(row, header, origin: origin).give(to: receiver)
    }
    receiver.skip(SkippedEntry(origin: origin, reason: problem.text))
  }

  private func countProblem(_ row: borrowing CSVRow, _ header: CSVHeader) -> CSVProblem? {
    guard let columns = header.columns, row.count != columns.count else { return nil }
    return .fieldCount(row.count, expected: columns.count)
  }

  private func entry(_ row: borrowing CSVRow, _ header: CSVHeader, origin: String) -> FoundEntry {
    let layout = header.layout
    var entry = FoundEntry(origin: origin)
    entry.isNote = layout.holdsNotes
    let fields = header.columns ?? CSVLayout.fieldsWithoutHeader(row)
    if fields == nil { entry.isNote = true }
    let order = (0..<row.count).filter { !header.spare.contains($0) } + header.spare
    for index in order where row[index].count > 0 {
      let field = fields?[index] ?? .hidden("")
      if case .unkept(let name) = field { noteUnkept(name, row.text(index)) }
      if layout.hasEntities, let plain = WebText.decoded(row[index]) {
        entry.take(field, plain.bytes)
        // Not every version of the program writes passwords so.
        if field == .password { entry.addDetail("password in the file", row[index]) }
      } else {
        entry.take(field, row[index])
      }
    }
    layout.correct(&entry)
    if entry.isNote, entry.title.isEmpty { entry.title = "\(layout.name), \(origin)" }
    if entry.exact?.hasHexadecimalSecret == true { entry.decodeSecret() }
    return entry
  }

  /// Most rows have zero or false there.
  private func noteUnkept(_ name: String, _ value: String) {
    guard !["0", "false"].contains(value.lowercased()), !unkept.contains(name) else { return }
    unkept.append(name)
  }
}

/// Text as it stands in the source of a web page.
private enum WebText {
  private static let entities: [(StaticString, UInt8)] = [
    ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
    ("&quot;", UInt8(ascii: "\"")), ("&#39;", UInt8(ascii: "'")), ("&#039;", UInt8(ascii: "'")),
    ("&apos;", UInt8(ascii: "'")),
  ]

  /// - Returns: nil if nothing is encoded, or something that would be.
  static func decoded(_ text: Span<UInt8>) -> SecretBytes? {
    var plain = SecretBytes(count: text.count)
    var (count, index) = (0, 0)
    while index < text.count {
      var byte = text[index]
      if byte == UInt8(ascii: "&") {
        let rest = text.extracting(droppingFirst: index)
        guard let entity = entities.first(where: { rest.begins(with: $0.0) }) else { return nil }
        byte = entity.1
        index += entity.0.utf8CodeUnitCount
      } else {
        guard byte != UInt8(ascii: "<"), byte != UInt8(ascii: ">") else { return nil }
        index += 1
      }
      plain.copy([byte].span, at: count)
      count += 1
    }
    guard count < text.count else { return nil }
    return plain.extracting(0..<count)
  }
}
