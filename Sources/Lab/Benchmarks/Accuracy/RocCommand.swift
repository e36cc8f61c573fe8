import ArgumentParser

struct RocCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roc",
    abstract: "Draw error curves of scores and print error rates.",
    discussion: """
      Writes NAME.svg and NAME.png and prints a table. A file of scores has the columns \
      probe,gallery,score, as "match" writes them, or db,a,b,genuine,score. A finger is what \
      stands before the last "_" of an image's name, in its folder.
      """)

  @Argument(help: ArgumentHelp("Files of scores; each is one curve.", valueName: "scores.csv"))
  var scores: [String]

  @Option(help: ArgumentHelp("Where the charts go, without an extension.", valueName: "name"))
  var out: String

  @Option(help: ArgumentHelp("What a file is called in the chart; in order.", valueName: "text"))
  var label: [String] = []

  @Option(help: ArgumentHelp("What stands above the chart.", valueName: "text"))
  var title = "Detection error trade-off"

  @Option(help: "How often fingers are resampled; 0 for no intervals.") var rounds = 2000
  @Flag(help: "Mark the FNMR at a FMR of 1/100, 1/1000, 1/10000 and 1/50000.") var fmrPoints = false

  func validate() throws {
    if !label.isEmpty && label.count != scores.count {
      throw ValidationError(
        "\(scores.count) files need \(scores.count) labels, not \(label.count).")
    }
    if scores.count > Color.distinct.count {
      throw ValidationError("One chart shows at most \(Color.distinct.count) curves.")
    }
    try check(rounds, in: 0...100_000, "--rounds")
  }

  func run() throws {
    var measured: [MeasuredScores] = []
    for (index, path) in scores.enumerated() {
      let text = try BenchmarkFile(path).text()
      do throws(ScoreFileError) {
        measured.append(
          MeasuredScores(
            try ScoreFile.scores(in: text, file: path),
            label: label.isEmpty ? Self.name(of: path) : label[index], rounds: rounds))
      } catch {
        throw BenchmarkFailure(error.description)
      }
    }
    let chart = DETChart(title: title, curves: measured, marksPoints: fmrPoints).drawing
    let (svg, png) = (try chart.svg(), try chart.png(scale: 2))
    try BenchmarkFile(out + ".svg").write(svg)
    try BenchmarkFile(out + ".png").write(png)
    print(ErrorRateTable(rows: measured))
  }

  private static func name(of path: String) -> String {
    let file = path.split(separator: "/").last ?? Substring(path)
    guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return String(file) }
    return String(file[..<dot])
  }
}
