import FingerprintMatching

/// How strangers and owners fare behind one sensor's window.
struct WindowTrial: Sendable {
  /// Scores within this of the threshold are taken for a hole: a few more comparisons would pass
  /// it.
  static let margin = 2.0

  /// The comparisons of one protocol.
  struct Outcome: Sendable {
    /// What the probes are compared with.
    let gallery: String
    let scores: ScoredComparisons

    private var strangers: [ScoredComparisons.Row] { scores.rows.filter { !isOwner($0) } }
    private var owners: [ScoredComparisons.Row] { scores.rows.filter(isOwner) }

    private func isOwner(_ row: ScoredComparisons.Row) -> Bool {
      scores.plan.probes[row.probe].finger == scores.plan.galleries[row.gallery].finger
    }

    /// The comparison of strangers with the highest score; nil where there is none.
    var worst: ScoredComparisons.Row? { strangers.max { $0.score < $1.score } }

    /// Who the strangers with the highest score are; nothing where there are none.
    var worstNames: String {
      guard let worst else { return "" }
      let (probe, gallery) = (scores.plan.probes[worst.probe], scores.plan.galleries[worst.gallery])
      return "\(probe.touch.name) with \(gallery.name)"
    }

    /// The cells of a table's row, see ``head``.
    var cells: [String] {
      let strangers = strangers.map(\.score)
      let owners = owners.map(\.score)
      let refused = owners.count { $0 < PrintMatcher.threshold }
      return [
        gallery, String(strangers.count), strangers.max().map(ErrorRateTable.decimal) ?? "none",
        String(strangers.count { $0 >= PrintMatcher.threshold - WindowTrial.margin }),
        String(strangers.count { $0 >= PrintMatcher.threshold }), String(owners.count),
        String(refused), ErrorRateTable.share(refused, of: owners.count),
      ]
    }

    static let head = [
      "against", "strangers", "highest", "within 2", "accepted", "owners", "refused", "refused %",
    ]
  }

  let sensor: WindowedSensor
  /// Whether the sensor told the matcher where its pad ends.
  let saysExtents: Bool
  let outcomes: [Outcome]

  /// Looks at all fingers through a sensor, and compares probes with fingers enrolled from five
  /// prints and from one.
  ///
  /// - Throws: ``BenchmarkFailure`` for a picture that the sensor cannot show.
  init(_ fingers: [PicturedFinger], sensor: WindowedSensor, saysExtents: Bool) async throws {
    (self.sensor, self.saysExtents) = (sensor, saysExtents)
    let seen = try await concurrentMap(fingers) {
      try $0.sampled(by: sensor, saysExtents: saysExtents)
    }
    outcomes = [
      Outcome(
        gallery: "five", scores: try await ComparisonProtocol.enrolledFingers(seen).scores()),
      Outcome(gallery: "one", scores: try await ComparisonProtocol.firstPrints(of: seen).scores()),
    ]
  }

  /// The rows of this trial, see ``head``.
  var rows: [[String]] {
    outcomes.map { [sensor.name, saysExtents ? "said" : "not said"] + $0.cells }
  }

  static let head = ["window", "extents"] + Outcome.head
}
