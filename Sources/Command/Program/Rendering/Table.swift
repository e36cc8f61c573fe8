import CoreClient

/// Lines in columns.
struct Table {
  private let titles: [String]
  private var rows: [[String]] = []

  /// The least width of a column. If there is less room, a table is not readable.
  private static let narrowest = 8
  private static let gap = 2

  init(_ titles: String...) { self.titles = titles }

  mutating func add(_ fields: String...) { add(fields) }

  mutating func add(_ fields: [String]) { rows.append(fields.map(\.printable)) }

  /// The lines, titles first. Each column is as wide as its widest field. On a narrow terminal the
  /// widest columns are shortened; if that is not enough, each row becomes several lines.
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

  /// - Returns: nil if columns would not be readable.
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

/// Names and values, one pair per line.
struct Facts {
  private var rows: [(name: String, value: String)] = []

  mutating func add(_ name: String, _ value: String) { rows.append((name, value)) }

  /// The lines, with values aligned, and wrapped on a narrow terminal.
  func lines(_ paint: Paint) -> [String] {
    let width = rows.map(\.name.width).max() ?? 0
    return rows.flatMap { row in
      paint.hanging(row.value, behind: paint(row.name.padded(to: width), .faint) + "  ")
    }
  }
}

extension Paint {
  /// The text after `start`, wrapped with its lines aligned.
  func hanging(_ text: String, behind start: String) -> [String] {
    let indent = start.width
    let lines = columns.map { text.wrapped(to: max(12, $0 - indent)) } ?? [text]
    return lines.enumerated().map { index, line in
      (index == 0 ? start : String(repeating: " ", count: indent)) + line
    }
  }
}
