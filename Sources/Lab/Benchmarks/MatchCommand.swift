import ArgumentParser
import FingerprintMatching
import Glibc

/// `authcore-bench match`
struct MatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Compare prints with fingers and write the scores.",
    discussion: "One line of JSON on standard error says how long it took, and the threshold.")

  @Option(help: ArgumentHelp("The folder of the images (PGM).", valueName: "dir"))
  var images: String

  @Option(
    help: ArgumentHelp("The comparisons: probe,gallery;gallery;…", valueName: "file.csv"))
  var pairs: String

  @Option(help: ArgumentHelp("Where the scores go.", valueName: "scores.csv"))
  var out: String

  @Option(help: "The resolution of the images, pixels per inch.")
  var ppi = 500

  func run() throws {
    let summary = try MatchBenchmark(
      images: images, pairs: pairs, output: out, pixelsPerInch: ppi
    ).run()
    let line = Array((summary + "\n").utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
  }
}

/// The comparisons of a benchmark: a probe against one finger enrolled from several images.
struct MatchPairs {
  struct Pair {
    /// The row as it stands in the file, repeated in the output.
    let row: String
    let probe: String
    /// The images the finger is enrolled from; not empty.
    let gallery: [String]
  }

  let pairs: [Pair]

  /// Reads `probe,gallery` rows; the gallery's images are separated by semicolons.
  ///
  /// - Parameters:
  ///   - text: The file's text.
  ///   - file: Its name, for errors.
  /// - Throws: ``BenchmarkFailure`` naming the line that cannot be understood.
  init(parsing text: String, file: String) throws(BenchmarkFailure) {
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    guard lines.first == "probe,gallery" else {
      throw BenchmarkFailure("\(file), line 1: the header must be \"probe,gallery\"")
    }
    var pairs: [Pair] = []
    for (number, line) in lines.enumerated().dropFirst() where !line.isEmpty {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      let gallery = fields.count == 2 ? fields[1].split(separator: ";").map(String.init) : []
      guard fields.count == 2, !fields[0].isEmpty, !gallery.isEmpty else {
        throw BenchmarkFailure(
          "\(file), line \(number + 1): expected \"PROBE.pgm,IMAGE.pgm;IMAGE.pgm\"")
      }
      pairs.append(Pair(row: String(line), probe: String(fields[0]), gallery: gallery))
    }
    self.pairs = pairs
  }
}

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

/// Extracts the images of a folder, and notes how long it took and which show no ridges.
struct ExtractedPrints {
  private let folder: String
  private let pixelsPerInch: Int
  private let extractor = FeatureExtractor()

  /// The images that were extracted, and those of them without ridges.
  private(set) var names: Set<String> = []
  private(set) var failed: Set<String> = []
  /// How long each extraction took.
  private(set) var milliseconds: [Double] = []

  init(folder: String, pixelsPerInch: Int) {
    (self.folder, self.pixelsPerInch) = (folder, pixelsPerInch)
  }

  /// What an image shows; nothing of it is kept.
  ///
  /// - Throws: ``BenchmarkFailure`` for an image that cannot be read.
  mutating func features(of name: String) throws(BenchmarkFailure) -> PrintFeatures {
    let image = try BenchmarkFile("\(folder)/\(name)").fingerprint(pixelsPerInch: pixelsPerInch)
    let clock = ContinuousClock()
    let start = clock.now
    let features = extractor.features(of: image)
    milliseconds.append((clock.now - start) / .milliseconds(1))
    names.insert(name)
    if !features.hasRidges { failed.insert(name) }
    return features
  }
}
