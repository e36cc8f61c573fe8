import ArgumentParser
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
