/// Errors at one threshold, with exact bounds.
struct ThresholdTable {
  let threshold: Double
  let rows: [MeasuredScores]

  /// What the bounds mean.
  static let note = """
    In parentheses exact 95 % bounds (Clopper and Pearson) for comparisons that are independent; \
    comparisons that share a finger are not, so that these bounds are too narrow. The last column \
    is the upper bound of the FMR, with a certainty of 95 % where nothing was accepted (the rule \
    of three).
    """

  var table: MarkdownTable {
    MarkdownTable(
      head: [
        "scores", "genuine", "refused", "FNMR %", "impostor", "accepted", "FMR %", "FMR at most",
      ],
      rows: rows.map { row in
        let point = row.curve.point(threshold: threshold)
        let accepted = ExactInterval(events: point.falseMatches, of: row.curve.impostorCount)
        let highest =
          point.falseMatches == 0
          ? ExactInterval.ruleOfThree(trials: row.curve.impostorCount) : accepted.upperBound
        return [
          row.label, String(row.curve.genuineCount), String(point.falseNonMatches),
          Self.rate(point.falseNonMatches, of: row.curve.genuineCount),
          String(row.curve.impostorCount), String(point.falseMatches),
          Self.rate(point.falseMatches, of: row.curve.impostorCount),
          "1 in \(Int(1 / highest))",
        ]
      })
  }

  /// A share in percent with its bounds, with as many decimals as the trials are worth.
  private static func rate(_ events: Int, of trials: Int) -> String {
    let bounds = ExactInterval(events: events, of: trials)
    let places = trials > 1000 ? 4 : 2
    let text = [Double(events) / Double(trials), bounds.lowerBound, bounds.upperBound].map {
      decimals($0 * 100, places: places)
    }
    return "\(text[0]) (\(text[1])..\(text[2]))"
  }

  private static func decimals(_ value: Double, places: Int) -> String {
    let unit = (0..<places).reduce(1) { product, _ in product * 10 }
    let whole = Int((value * Double(unit)).rounded())
    let decimals = String(whole % unit)
    return "\(whole / unit)." + String(repeating: "0", count: places - decimals.count) + decimals
  }
}
