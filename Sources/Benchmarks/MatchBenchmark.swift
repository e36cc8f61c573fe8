import FingerprintMatching
import Glibc
import GreyImage

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
  /// - Throws: ``MatchBenchmarkError`` for a file that cannot be read, understood or written.
  func run() throws(MatchBenchmarkError) -> String {
    let text = String(decoding: try read(pairs), as: UTF8.self)
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
    try write(Array(rows.utf8), to: output)
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

  private func extract(_ names: Set<String>) throws(MatchBenchmarkError) -> Extraction {
    var result = Extraction()
    let extractor = FeatureExtractor()
    for name in names.sorted() {
      let image = try fingerprint("\(images)/\(name)")
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

  private func fingerprint(_ path: String) throws(MatchBenchmarkError) -> FingerprintImage {
    let bytes = try read(path)
    do {
      let picture = try GreyImage(decodingPGM: bytes)
      return try FingerprintImage(
        width: picture.width, height: picture.height, pixelsPerInch: pixelsPerInch,
        pixels: picture.pixels)
    } catch let error as FingerprintImageError {
      throw MatchBenchmarkError("\(path): \(error.message) \(error.hint)")
    } catch {
      throw MatchBenchmarkError("\(path): \(error)")
    }
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

  private func read(_ path: String) throws(MatchBenchmarkError) -> [UInt8] {
    guard let file = unsafe fopen(path, "r") else {
      throw MatchBenchmarkError("cannot open \(path): \(reason(of: errno))")
    }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe fread(&chunk, 1, chunk.count, file)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    guard unsafe ferror(file) == 0 else {
      throw MatchBenchmarkError("cannot read \(path): \(reason(of: errno))")
    }
    return bytes
  }

  private func write(_ bytes: [UInt8], to path: String) throws(MatchBenchmarkError) {
    guard let file = unsafe fopen(path, "w") else {
      throw MatchBenchmarkError("cannot create \(path): \(reason(of: errno))")
    }
    let written = unsafe fwrite(bytes, 1, bytes.count, file)
    let closed = unsafe fclose(file)
    guard written == bytes.count, closed == 0 else {
      throw MatchBenchmarkError("cannot write \(path): \(reason(of: errno))")
    }
  }

  private func reason(of code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
