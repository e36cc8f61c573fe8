import ArgumentParser
import FingerprintMatching

/// `authcore-bench explain`
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Draw every step of comparing two prints.",
    discussion: """
      Writes a picture of each step and index.html, which shows them with the score. The pictures \
      are as secret as the prints, and readable by you alone.
      """)

  @Argument(help: ArgumentHelp("The touch.", valueName: "a.pgm"))
  var probe: String

  @Argument(help: ArgumentHelp("The enrolled print.", valueName: "b.pgm"))
  var gallery: String

  @Option(help: ArgumentHelp("The folder to write into.", valueName: "dir"))
  var out: String

  @Option(help: "The resolution of both images, pixels per inch.")
  var ppi = 500

  func run() throws {
    let explanation = MatchExplanation(
      probe: try BenchmarkFile(probe).fingerprint(pixelsPerInch: ppi),
      gallery: try BenchmarkFile(gallery).fingerprint(pixelsPerInch: ppi))
    let files = [probe, gallery].map { String($0.split(separator: "/").last ?? "") }
    let pairs = explanation.alignment?.pairs ?? []
    let prints = [
      PrintPictures(
        letter: "A", file: files[0], print: explanation.probe,
        isPaired: Self.marks(pairs.map(\.probe), of: explanation.probe)),
      PrintPictures(
        letter: "B", file: files[1], print: explanation.gallery,
        isPaired: Self.marks(pairs.map(\.gallery), of: explanation.gallery)),
    ].map(\.pictures)
    let pair =
      (explanation.alignment.map {
        PairPictures(explanation: explanation, alignment: $0).pictures
      } ?? [])
      + (explanation.ridges.map { RidgePictures(explanation: explanation, ridges: $0).pictures }
        ?? [])

    try BenchmarkFile(out).makeFolder(0o700)
    for picture in prints.joined() + pair {
      try BenchmarkFile("\(out)/\(picture.name).png").write(
        try picture.drawing.png(), isPrivate: true)
    }
    let page = ExplanationPage(
      explanation: explanation, files: files, printPictures: prints, pairPictures: pair)
    try BenchmarkFile("\(out)/index.html").write(Array(page.html.utf8), isPrivate: true)
    print("\(out)/index.html: score \(explanation.score), threshold \(PrintMatcher.threshold)")
  }

  /// Which of a print's minutiae are among the numbers.
  private static func marks(_ numbers: [Int], of print: PrintExplanation) -> [Bool] {
    print.features.minutiae.indices.map(numbers.contains)
  }
}
