package import Protocol

/// The first row of a CSV file: whose it is, and what each of its columns holds.
package struct CSVHeader: Sendable {
  /// Whose columns they are.
  package let dialect: CSVDialect
  /// What each column holds, in the order of the file.
  package let columns: [CSVColumn]

  /// Recognizes the columns, whatever their order and case; a column that the program is not known
  /// to write goes to the comment.
  /// - Throws: `importUnreadable` where the row cannot be read, or nobody's columns are these.
  package init(_ row: borrowing CSVRow) throws(Failure) {
    guard !row.beginsJSON else {
      throw Failure(
        .importUnreadable, "this is JSON, and CSV is read here",
        hint:
          "export it again as CSV: in Bitwarden choose the format .csv, not .json or its encrypted form"
      )
    }
    if let problem = row.problem {
      let isUTF8 =
        switch problem {
        case .nulByte, .notUTF8: false
        default: true
        }
      throw Failure(
        .importUnreadable, "the header in line \(row.line) cannot be read: \(problem.text)",
        hint: isUTF8 ? "export the file again" : "save the file as UTF-8, or export it again")
    }
    let names = (0..<row.count).map { row.text($0) }
    let known = names.map { $0.lowercased() }
    guard Set(known).count == known.count else {
      throw Failure(
        .importUnreadable, "line \(row.line) names a column twice",
        hint: "the first line has to name the columns, as the program exported them")
    }
    guard let dialect = CSVDialect.all.first(where: { $0.required.isSubset(of: known) }) else {
      throw Failure(
        .importUnreadable, "line \(row.line) is the header of no program that is known here",
        hint: "known are those of " + CSVDialect.all.map(\.name).joined(separator: ", "))
    }
    self.dialect = dialect
    columns = zip(names, known).map { name, key in dialect.columns[key] ?? .remark(name) }
  }

  /// The column that holds this.
  func index(of column: CSVColumn) -> Int? { columns.firstIndex(of: column) }
}

extension CSVRow {
  /// Whether an object or a list of JSON begins here, in a row that can be read or not. No program
  /// names a column so.
  fileprivate var beginsJSON: Bool {
    guard count > 0 else { return false }
    let first = self[0]
    for index in first.indices where !" \t".utf8.contains(first[index]) {
      return first[index] == UInt8(ascii: "{") || first[index] == UInt8(ascii: "[")
    }
    return false
  }

  /// A field as text; for one that is no secret.
  func text(_ index: Int) -> String {
    do {
      return String(copying: try UTF8Span(validating: self[index]))
    } catch {
      return ""
    }
  }
}
