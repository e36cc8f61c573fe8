import FingerprintMatching
import Glibc

/// Climbs hills for touches that open many fingers.
struct MasterPrintSearch: Sendable {
  /// A touch and its scores with the fingers it is searched with.
  struct Candidate: Sendable {
    let touch: ForgedTouch
    let features: PrintFeatures
    let scores: [Double]

    /// How near it is to opening fingers, most for those that it opens.
    var promise: Double {
      scores.reduce(0) { $0 + exp(min($1 - PrintMatcher.threshold, 0) / MasterPrintSearch.slope) }
    }

    /// The numbers of the fingers it opens.
    var opened: Set<Int> { Set(scores.indices.filter { scores[$0] >= PrintMatcher.threshold }) }
  }

  /// By how much a score must rise to be worth e times as much.
  static let slope = 3.0
  /// Share of the candidates that are drawn by chance, before hills are climbed.
  static let drawn = 0.3
  /// Hills that are climbed at once.
  static let hills = 8
  /// Touches before a sensor asks for the passcode.
  static let tries = 5

  /// Every touch that was tried.
  private(set) var candidates: [Candidate] = []
  private let sensor: (width: Int, height: Int)
  private let known: [FingerTemplate]

  /// Searches.
  ///
  /// - Parameters:
  ///   - count: Touches that are tried.
  ///   - known: The fingers they are tried with.
  ///   - sensor: Its columns and rows at 500 ppi.
  ///   - seed: The same seed gives the same touches.
  ///   - report: Told what was reached.
  /// - Throws: ``BenchmarkFailure`` for a sensor that no picture can be of.
  init(
    _ count: Int, known: [FingerTemplate], sensor: (width: Int, height: Int), seed: UInt64,
    report: (String) -> Void
  ) async throws {
    (self.sensor, self.known) = (sensor, known)
    var numbers = RandomNumbers(seed: seed)
    let first = max(1, Int(Double(count) * Self.drawn))
    candidates = try await tried((0..<first).map { _ in ForgedTouch(from: &numbers) })
    var hills = Array(candidates.sorted { $0.promise > $1.promise }.prefix(Self.hills))
    report("\(first) parts of prints: \(summary)")
    while candidates.count < count {
      let steps = hills.prefix(count - candidates.count).map { $0.touch.changed(from: &numbers) }
      let reached = try await tried(steps)
      for (hill, candidate) in reached.enumerated() where candidate.promise > hills[hill].promise {
        hills[hill] = candidate
      }
      candidates += reached
      if candidates.count % 100 < reached.count {
        report("\(candidates.count) touches: \(summary)")
      }
    }
  }

  /// The touches that open most fingers together, each chosen for what those before it leave.
  var best: [Candidate] {
    var (chosen, opened): ([Candidate], Set<Int>) = ([], [])
    for _ in 0..<Self.tries {
      let next = candidates.max { first, second in
        let (one, other) = (first.opened.subtracting(opened), second.opened.subtracting(opened))
        return (one.count, first.promise) < (other.count, second.promise)
      }
      guard let next else { break }
      chosen.append(next)
      opened.formUnion(next.opened)
    }
    return chosen
  }

  private var summary: String {
    let most = candidates.map { $0.opened.count }.max() ?? 0
    let highest = candidates.lazy.flatMap(\.scores).max() ?? PrintMatcher.lowestScore
    return "one opens \(most) of \(known.count) fingers; highest score "
      + ErrorRateTable.decimal(highest)
  }

  private func tried(_ touches: [ForgedTouch]) async throws -> [Candidate] {
    let (sensor, known) = (sensor, known)
    return try await concurrentMap(touches) { touch in
      let picture = touch.picture(width: sensor.width, height: sensor.height)
      let image = try picture.fingerprint(named: "a touch", pixelsPerInch: 500)
      let features = FeatureExtractor().features(of: image)
      return Candidate(touch: touch, features: features, scores: features.scores(with: known))
    }
  }
}

extension PrintFeatures {
  /// The touch's scores with some fingers, in their order.
  func scores(with fingers: [FingerTemplate]) -> [Double] {
    let matcher = PrintMatcher()
    var storage = MatchingStorage()
    return fingers.map { matcher.score(probe: self, against: $0, using: &storage) }
  }
}
