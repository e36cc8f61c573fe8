/// Error rates as a Markdown table, in percent, with 95 % intervals where they are known.
struct ErrorRateTable: CustomStringConvertible {
  let rows: [MeasuredScores]

  var description: String { table.description + (note.map { "\n\($0)" } ?? "") }

  /// The figures alone.
  var table: MarkdownTable {
    MarkdownTable(
      head: ["scores", "genuine", "impostor", "failed"]
        + ErrorRate.allCases.map { "\($0.rawValue) %" },
      rows: rows.map(Self.cells))
  }

  /// What an asterisk in the table means; nil where it has none.
  var note: String? {
    table.rows.joined().contains { $0.contains("*") }
      ? "* fewer impostor comparisons than 1/FMR: the same as zeroFMR" : nil
  }

  private static func cells(of row: MeasuredScores) -> [String] {
    let counts = [row.curve.genuineCount, row.curve.impostorCount, row.curve.failures]
    return [row.label] + counts.map(String.init)
      + ErrorRate.allCases.map { rate in
        let mark = rate.isOfItsOwn(impostors: row.curve.impostorCount) ? "" : "*"
        return percent(rate.value(on: row.curve)) + mark + interval(row.intervals[rate])
      }
  }

  /// An interval in percent as it stands behind a figure; nothing where it is not known.
  static func interval(_ bounds: ClosedRange<Double>?) -> String {
    bounds.map { " (\(percent($0.lowerBound))..\(percent($0.upperBound)))" } ?? ""
  }

  /// How often something happened, in percent with its exact interval; "none" without trials.
  static func share(_ events: Int, of trials: Int) -> String {
    guard trials > 0 else { return "none" }
    let bounds = ExactInterval(events: events, of: trials)
    return percent(Double(events) / Double(trials))
      + interval(bounds.lowerBound...bounds.upperBound)
  }

  static func decimal(_ value: Double) -> String {
    let tenths = Int((abs(value) * 10).rounded())
    return "\(value < 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
  }

  /// A share in percent with two decimals.
  static func percent(_ share: Double) -> String {
    let hundredths = Int((share * 10_000).rounded(.toNearestOrEven))
    let decimals = hundredths % 100
    return "\(hundredths / 100).\(decimals < 10 ? "0" : "")\(decimals)"
  }
}

/// A Markdown table that is also readable as plain text: the first column from the left, the others
/// from the right.
struct MarkdownTable: CustomStringConvertible {
  let head: [String]
  /// Each with as many cells as `head`.
  let rows: [[String]]

  var description: String {
    let cells = [head] + rows
    let widths = head.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    var lines = cells.map { row in
      let padded = row.enumerated().map { column, cell in
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + blanks : blanks + cell
      }
      return "| " + padded.joined(separator: " | ") + " |"
    }
    let rule = widths.enumerated().map { column, width in
      String(repeating: "-", count: column == 0 ? width + 2 : width + 1) + (column == 0 ? "" : ":")
    }
    lines.insert("|" + rule.joined(separator: "|") + "|", at: 1)
    return lines.joined(separator: "\n")
  }
}
