import FingerprintMatching
import SyntheticPrints

/// What rounds of comparisons gave so far, in a file that later runs add to.
struct TailFile {
  /// The comparisons of one round.
  struct Row {
    /// What was compared.
    let name: String
    let tail: ScoreTail
  }

  private(set) var rows: [Row] = []
  private let path: String
  private let head: String

  /// Opens a file, or begins one where there is none.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - settings: What the comparisons depend on besides the matcher.
  /// - Throws: ``BenchmarkFailure`` for a file that cannot be read, or that other settings or
  ///   another matcher wrote.
  init(_ path: String, settings: String) throws {
    self.path = path
    head = "# \(settings), matcher \(try Self.matcherCheck())"
    guard BenchmarkFile(path).exists else { return }
    let lines = String(decoding: try BenchmarkFile(path).read(), as: UTF8.self)
      .split(separator: "\n")
    guard let first = lines.first, first == head else {
      throw BenchmarkFailure(
        "\(path) was written with other settings or by another matcher: choose another file")
    }
    for (number, line) in lines.enumerated().dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard let name = fields.first, let tail = ScoreTail(fields: Array(fields.dropFirst())) else {
        throw BenchmarkFailure("\(path), line \(number + 1): expected a round and its counts")
      }
      rows.append(Row(name: String(name), tail: tail))
    }
  }

  /// Adds a round, and writes the file.
  ///
  /// - Throws: ``BenchmarkFailure`` for a file that cannot be written.
  mutating func add(_ row: Row) throws(BenchmarkFailure) {
    rows.append(row)
    let lines = [head] + rows.map { ([$0.name] + $0.tail.fields).joined(separator: ",") }
    try BenchmarkFile(path).write(Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  /// A number that another matcher would hardly give: scores of some prints, added.
  private static func matcherCheck() throws(BenchmarkFailure) -> Double {
    let extractor = FeatureExtractor()
    let prints = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)] as [(UInt64, UInt64)]
    var features: [PrintFeatures] = []
    for (finger, impression) in prints {
      let picture = SyntheticFinger(seed: finger).impression(seed: impression)
      let image = try picture.fingerprint(
        named: "a print", pixelsPerInch: SyntheticFinger.pixelsPerInch)
      features.append(extractor.features(of: image))
    }
    var sum = 0.0
    for print in features {
      var enrollment = Enrollment()
      _ = enrollment.add(print)
      guard let template = enrollment.template() else { continue }
      for other in features { sum += PrintMatcher().score(probe: other, against: template) }
    }
    return sum
  }
}
