import FingerprintMatching

/// What was measured, as the tables and charts of docs/accuracy.md.
struct AccuracyReport {
  struct File {
    let name: String
    let bytes: [UInt8]

    init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }

    init(name: String, text: String) { self.init(name: name, bytes: Array(text.utf8)) }
  }

  let measurement: AccuracyMeasurement
  let rounds: Int
  /// The table of durations, as `authcore-bench speed` writes it, or nil if they are not measured.
  let speed: String?

  /// - Throws: ``BenchmarkFailure`` if a set does not have two fingers with probes.
  func files() throws -> [File] {
    let single = try singleSection()
    let enrolled = try enrolledSection()
    let patches = try patchSections()
    let pooled = [single.pooled, enrolled.pooled] + patches.pooled
    var text = [
      "# Measured accuracy: " + measurement.sets.map(\.name).joined(separator: ", "),
      "Written by `authcore-bench accuracy`. What the figures mean is in docs/accuracy.md.",
      dataTable.description,
    ]
    text += single.text + enrolled.text + patches.text
    text += [
      "## At the shipped threshold",
      "A touch is accepted from a score of \(PrintMatcher.threshold) on.",
      ThresholdTable(threshold: PrintMatcher.threshold, rows: pooled).table.description,
      ThresholdTable.note, "## Quality", qualityTable.description,
    ]
    if let speed { text += ["## Speed and memory", speed] }
    let charts = try [single.chart, enrolled.chart, patches.chart].flatMap { name, chart in
      [
        File(name: "\(name).svg", bytes: try chart.drawing.svg()),
        File(name: "\(name).png", bytes: try chart.drawing.png(scale: 2)),
      ]
    }
    let report = File(name: "accuracy.md", text: text.joined(separator: "\n\n") + "\n")
    return charts + [report] + scoreFiles
  }

  private typealias Chart = (name: String, chart: DETChart)

  private func summary(_ scores: ScoredComparisons) -> ScoreSummary {
    ScoreSummary(scores: scores, sets: measurement.sets.map(\.name), rounds: rounds)
  }

  private func singleSection() throws -> (text: [String], chart: Chart, pooled: MeasuredScores) {
    let summary = summary(measurement.singlePrints)
    let sets = try summary.perSet()
    let pooled = try summary.pooled("one against one", .withinSets)
    let chart = DETChart(
      title: "One print against one", curves: sets.count <= Color.distinct.count ? sets : [pooled],
      marksPoints: false)
    let text = [
      "## One print against one", sets.markdown, Self.meansTitle,
      try summary.means().description, "![Error curves of one print against one](det-single.svg)",
    ]
    return (text, ("det-single", chart), pooled)
  }

  private func enrolledSection() throws -> (text: [String], chart: Chart, pooled: MeasuredScores) {
    let summary = summary(measurement.enrolledFingers)
    let pooled = try summary.pooled("five enrolled, across sets", .all)
    let within = try summary.pooled("five enrolled, within sets", .withinSets)
    let chart = DETChart(title: "Five prints enrolled", curves: [pooled], marksPoints: true)
    let text = [
      "## Five prints enrolled", ([pooled, within] + (try summary.perSet())).markdown,
      enrollment(measurement.enrolledFingers),
      "![Error curves of five prints enrolled](det-enrolled.svg)",
    ]
    return (text, ("det-enrolled", chart), pooled)
  }

  private func patchSections() throws -> (text: [String], chart: Chart, pooled: [MeasuredScores]) {
    var text = ["## Small sensors"]
    var curves: [MeasuredScores] = []
    for (size, scores) in measurement.patches {
      let summary = summary(scores)
      let pooled = try summary.pooled("\(size) px patches", .withinSets)
      text += [
        "### \(size) by \(size) pixels", ([pooled] + (try summary.perSet())).markdown,
        Self.meansTitle, try summary.means().description, enrollment(scores),
      ]
      curves.append(pooled)
    }
    text.append("![Error curves of small sensors](det-patches.svg)")
    let chart = DETChart(title: "Small sensors", curves: curves, marksPoints: false)
    return (text, ("det-patches", chart), curves)
  }

  private static let meansTitle = "Means over the sets, each at its own threshold:"

  private var scoreFiles: [File] {
    [
      File(name: "scores-single.csv", text: measurement.singlePrints.csv),
      File(name: "scores-enrolled.csv", text: measurement.enrolledFingers.csv),
    ]
      + measurement.patches.map { File(name: "scores-patches-\($0.size).csv", text: $0.scores.csv) }
  }

  private var dataTable: MarkdownTable {
    MarkdownTable(
      head: ["set", "fingers", "prints", "ppi", "what"],
      rows: measurement.sets.map { set in
        let prints = set.fingers.map(\.impressions.count).reduce(0, +)
        return [
          set.name, String(set.fingers.count), String(prints), String(set.pixelsPerInch),
          set.summary,
        ]
      })
  }

  private func enrollment(_ scores: ScoredComparisons) -> String {
    let galleries = scores.plan.galleries
    let missing = galleries.count { $0.template == nil }
    let refused = galleries.map(\.refused).reduce(0, +)
    return "Of \(galleries.count) fingers \(missing) could not be enrolled; "
      + "enrollment refused \(refused) touches in all."
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
  fileprivate var markdown: String {
    let table = ErrorRateTable(rows: self)
    guard let note = table.note else { return table.table.description }
    return "\(table.table)\n\n\\\(note)."
  }
}

