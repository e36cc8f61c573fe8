/// Durations of one thing, done many times.
struct Sample {
  private var durations: [Duration] = []

  /// Measures `body` once.
  mutating func measure<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    let start = ContinuousClock.now
    let result = try body()
    durations.append(ContinuousClock.now - start)
    return result
  }

  /// Takes one that was measured elsewhere.
  mutating func add(_ duration: Duration) { durations.append(duration) }

  /// Half took longer. Zero where nothing was measured.
  var median: Duration { at(0.5) }

  /// One in twenty took longer.
  var slow: Duration { at(0.95) }

  private func at(_ part: Double) -> Duration {
    guard !durations.isEmpty else { return .zero }
    return durations.sorted()[min(durations.count - 1, Int(Double(durations.count) * part))]
  }

  /// How many in a second, all together.
  var perSecond: Double {
    let total = durations.reduce(.zero, +) / .seconds(1)
    return total > 0 ? Double(durations.count) / total : 0
  }

  /// `{"median":…,"p95":…}` in this unit.
  func json(in unit: Duration) -> String {
    "{\"median\":\(rounded(median / unit)),\"p95\":\(rounded(slow / unit))}"
  }
}

/// Three digits behind the point.
func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
