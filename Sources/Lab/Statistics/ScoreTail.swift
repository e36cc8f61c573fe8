/// How many comparisons of strangers scored how high: enough to say how often a threshold errs, and
/// small enough to keep of millions.
package struct ScoreTail: Hashable, Sendable {
  /// Width of a bin. Thresholds between two bins are rounded down.
  package static let step = 0.5
  /// Bins from 0 on; the last one has all scores beyond.
  package static let bins = 80

  /// Comparisons, those with scores below 0 too.
  package private(set) var comparisons = 0
  /// The highest score; minus infinity where there is none.
  package private(set) var highest = -Double.infinity
  private var counts = [Int](repeating: 0, count: ScoreTail.bins)

  package init() {}

  /// Counts a comparison.
  package mutating func add(_ score: Double) {
    comparisons += 1
    highest = max(highest, score)
    guard score >= 0 else { return }
    counts[Int(min(score / Self.step, Double(Self.bins - 1)))] += 1
  }

  /// Counts all that another has counted.
  package mutating func add(_ other: ScoreTail) {
    comparisons += other.comparisons
    highest = max(highest, other.highest)
    for bin in counts.indices { counts[bin] += other.counts[bin] }
  }

  /// Comparisons that a threshold accepts; it is rounded down to a whole number of ``step``s.
  package func count(atLeast threshold: Double) -> Int {
    let first = Int(min(max(threshold / Self.step, 0), Double(Self.bins - 1)))
    return counts[first...].reduce(0, +)
  }
}

extension ScoreTail {
  /// As fields of a table: the comparisons, the highest score and the bins.
  package var fields: [String] {
    [String(comparisons), String(highest)] + counts.map { String($0) }
  }

  /// Reads what ``fields`` gave; nil for anything else.
  package init?(fields: [Substring]) {
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
