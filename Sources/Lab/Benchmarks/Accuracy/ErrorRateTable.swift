import Glibc

/// Error rates as a Markdown table, in percent, with 95 % intervals where they are known.
struct ErrorRateTable: CustomStringConvertible {
  let rows: [MeasuredScores]

  var description: String { table.description + (note.map { "\n\($0)" } ?? "") }

  var table: MarkdownTable {
    MarkdownTable(
      head: ["scores", "genuine", "impostor", "failed"]
        + ErrorRate.allCases.map { "\($0.rawValue) %" },
      rows: rows.map(Self.cells))
  }

  /// What an asterisk in the table means, or nil if it has none.
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

  /// An interval in percent as it stands behind a figure; empty if unknown.
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

  /// Prints the table, and writes it to a file below a heading if a file is given.
  func report(under heading: String, to file: String?) throws(BenchmarkFailure) {
    print(self)
    if let file { try BenchmarkFile(file).write("\(heading)\n\n\(self)\n") }
  }

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

/// The scores of one matcher with everything that tables and charts show.
struct MeasuredScores {
  /// FMRs at which the charts' bands are known: sixteen a decade, from 0.001 % to 100 %.
  static let bandLimits: [Double] = (0...80).map { pow(10, -5 + Double($0) / 16) }

  let label: String
  let curve: ErrorCurve
  /// 95 % intervals: on each side the wider of those by resampling fingers and by the number of
  /// false non-matches, since few errors are resampled badly and no error not at all.
  let intervals: [ErrorRate: ClosedRange<Double>]
  /// 95 % intervals of the FNMR at each of ``bandLimits``.
  let band: [ClosedRange<Double>?]

  /// - `rounds`: How often fingers are resampled; 0 for no intervals.
  init(_ scores: ScoreList, label: String, rounds: Int) {
    self.label = label
    let curve = ErrorCurve(scores)
    self.curve = curve
    guard rounds > 0 else {
      intervals = [:]
      band = []
      return
    }
    let points = ErrorRate.allCases.filter { $0.fmrLimit != nil }
    let bootstrap = FingerBootstrap(
      scores, fmrLimits: points.compactMap(\.fmrLimit) + Self.bandLimits, rounds: rounds)
    var intervals: [ErrorRate: ClosedRange<Double>] = [:]
    for rate in ErrorRate.allCases {
      let exact = ExactInterval(
        events: rate.point(on: curve).falseNonMatches, of: curve.genuineCount)
      let resampled =
        points.firstIndex(of: rate).map { bootstrap.falseNonMatchRate(atLimit: $0) }
        ?? bootstrap.equalErrorRate
      intervals[rate] = resampled.map { exact.widening($0) }
    }
    self.intervals = intervals
    band = Self.bandLimits.indices.map { bootstrap.falseNonMatchRate(atLimit: points.count + $0) }
  }
}

/// Errors at one threshold, with exact bounds.
struct ThresholdTable {
  let threshold: Double
  let rows: [MeasuredScores]

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
