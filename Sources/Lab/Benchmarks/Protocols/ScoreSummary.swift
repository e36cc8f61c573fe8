/// The scores of a protocol by sets, pooled and as means.
struct ScoreSummary {
  let scores: ScoredComparisons
  /// The names of the sets, by their numbers.
  let sets: [String]
  let rounds: Int

  /// Some scores at one threshold.
  ///
  /// - Throws: ``BenchmarkFailure`` where there is no genuine or no impostor comparison.
  func pooled(
    _ label: String, _ scope: ScoredComparisons.Scope
  ) throws(BenchmarkFailure) -> MeasuredScores {
    MeasuredScores(try list(scope, of: label), label: label, rounds: rounds)
  }

  /// The scores of each set.
  func perSet() throws(BenchmarkFailure) -> [MeasuredScores] {
    var result: [MeasuredScores] = []
    for (number, name) in sets.enumerated() { result.append(try pooled(name, .set(number))) }
    return result
  }

  /// The means over the sets, each at its own threshold.
  func means() throws(BenchmarkFailure) -> MarkdownTable {
    var lists: [ScoreList] = []
    for (number, name) in sets.enumerated() { lists.append(try list(.set(number), of: name)) }
    let rates: [ErrorRate] = [.eer, .fmr100, .fmr1000, .zeroFMR]
    let limits = rates.compactMap(\.fmrLimit)
    let bootstrap =
      rounds > 0 ? FingerBootstrap(meanOf: lists, fmrLimits: limits, rounds: rounds) : nil
    let curves = lists.map { ErrorCurve($0) }
    let cells = rates.map { rate in
      let mean = curves.map { rate.value(on: $0) }.reduce(0, +) / Double(curves.count)
      let points = curves.map { curve in
        rate.fmrLimit.map { curve.point(fmrAtMost: $0) } ?? curve.balance
      }
      let counted = ExactInterval(
        events: points.map(\.falseNonMatches).reduce(0, +),
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

  private func list(
    _ scope: ScoredComparisons.Scope, of label: String
  ) throws(BenchmarkFailure) -> ScoreList {
    guard let list = scores.list(scope) else {
      throw BenchmarkFailure(
        "\(label): at least two fingers with more than \(SampledFinger.enrolled) prints are needed")
    }
    return list
  }
}
