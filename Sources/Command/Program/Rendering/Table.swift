import CoreClient

/// Lines in columns.
struct Table {
  private let titles: [String]
  private var rows: [[String]] = []

  /// What a column keeps that is wider. Where there is no room for that in each, a table says
  /// nothing.
  private static let narrowest = 8
  private static let gap = 2

  /// A table with these titles over its columns.
  init(_ titles: String...) { self.titles = titles }

  /// Adds a line; an empty field is shown as it is.
  mutating func add(_ fields: String...) { add(fields) }

  /// The same with as many fields as there are titles.
  mutating func add(_ fields: [String]) { rows.append(fields.map(\.printable)) }

  /// The lines, titles first; each column as wide as its widest field. Where the terminal is too
  /// narrow for that the widest columns give way, and fields end with a sign; where it is much too
  /// narrow each row is lines of its own.
  func lines(_ paint: Paint) -> [String] {
    guard let widths = widths(within: paint.columns) else { return rowsAsFacts(paint) }
    func line(_ fields: [String]) -> String {
      var padded = zip(fields, widths).map {
        $0.shortened(to: $1, paint.letters).padded(to: $1)
      }
      .joined(separator: String(repeating: " ", count: Self.gap))
      while padded.last == " " { padded.removeLast() }
      return padded
    }
    return [paint(line(titles), .faint)] + rows.map(line)
  }

  private func rowsAsFacts(_ paint: Paint) -> [String] {
    let lines = rows.map { row in
      var facts = Facts()
      for (title, field) in zip(titles, row) where !field.isEmpty { facts.add(title, field) }
      return facts.lines(paint)
    }
    return Array(lines.joined(separator: [""]))
  }

  /// - Returns: nil where the columns would say nothing.
  private func widths(within columns: Int?) -> [Int]? {
    var widths = titles.map(\.width)
    for row in rows {
      for (column, field) in row.enumerated() { widths[column] = max(widths[column], field.width) }
    }
    guard let columns else { return widths }
    let room = columns - Self.gap * (widths.count - 1)
    widths = widths.map { min($0, columns) }
    while widths.reduce(0, +) > room, let widest = widths.max(), widest > Self.narrowest,
      let column = widths.lastIndex(of: widest)
    {
      widths[column] -= 1
    }
    return widths.reduce(0, +) <= room ? widths : nil
  }
}

/// Names and what is to be said about each, one under the other.
struct Facts {
  private var rows: [(name: String, value: String)] = []

  mutating func add(_ name: String, _ value: String) { rows.append((name, value)) }

  /// The lines, values aligned, and broken at spaces where the terminal is too narrow for them.
  func lines(_ paint: Paint) -> [String] {
    let width = rows.map(\.name.width).max() ?? 0
    return rows.flatMap { row in
      paint.hanging(row.value, behind: paint(row.name.padded(to: width), .faint) + "  ")
    }
  }
}

extension Paint {
  /// The text behind `start`, its further lines below its first.
  func hanging(_ text: String, behind start: String) -> [String] {
    let indent = start.width
    let lines = columns.map { text.wrapped(to: max(12, $0 - indent)) } ?? [text]
    return lines.enumerated().map { index, line in
      (index == 0 ? start : String(repeating: " ", count: indent)) + line
    }
  }
}
