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
