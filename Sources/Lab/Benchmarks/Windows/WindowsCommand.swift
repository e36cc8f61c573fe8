import ArgumentParser
import FingerprintMatching
import GrayImage

struct WindowsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "windows",
    abstract: "Measure whether prints are told apart behind windows, margins and burnt-in blocks.",
    discussion: """
      Lays the window of a sensor of every kind over the same prints, and prints for each how high \
      strangers score and how many owners are refused: with fingers enrolled from five prints and \
      from one, where the sensor says which pixels are skin's to show and where it does not. Swipes \
      are put together from stripes on a wider picture. Without --images the prints are synthetic. \
      The same seed gives the same windows and prints.
      """)

  @Option(help: "Comparisons of strangers behind each window, of synthetic fingers.")
  var comparisons = 10_000

  @Option(help: "Whose synthetic fingers, and which windows.") var seed: UInt64 = 1
  @OptionGroup var real: RealPrintOptions

  @Option(help: ArgumentHelp("A window, by its name; repeatable. All without.", valueName: "name"))
  var window: [String] = []

  @Option(help: "Whether sensors say which pixels are skin's to show.") var extents = Extents.both

  @Option(help: ArgumentHelp("Write the table to this file too.", valueName: "file"))
  var out: String?

  @Option(
    help: ArgumentHelp(
      "Write, for each window, the pictures of the strangers that are most alike here.",
      valueName: "dir"))
  var pictures: String?

  enum Extents: String, CaseIterable, ExpressibleByArgument {
    case both, said
    case notSaid = "not-said"
  }

  func validate() throws {
    try check(comparisons, in: 2...10_000_000, "--comparisons")
    let names = WindowedSensor.every(seed: seed).map(\.name)
    for name in window where !names.contains(name) {
      throw ValidationError("--window \(name): expected one of \(names.joined(separator: ", ")).")
    }
  }

  func run() async throws {
    let log = ProgressLog()
    if let pictures { try BenchmarkFile(pictures).makeFolder() }
    let fingers = try await real.sets(or: [synthetic]).mapFingers(
      { log.tell("\($0.fingers.count) fingers of \($0.name)") },
      { try PicturedFinger($0, of: $1, number: $2) })
    var rows: [[String]] = []
    for sensor in WindowedSensor.every(seed: seed)
    where window.isEmpty || window.contains(sensor.name) {
      for saysExtents in said {
        let trial = try await WindowTrial(fingers, sensor: sensor, saysExtents: saysExtents)
        rows += trial.rows
        for (row, result) in zip(trial.rows, trial.results) {
          log.tell((row + [result.worstNames]).joined(separator: "  "))
        }
        if let pictures { try write(trial, of: fingers, into: pictures) }
      }
    }
    try MarkdownTable(head: WindowTrial.head, rows: rows).report(under: heading, to: out)
  }

  private var said: [Bool] {
    switch extents {
    case .both: [false, true]
    case .said: [true]
    case .notSaid: [false]
    }
  }

  /// As many fingers of five prints and three probes as the comparisons need.
  private var synthetic: ImageSet {
    var count = 2
    while 3 * count * (count - 1) < comparisons { count += 1 }
    return ImageSet.synthetic(
      .everyday, pixelsPerInch: 500, numbers: 1...count,
      impressions: SampledFinger.enrolled + 3, seed: seed)
  }

  private var heading: String {
    "# Behind windows: \(real.images.isEmpty ? "synthetic prints" : "prints of people")\n\n"
      + "Written by `authcore-bench windows --seed \(seed)`. Threshold \(PrintMatcher.threshold). What "
      + "the figures mean is in docs/accuracy.md."
  }

  /// Both prints of the strangers that are most alike, as the sensor shows them; the first of five
  /// enrolled.
  private func write(
    _ trial: WindowTrial, of fingers: [PicturedFinger], into folder: String
  ) throws {
    for result in trial.results {
      guard let worst = result.worst else { continue }
      let plan = result.scores.plan
      let probe = plan.probes[worst.probe]
      let said = trial.saysExtents ? "-said" : ""
      let name = "\(folder)/\(trial.sensor.name)\(said)-\(result.gallery)"
      let own = fingers[probe.finger]
      let number = plan.fingers[probe.finger].prints.firstIndex { $0.name == probe.touch.name } ?? 0
      let probePicture = try own.pictures(of: trial.sensor)[number].image
      try BenchmarkFile("\(name)-probe.pgm").write(probePicture.encodedPGM())
      let other = fingers[plan.galleries[worst.gallery].finger]
      let gallery = try other.pictures(of: trial.sensor)[0].image
      try BenchmarkFile("\(name)-gallery.pgm").write(gallery.encodedPGM())
    }
  }
}

/// How strangers and owners fare behind one sensor's window.
struct WindowTrial: Sendable {
  /// Scores within this of the threshold count as a hole: a few more comparisons would pass it.
  static let margin = 2.0

  struct Comparisons: Sendable {
    let gallery: String
    let scores: ScoredComparisons

    private var strangers: [ScoredComparisons.Row] { scores.rows.filter { !isOwner($0) } }
    private var owners: [ScoredComparisons.Row] { scores.rows.filter(isOwner) }

    private func isOwner(_ row: ScoredComparisons.Row) -> Bool {
      scores.plan.probes[row.probe].finger == scores.plan.galleries[row.gallery].finger
    }

    var worst: ScoredComparisons.Row? { strangers.max { $0.score < $1.score } }

    /// Empty if there are no strangers.
    var worstNames: String {
      guard let worst else { return "" }
      let (probe, gallery) = (scores.plan.probes[worst.probe], scores.plan.galleries[worst.gallery])
      return "\(probe.touch.name) with \(gallery.name)"
    }

    var cells: [String] {
      let strangers = strangers.map(\.score)
      let owners = owners.map(\.score)
      let refused = owners.count { $0 < PrintMatcher.threshold }
      return [
        gallery, String(strangers.count), strangers.max().map(ErrorRateTable.decimal) ?? "none",
        String(strangers.count { $0 >= PrintMatcher.threshold - WindowTrial.margin }),
        String(strangers.count { $0 >= PrintMatcher.threshold }), String(owners.count),
        String(refused), ErrorRateTable.share(refused, of: owners.count),
      ]
    }

    static let head = [
      "against", "strangers", "highest", "within 2", "accepted", "owners", "refused", "refused %",
    ]
  }

  let sensor: WindowedSensor
  /// Whether the sensor told the matcher where its pad ends.
  let saysExtents: Bool
  let results: [Comparisons]

  /// Looks at all fingers through a sensor, and compares probes with fingers enrolled from five
  /// prints and from one.
  init(_ fingers: [PicturedFinger], sensor: WindowedSensor, saysExtents: Bool) async throws {
    (self.sensor, self.saysExtents) = (sensor, saysExtents)
    let seen = try await concurrentMap(fingers) {
      try $0.sampled(by: sensor, saysExtents: saysExtents)
    }
    results = [
      Comparisons(
        gallery: "five", scores: try await ComparisonProtocol.enrolledFingers(seen).scores()),
      Comparisons(
        gallery: "one", scores: try await ComparisonProtocol.firstPrints(of: seen).scores()),
    ]
  }

  var rows: [[String]] {
    results.map { [sensor.name, saysExtents ? "said" : "not said"] + $0.cells }
  }

  static let head = ["window", "extents"] + Comparisons.head
}
