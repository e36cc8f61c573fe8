import ArgumentParser
import FingerprintMatching
import Glibc

struct MatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Compare prints with fingers and write the scores.",
    discussion: "One line of JSON on standard error says how long it took, and the threshold.")

  @Option(help: ArgumentHelp("The folder of the images (PGM).", valueName: "dir"))
  var images: String

  @Option(help: ArgumentHelp("The comparisons: probe,gallery;gallery;…", valueName: "file.csv"))
  var pairs: String

  @Option(help: ArgumentHelp("Where the scores go.", valueName: "scores.csv")) var out: String
  @Option(help: "The resolution of the images, pixels per inch.") var ppi = 500

  func run() throws {
    let summary = try MatchBenchmark(
      images: images, pairs: pairs, output: out, pixelsPerInch: ppi
    ).run()
    let line = Array("\(summary)\n".utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
  }
}

/// The comparisons of a benchmark: a probe against one finger enrolled from several images.
private struct MatchPairs {
  struct Pair {
    /// As it stands in the file, repeated in the output.
    let row: String
    let probe: String
    /// The images the finger is enrolled from; not empty.
    let gallery: [String]
  }

  let pairs: [Pair]

  /// Reads `probe,gallery` rows; the gallery's images are separated by semicolons.
  ///
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
/// product, so an image it refuses is not used. Probes and fingers are kept until the last pair
/// that needs them; an image that is both enrolled and compared is extracted twice.
private struct MatchBenchmark {
  let images: String
  /// See ``MatchPairs``.
  let pairs: String
  let output: String
  let pixelsPerInch: Int

  /// Runs all comparisons, and returns what was measured.
  func run() throws(BenchmarkFailure) -> JSON {
    let list = try MatchPairs(parsing: BenchmarkFile(pairs).text(), file: pairs).pairs
    var prints = ExtractedPrints(folder: images, pixelsPerInch: pixelsPerInch)
    // Nil for a gallery that could not be enrolled, which is not tried again.
    var fingers: [[String]: FingerTemplate?] = [:]
    var probes: [String: PrintFeatures] = [:]
    // The pair with which each probe and each gallery is last needed.
    let lastOfProbe = Dictionary(list.enumerated().map { ($1.probe, $0) }) { $1 }
    let lastOfGallery = Dictionary(list.enumerated().map { ($1.gallery, $0) }) { $1 }
    var timings = Sample()
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
        score = timings.measure { matcher.score(probe: probe, against: finger, using: &storage) }
      }
      rows += "\(pair.row),\(score)\n"
      if lastOfProbe[pair.probe] == number { probes[pair.probe] = nil }
      if lastOfGallery[pair.gallery] == number { fingers.removeValue(forKey: pair.gallery) }
    }
    try BenchmarkFile(output).write(rows)
    return [
      "images": JSON(prints.names.count), "failedExtractions": JSON(prints.failed.count),
      "extractMilliseconds": prints.durations.json(in: .milliseconds(1)),
      "matchMicroseconds": timings.json(in: .microseconds(1)),
      "threshold": JSON(PrintMatcher.threshold),
    ]
  }

  private func enroll(
    _ gallery: [String], _ prints: inout ExtractedPrints
  ) throws(BenchmarkFailure) -> FingerTemplate? {
    var touches: [PrintFeatures] = []
    for name in gallery { touches.append(try prints.features(of: name)) }
    return Enrollment(touches, isOfOneFinger: true).template()
  }

}

/// Extracts the images of a folder, and records how long it took and which show no ridges.
private struct ExtractedPrints {
  private let folder: String
  private let pixelsPerInch: Int
  private let extractor = FeatureExtractor()

  /// The images that were extracted, and those of them without ridges.
  private(set) var names: Set<String> = []
  private(set) var failed: Set<String> = []
  private(set) var durations = Sample()

  init(folder: String, pixelsPerInch: Int) {
    (self.folder, self.pixelsPerInch) = (folder, pixelsPerInch)
  }

  mutating func features(of name: String) throws(BenchmarkFailure) -> PrintFeatures {
    let image = try BenchmarkFile("\(folder)/\(name)").fingerprint(pixelsPerInch: pixelsPerInch)
    let features = durations.measure { extractor.features(of: image) }
    names.insert(name)
    if !features.hasRidges { failed.insert(name) }
    return features
  }
}
