import Drawing
import FingerprintMatching
import MatchStatistics

/// What was measured, as the tables and charts of docs/accuracy.md.
struct AccuracyReport {
  let measurement: AccuracyMeasurement
  /// How often fingers are resampled for the intervals.
  let rounds: Int
  /// The table of durations, as `authcore-bench speed` writes it; nil where they are not measured.
  let speed: String?

  /// The files of the report: name and bytes.
  ///
  /// - Throws: ``BenchmarkFailure`` where a set has not two fingers with probes.
  func files() throws -> [(name: String, bytes: [UInt8])] {
    var files: [(name: String, bytes: [UInt8])] = []
    func add(_ chart: DETChart, _ name: String) throws {
      files.append(("\(name).svg", try chart.drawing.svg()))
      files.append(("\(name).png", try chart.drawing.png(scale: 2)))
    }
    let single = ScoreSummary(
      scores: measurement.singlePrints, sets: measurement.sets.map(\.name), rounds: rounds)
    let enrolled = ScoreSummary(
      scores: measurement.enrolledFingers, sets: measurement.sets.map(\.name), rounds: rounds)
    let patches = measurement.patches.map {
      ($0.size, ScoreSummary(scores: $0.scores, sets: measurement.sets.map(\.name), rounds: rounds))
    }
    let withinSets = try single.pooled("one against one", .withinSets)
    let acrossSets = try enrolled.pooled("five enrolled, across sets", .all)
    let patchCurves = try patches.map { try $1.pooled("\($0) px patches", .withinSets) }
    let singleSets = try single.perSet()
    try add(
      DETChart(
        title: "One print against one",
        curves: singleSets.count < 8 ? singleSets : [withinSets], marksPoints: false),
      "det-single")
    try add(
      DETChart(title: "Five prints enrolled", curves: [acrossSets], marksPoints: true),
      "det-enrolled")
    try add(
      DETChart(title: "Small sensors", curves: patchCurves, marksPoints: false), "det-patches")

    var text = [
      "# Measured accuracy", dataSection, "## One print against one", singleSets.markdown,
      "Means over the sets, each at its own threshold:", try single.means().description,
      "![Error curves of one print against one](det-single.svg)", "## Five prints enrolled",
      try
        ([acrossSets, enrolled.pooled("five enrolled, within sets", .withinSets)]
        + enrolled.perSet()).markdown, enrolment(measurement.enrolledFingers),
      "![Error curves of five prints enrolled](det-enrolled.svg)", "## Small sensors",
    ]
    for (index, (size, summary)) in patches.enumerated() {
      text += [
        "### \(size) by \(size) pixels", try ([patchCurves[index]] + summary.perSet()).markdown,
        "Means over the sets, each at its own threshold:", try summary.means().description,
        enrolment(measurement.patches[index].scores),
      ]
    }
    text += [
      "![Error curves of small sensors](det-patches.svg)", "## At the shipped threshold",
      "A touch is accepted from a score of \(PrintMatcher.threshold) on.",
      ThresholdTable(
        threshold: PrintMatcher.threshold, rows: [withinSets, acrossSets] + patchCurves
      ).table.description, ThresholdTable.note, "## Quality", qualityTable.description,
    ]
    if let speed { text += ["## Speed and memory", speed] }
    files.append(("accuracy.md", Array((text.joined(separator: "\n\n") + "\n").utf8)))
    files.append(("scores-single.csv", Array(measurement.singlePrints.csv.utf8)))
    files.append(("scores-enrolled.csv", Array(measurement.enrolledFingers.csv.utf8)))
    for (size, scores) in measurement.patches {
      files.append(("scores-patches-\(size).csv", Array(scores.csv.utf8)))
    }
    return files
  }

  private var dataSection: String {
    MarkdownTable(
      head: ["set", "fingers", "prints", "ppi", "what"],
      rows: measurement.sets.map { set in
        let prints = set.fingers.map(\.impressions.count).reduce(0, +)
        return [
          set.name, String(set.fingers.count), String(prints), String(set.pixelsPerInch),
          set.summary,
        ]
      }
    ).description
  }

  /// How many fingers and touches enrolment did not take.
  private func enrolment(_ scores: ScoredComparisons) -> String {
    let galleries = scores.plan.galleries
    let missing = galleries.count { $0.template == nil }
    let refused = galleries.map(\.refused).reduce(0, +)
    return "Of \(galleries.count) fingers \(missing) could not be enrolled; "
      + "enrolment refused \(refused) touches in all."
  }

  /// How well the quality of the worse print predicts the score of a genuine comparison.
  private var qualityTable: MarkdownTable {
    func row(_ label: String, set: Int?) -> [String] {
      let groups = measurement.singlePrints.qualities(set: set)
      let correlation = RankCorrelation(groups, rounds: rounds)
      let bounds = correlation.interval.map {
        " (\(Self.decimals($0.lowerBound))..\(Self.decimals($0.upperBound)))"
      }
      return [
        label, String(groups.map(\.count).reduce(0, +)),
        (correlation.coefficient.map(Self.decimals) ?? "none") + (bounds ?? ""),
      ]
    }
    return MarkdownTable(
      head: ["genuine comparisons", "number", "rank correlation of quality and score"],
      rows: measurement.sets.enumerated().map { row($1.name, set: $0) } + [row("all", set: nil)])
  }

  /// A number of at most one with two decimals.
  private static func decimals(_ value: Double) -> String {
    (value < 0 ? "-" : "") + ErrorRateTable.percent(abs(value) / 100)
  }
}

extension [MeasuredScores] {
  /// As a table with its note.
  fileprivate var markdown: String {
    let table = ErrorRateTable(rows: self)
    guard let note = table.note else { return table.table.description }
    return "\(table.table)\n\n\\\(note)."
  }
}
