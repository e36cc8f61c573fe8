import FingerprintMatching

/// Compares probes with fingers, each enrolled from several images, and writes the scores.
///
/// Everything runs on the calling thread. Each gallery goes through ``Enrollment``, as in the
/// product, so that an image it refuses is not used. Probes and fingers are kept until the last
/// pair that needs them; an image that is both enrolled and compared is extracted for both.
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
    var prints = ExtractedPrints(folder: images, pixelsPerInch: pixelsPerInch)
    // A gallery of which nothing could be enrolled is not tried again.
    var fingers: [[String]: FingerTemplate?] = [:]
    var probes: [String: PrintFeatures] = [:]
    let last = LastUses(list)
    var timings: [Double] = []
    var rows = "probe,gallery,score\n"
    let matcher = PrintMatcher()
    var storage = MatchingStorage()
    for (number, pair) in list.enumerated() {
      if probes[pair.probe] == nil {
        probes[pair.probe] = try prints.features(of: pair.probe)
      }
      if fingers[pair.gallery] == nil {
        fingers.updateValue(try enroll(pair.gallery, &prints), forKey: pair.gallery)
      }
      var score = PrintMatcher.lowestScore
      if let probe = probes[pair.probe], let finger = fingers[pair.gallery] ?? nil {
        let duration = ContinuousClock().measure {
          score = matcher.score(probe: probe, against: finger, using: &storage)
        }
        timings.append(duration / .microseconds(1))
      }
      rows += "\(pair.row),\(score)\n"
      if last.ofProbe[pair.probe] == number { probes[pair.probe] = nil }
      if last.ofGallery[pair.gallery] == number { fingers.removeValue(forKey: pair.gallery) }
    }
    try BenchmarkFile(output).write(Array(rows.utf8))
    return """
      {"images":\(prints.names.count),"failedExtractions":\(prints.failed.count),\
      "extractMilliseconds":\(summary(prints.milliseconds)),\
      "matchMicroseconds":\(summary(timings)),"threshold":\(PrintMatcher.threshold)}
      """
  }

  /// The pair with which each probe and each gallery is last needed.
  private struct LastUses {
    private(set) var ofProbe: [String: Int] = [:]
    private(set) var ofGallery: [[String]: Int] = [:]

    init(_ pairs: [MatchPairs.Pair]) {
      for (number, pair) in pairs.enumerated() {
        ofProbe[pair.probe] = number
        ofGallery[pair.gallery] = number
      }
    }
  }

  private func enroll(
    _ gallery: [String], _ prints: inout ExtractedPrints
  ) throws(BenchmarkFailure) -> FingerTemplate? {
    var enrollment = Enrollment(isOfOneFinger: true)
    for name in gallery { _ = enrollment.add(try prints.features(of: name)) }
    return enrollment.template()
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
