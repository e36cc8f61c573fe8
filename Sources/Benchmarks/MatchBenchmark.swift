import FingerprintMatching

/// Compares probes with fingers, each enrolled from several images, and writes the scores.
///
/// Everything runs on the calling thread. Each image is extracted once; each gallery goes through
/// ``Enrolment``, as in the product, so that an image it refuses is not used.
struct MatchBenchmark {
  /// The folder of the images.
  let images: String
  /// The file of the comparisons, see ``MatchPairs``.
  let pairs: String
  /// The file the scores are written to.
  let output: String
  /// Resolution of all images.
  let pixelsPerInch: Int

  /// Runs all comparisons.
  ///
  /// - Returns: What was measured, as one line of JSON.
  /// - Throws: ``BenchmarkFailure`` for a file that cannot be read, understood or written.
  func run() throws(BenchmarkFailure) -> String {
    let text = String(decoding: try BenchmarkFile(pairs).read(), as: UTF8.self)
    let list = try MatchPairs(parsing: text, file: pairs).pairs
    let features = try extract(Set(list.flatMap { [$0.probe] + $0.gallery }))

    var fingers: [[String]: FingerTemplate] = [:]
    var timings: [Double] = []
    var rows = "probe,gallery,score\n"
    let matcher = PrintMatcher()
    for pair in list {
      if fingers[pair.gallery] == nil {
        fingers[pair.gallery] = enrol(pair.gallery.compactMap { features.prints[$0] })
      }
      var score = PrintMatcher.lowestScore
      if let probe = features.prints[pair.probe], let finger = fingers[pair.gallery] {
        let duration = ContinuousClock().measure {
          score = matcher.score(probe: probe, against: finger)
        }
        timings.append(duration / .microseconds(1))
      }
      rows += "\(pair.row),\(score)\n"
    }
    try BenchmarkFile(output).write(Array(rows.utf8))
    return """
      {"images":\(features.prints.count),"failedExtractions":\(features.failures),\
      "extractMilliseconds":\(summary(features.milliseconds)),\
      "matchMicroseconds":\(summary(timings)),"threshold":\(PrintMatcher.threshold)}
      """
  }

  private struct Extraction {
    var prints: [String: PrintFeatures] = [:]
    var failures = 0
    var milliseconds: [Double] = []
  }

  private func extract(_ names: Set<String>) throws(BenchmarkFailure) -> Extraction {
    var result = Extraction()
    let extractor = FeatureExtractor()
    for name in names.sorted() {
      let image = try BenchmarkFile("\(images)/\(name)")
        .fingerprint(pixelsPerInch: pixelsPerInch)
      var features: PrintFeatures?
      let duration = ContinuousClock().measure { features = extractor.features(of: image) }
      result.milliseconds.append(duration / .milliseconds(1))
      if features?.hasRidges != true { result.failures += 1 }
      result.prints[name] = features
    }
    return result
  }

  private func enrol(_ touches: [PrintFeatures]) -> FingerTemplate? {
    var enrolment = Enrolment()
    for touch in touches { _ = enrolment.add(touch) }
    return enrolment.template()
  }

  /// The median and the 95th percentile, as JSON.
  private func summary(_ values: [Double]) -> String {
    let sorted = values.sorted()
    guard let last = sorted.last else { return #"{"median":0,"p95":0}"# }
    let median = sorted[sorted.count / 2]
    let p95 = sorted.dropFirst(sorted.count * 95 / 100).first ?? last
    return #"{"median":\#(rounded(median)),"p95":\#(rounded(p95))}"#
  }

  private func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
