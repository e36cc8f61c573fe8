import ArgumentParser
import FingerprintMatching

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Draw every step of comparing two prints.",
    discussion: """
      Writes a picture of each step and index.html, which shows them with the score. The pictures \
      are as secret as the prints, and readable by you alone.
      """)

  @Argument(help: ArgumentHelp("The touch.", valueName: "a.pgm")) var probe: String
  @Argument(help: ArgumentHelp("The enrolled print.", valueName: "b.pgm")) var gallery: String
  @Option(help: ArgumentHelp("The folder to write into.", valueName: "dir")) var out: String
  @Option(help: "The resolution of both images, pixels per inch.") var ppi = 500

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
    try BenchmarkFile("\(out)/index.html").write(page.html, isPrivate: true)
    print("\(out)/index.html: score \(explanation.score), threshold \(PrintMatcher.threshold)")
  }

  /// Which of a print's minutiae are among the numbers.
  private static func marks(_ numbers: [Int], of print: PrintExplanation) -> [Bool] {
    print.features.minutiae.indices.map(numbers.contains)
  }
}

/// The page with the pictures of an explanation, the score and its parts.
private struct ExplanationPage {
  let explanation: MatchExplanation
  let files: [String]
  let printPictures: [[Picture]]
  let pairPictures: [Picture]

  var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <meta charset="utf-8">
    <title>\(Self.escaped(files[0])) and \(Self.escaped(files[1]))</title>
    <style>
    body { font: 15px/1.45 "DejaVu Sans", sans-serif; margin: 2em auto; max-width: 1200px; }
    table { border-collapse: collapse; }
    td, th { padding: 2px 14px 2px 0; text-align: left; vertical-align: top; }
    td.number { text-align: right; font-variant-numeric: tabular-nums; }
    .two { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; }
    img { max-width: 100%; border: 1px solid #ddd; }
    figure { margin: 0 0 22px; }
    </style>
    <h1>A: \(Self.escaped(files[0])), B: \(Self.escaped(files[1]))</h1>
    <p>\(verdict)</p>
    \(parts)
    <h2>The pair</h2>
    <div class="two">
    \(pairPictures.map(Self.figure).joined(separator: "\n"))
    </div>
    <h2>From image to minutiae: A left, B right</h2>
    <div class="two">
    \(zip(printPictures[0], printPictures[1]).map { Self.figure($0) + "\n" + Self.figure($1) }
      .joined(separator: "\n"))
    </div>
    </html>

    """
  }

  private var verdict: String {
    let score = Self.rounded(explanation.score)
    let isAccepted = explanation.score >= PrintMatcher.threshold
    return "Score \(score), threshold \(Self.rounded(PrintMatcher.threshold)): "
      + (isAccepted ? "taken for the same finger." : "not taken for the same finger.")
  }

  private var parts: String {
    guard let alignment = explanation.alignment else {
      return "<p>No two minutiae have surroundings alike enough to try an alignment.</p>"
    }
    let rows = alignment.parts.map {
      "<tr><td>\(Self.escaped($0.name))<td class=\"number\">\(Self.rounded($0.value))"
        + "<td>\(Self.escaped($0.meaning))"
    }
    let prints = zip(["A", "B"], [explanation.probe.features, explanation.gallery.features]).map {
      "<tr><td>\($0)<td class=\"number\">\(Self.rounded($1.quality))<td>quality; "
        + "\(Self.rounded($1.ridgeArea)) mm² of ridges, \($1.minutiae.count) minutiae, "
        + "darkness \(Self.rounded($1.darkness))"
    }
    return "<table>\n" + (rows + prints).joined(separator: "\n") + "\n</table>"
  }

  private static func figure(_ picture: Picture) -> String {
    """
    <figure><a href="\(picture.name).png"><img src="\(picture.name).png" alt=""></a>
    <figcaption>\(escaped(picture.caption))</figcaption></figure>
    """
  }

  private static func rounded(_ value: Double) -> String {
    String((value * 100).rounded() / 100)
  }

  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: String(character)
      }
    }.joined()
  }
}
