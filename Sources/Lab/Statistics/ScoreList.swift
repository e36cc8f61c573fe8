/// The scores of one matcher on one set of comparisons, at least one of each kind.
struct ScoreList: Sendable {
  /// Different for each.
  let fingers: [String]
  let comparisons: [ComparisonScore]

  /// Nil unless there are genuine and impostor comparisons.
  ///
  /// - Precondition: Every finger number is one of `fingers`.
  init?(fingers: [String], comparisons: [ComparisonScore]) {
    for comparison in comparisons {
      precondition(fingers.indices.contains(comparison.probeFinger), "an unknown finger")
      precondition(fingers.indices.contains(comparison.galleryFinger), "an unknown finger")
    }
    guard comparisons.contains(where: \.isGenuine),
      comparisons.contains(where: { !$0.isGenuine })
    else { return nil }
    (self.fingers, self.comparisons) = (fingers, comparisons)
  }

  /// The scores of comparisons of a finger with itself.
  var genuine: [Double] { comparisons.lazy.filter(\.isGenuine).map(\.score) }
  /// The scores of comparisons of different fingers.
  var impostor: [Double] { comparisons.lazy.filter { !$0.isGenuine }.map(\.score) }
}

// MatchStatistics: how often a matcher errs, from the scores of comparisons whose truth is known.

/// The score of one comparison, and whose fingers were compared.
struct ComparisonScore: Hashable, Sendable {
  /// An index of ``ScoreList/fingers``.
  let probeFinger: Int
  let galleryFinger: Int
  let isGenuine: Bool
  /// Larger is more alike; minus infinity for a comparison that could not be made, which no
  /// threshold accepts.
  let score: Double

  /// - Precondition: `score` is not NaN.
  init(probeFinger: Int, galleryFinger: Int, isGenuine: Bool, score: Double) {
    precondition(!score.isNaN, "a score must be a number")
    self.probeFinger = probeFinger
    self.galleryFinger = galleryFinger
    self.isGenuine = isGenuine
    self.score = score
  }
}

/// How many comparisons of strangers scored how high: enough to say how often a threshold errs, and
/// small enough to keep of millions.
struct ScoreTail: Hashable, Sendable {
  /// Width of a bin. Thresholds between two bins are rounded down.
  static let step = 0.5
  /// Bins from 0; the last one has all scores beyond.
  static let bins = 80

  /// Including those with scores below 0.
  private(set) var comparisons = 0
  /// Minus infinity if there is none.
  private(set) var highest = -Double.infinity
  private var counts = [Int](repeating: 0, count: ScoreTail.bins)

  init() {}

  mutating func add(_ score: Double) {
    comparisons += 1
    highest = max(highest, score)
    guard score >= 0 else { return }
    counts[Int(min(score / Self.step, Double(Self.bins - 1)))] += 1
  }

  mutating func add(_ other: ScoreTail) {
    comparisons += other.comparisons
    highest = max(highest, other.highest)
    for bin in counts.indices { counts[bin] += other.counts[bin] }
  }

  /// Comparisons that a threshold accepts; it is rounded down to a whole number of ``step``s.
  func count(atLeast threshold: Double) -> Int {
    let first = Int(min(max(threshold / Self.step, 0), Double(Self.bins - 1)))
    return counts[first...].reduce(0, +)
  }
}

extension ScoreTail {
  /// As fields of a table: the comparisons, the highest score and the bins.
  var fields: [String] { [String(comparisons), String(highest)] + counts.map { String($0) } }

  /// Reads what ``fields`` gave; nil for anything else.
  init?(fields: [Substring]) {
    guard fields.count == Self.bins + 2, let comparisons = Int(fields[0]), comparisons >= 0,
      let highest = Double(fields[1]), !highest.isNaN
    else { return nil }
    let counts = fields.dropFirst(2).compactMap { Int($0) }
    guard counts.count == Self.bins, counts.allSatisfy({ (0...comparisons).contains($0) }) else {
      return nil
    }
    (self.comparisons, self.highest, self.counts) = (comparisons, highest, counts)
  }
}
