/// Lines in columns.
struct Table {
  private let titles: [String]
  private var rows: [[String]] = []

  /// A table with these titles over its columns.
  init(_ titles: String...) { self.titles = titles }

  /// Adds a line; an empty field is shown as it is.
  mutating func add(_ fields: String...) { add(fields) }

  /// The same with as many fields as there are titles.
  mutating func add(_ fields: [String]) { rows.append(fields.map(\.printable)) }

  /// The lines, titles first; each column as wide as its widest field.
  func lines(_ paint: Paint) -> [String] {
    let widths = titles.indices.map { column in
      ([titles] + rows).map { $0[column].count }.max() ?? 0
    }
    func line(_ fields: [String]) -> String {
      var padded = zip(fields, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
      while padded.last == " " { padded.removeLast() }
      return padded
    }
    return [paint(line(titles), .faint)] + rows.map(line)
  }
}

/// Names and what is to be said about each, one under the other.
struct Facts {
  private var rows: [(name: String, value: String)] = []

  /// Adds a line.
  mutating func add(_ name: String, _ value: String) { rows.append((name, value)) }

  /// The lines, values aligned.
  func lines(_ paint: Paint) -> [String] {
    let width = rows.map(\.name.count).max() ?? 0
    return rows.map { paint($0.name.padded(to: width), .faint) + "  " + $0.value }
  }
}
