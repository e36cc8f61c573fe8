/// How many lines later the second row of the sensor sees what the first row saw: for every other
/// line.
struct LineOffsets: Equatable, Sendable {
  /// For lines 0, 2, 4 … the number of lines.
  private(set) var offsets: [Int] = []
  /// For the same lines, the smallest deviation over the mean of those looked at, 0...1.
  private(set) var ambiguities: [Double] = []

  /// `deviation` is small where the two lines show the same skin; see
  /// ``LineSeries/assembled(_:deviation:)``.
  init(count: Int, searchRange: Int, deviation: (Int, Int) -> Int) {
    for line in stride(from: 0, to: count - 1, by: 2) {
      var best = (offset: 1, deviation: Int.max)
      var sum = 0.0
      let last = min(line + searchRange, count - 1)
      for other in line + 1...last {
        let found = deviation(line, other)
        sum += Double(found)
        if found < best.deviation { best = (other - line, found) }
      }
      offsets.append(best.offset)
      let mean = sum / Double(last - line)
      ambiguities.append(mean > 0 ? Double(best.deviation) / mean : 1)
    }
  }

  /// The offsets after a median filter; the last one stays as it is.
  func smoothed(medianSize: Int) -> [Int] {
    var result = offsets
    let end = offsets.count - 1
    let reach = (medianSize - 1) / 2
    for index in 0..<max(end, 0) {
      let window = offsets[max(0, index - reach)...min(end - 1, index + reach)].sorted()
      result[index] = window[window.count / 2]
    }
    return result
  }
}