/// The scores of a protocol by sets, pooled and as means.
private struct ScoreSummary {
  let scores: ScoredComparisons
  let sets: [String]
  let rounds: Int

  /// Some scores at one threshold.
  ///
  /// - Throws: ``BenchmarkFailure`` unless there are genuine and impostor comparisons.
  func pooled(_ label: String, _ scope: ScoredComparisons.Scope) throws -> MeasuredScores {
    MeasuredScores(try list(scope, of: label), label: label, rounds: rounds)
  }

  func perSet() throws -> [MeasuredScores] {
    try sets.enumerated().map { number, name in try pooled(name, .set(number)) }
  }

  /// The means over the sets, each at its own threshold.
  func means() throws -> MarkdownTable {
    let lists = try sets.enumerated().map { number, name in try list(.set(number), of: name) }
    let rates: [ErrorRate] = [.eer, .fmr100, .fmr1000, .zeroFMR]
    let limits = rates.compactMap(\.fmrLimit)
    let bootstrap =
      rounds > 0 ? FingerBootstrap(meanOf: lists, fmrLimits: limits, rounds: rounds) : nil
    let curves = lists.map { ErrorCurve($0) }
    let cells = rates.map { rate in
      let mean = curves.map { rate.value(on: $0) }.reduce(0, +) / Double(curves.count)
      let counted = ExactInterval(
        events: curves.map { rate.point(on: $0).falseNonMatches }.reduce(0, +),
        of: curves.map(\.genuineCount).reduce(0, +))
      let resampled =
        rate.fmrLimit.flatMap { limits.firstIndex(of: $0) }
        .map { bootstrap?.falseNonMatchRate(atLimit: $0) } ?? bootstrap?.equalErrorRate
      return ErrorRateTable.percent(mean)
        + ErrorRateTable.interval(resampled.map { counted.widening($0) })
    }
    return MarkdownTable(
      head: ["mean of"] + rates.map { "\($0.rawValue) %" }, rows: [["\(sets.count) sets"] + cells])
  }

  private func list(_ scope: ScoredComparisons.Scope, of label: String) throws -> ScoreList {
    guard let list = scores.list(scope) else {
      throw BenchmarkFailure(
        "\(label): at least two fingers with more than \(SampledFinger.enrolled) prints are needed")
    }
    return list
  }
}
