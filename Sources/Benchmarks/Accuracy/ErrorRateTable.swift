import MatchStatistics

/// Error rates as a Markdown table, in percent, with 95 % intervals where they are known.
struct ErrorRateTable: CustomStringConvertible {
  let rows: [MeasuredScores]

  var description: String {
    let head =
      ["scores", "genuine", "impostor", "failed"] + ErrorRate.allCases.map { "\($0.rawValue) %" }
    let cells = [head] + rows.map(Self.cells)
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
    if lines.contains(where: { $0.contains("*") }) {
      lines.append("* fewer impostor comparisons than 1/FMR: the same as zeroFMR")
    }
    return lines.joined(separator: "\n")
  }

  private static func cells(of row: MeasuredScores) -> [String] {
    let counts = [row.curve.genuineCount, row.curve.impostorCount, row.curve.failures]
    return [row.label] + counts.map(String.init)
      + ErrorRate.allCases.map { rate in
        let mark = rate.isOfItsOwn(impostors: row.curve.impostorCount) ? "" : "*"
        let interval = row.intervals[rate].map {
          " (\(percent($0.lowerBound))..\(percent($0.upperBound)))"
        }
        return percent(rate.value(on: row.curve)) + mark + (interval ?? "")
      }
  }

  /// A share in percent with two decimals.
  static func percent(_ share: Double) -> String {
    let hundredths = Int((share * 10_000).rounded(.toNearestOrEven))
    let decimals = hundredths % 100
    return "\(hundredths / 100).\(decimals < 10 ? "0" : "")\(decimals)"
  }
}
