import ArgumentParser
import FingerprintMatching
import SyntheticPrints

struct StrangersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "strangers",
    abstract: "Count how high strangers score, over as many comparisons as there is time for.",
    discussion: """
      Compares probes with the fingers of other people, each enrolled from five prints: in rounds of \
      synthetic fingers, each round with others, and once those of --images, across all sets. The \
      counts of every round are kept in --out, so that a later run goes on where this one stops. \
      Prints for each threshold how many strangers it accepts, over all rounds.
      """)

  @Option(help: ArgumentHelp("The file that rounds are added to.", valueName: "file"))
  var out: String

  @Option(help: ArgumentHelp("Write the table to this file too.", valueName: "file"))
  var table: String?

  @Option(help: "Begin no round after this many minutes.") var minutes = 10.0
  @Option(help: "Synthetic fingers in each round.") var fingers = 200

  @Option(help: "How the fingers of a round are put on the sensor, in turns; repeatable.")
  var habit: [TouchHabit] = [.careful, .everyday, .poor]

  @Option(help: "Whose synthetic fingers.") var seed: UInt64 = 1
  @OptionGroup var real: RealPrintOptions

  func validate() throws {
    try check(fingers, in: 2...2000, "--fingers")
    guard minutes.isFinite, minutes >= 0 else {
      throw ValidationError("--minutes must not be negative.")
    }
  }

  func run() async throws {
    let log = ProgressLog()
    let settings =
      "seed \(seed), \(fingers) fingers, \(habit.map(\.rawValue).joined(separator: " "))"
    var file = try TailFile(out, settings: settings)
    if !real.images.isEmpty, !file.rows.contains(where: { $0.name == Self.real }) {
      try await add(Self.real, try real.sets(), to: &file, log)
    }
    var round = file.rows.count { $0.name != Self.real }
    while log.elapsed < .seconds(minutes * 60) {
      let habit = habit[round % habit.count]
      // A finger is in one round only: each begins where the one before it ends.
      let first = 1_000_000 + round * fingers
      let set = ImageSet.synthetic(
        habit, pixelsPerInch: 500, numbers: first...first + fingers - 1,
        impressions: SampledFinger.enrolled + 3, seed: seed)
      try await add("round \(round + 1) \(habit.rawValue)", [set], to: &file, log)
      round += 1
    }
    try Self.table(of: file).report(under: heading, to: table)
  }

  private var heading: String {
    "# Scores of strangers\n\nWritten by `authcore-bench strangers --seed \(seed)`. What the figures "
      + "mean is in docs/accuracy.md."
  }

  private static let real = "real"

  private func add(
    _ name: String, _ sets: [ImageSet], to file: inout TailFile, _ log: ProgressLog
  ) async throws {
    let tail = try await Self.tail(of: sets)
    try file.add(TailFile.Row(name: name, tail: tail))
    log.tell(
      "\(name): \(tail.comparisons) comparisons, highest \(ErrorRateTable.decimal(tail.highest))")
  }

  private static func tail(of sets: [ImageSet]) async throws -> ScoreTail {
    let fingers = try await sets.mapFingers {
      try PicturedFinger($0, of: $1, number: $2).sampled()
    }
    let plan = try await ComparisonProtocol.enrolledFingers(fingers)
    let scores = try await plan.scores()
    var tail = ScoreTail()
    for row in scores.rows where plan.probes[row.probe].finger != plan.galleries[row.gallery].finger
    {
      tail.add(row.score)
    }
    return tail
  }

  /// What each threshold accepts, of all rounds and of real prints alone.
  private static func table(of file: TailFile) -> MarkdownTable {
    let groups = [
      ("synthetic", file.rows.filter { $0.name != Self.real }),
      (Self.real, file.rows.filter { $0.name == Self.real }), ("all", file.rows),
    ]
    let rows = groups.filter { !$0.1.isEmpty }.flatMap { name, rows in
      var tail = ScoreTail()
      for row in rows { tail.add(row.tail) }
      return stride(from: 8, through: 20, by: 1.0).map { threshold in
        let accepted = tail.count(atLeast: threshold)
        let bounds = ExactInterval(events: accepted, of: max(tail.comparisons, 1))
        let mark = threshold == PrintMatcher.threshold ? " (shipped)" : ""
        return [
          name, String(tail.comparisons), ErrorRateTable.decimal(threshold) + mark,
          String(accepted), Self.oneIn(Double(accepted) / Double(max(tail.comparisons, 1))),
          Self.oneIn(bounds.upperBound), ErrorRateTable.decimal(tail.highest),
        ]
      }
    }
    return MarkdownTable(
      head: [
        "strangers", "comparisons", "threshold", "accepted", "1 in", "1 in at least", "highest",
      ],
      rows: rows)
  }

  private static func oneIn(_ rate: Double) -> String { rate > 0 ? String(Int(1 / rate)) : "none" }
}

/// The results of rounds of comparisons so far, in a file that later runs add to.
struct TailFile {
  struct Row {
    let name: String
    let tail: ScoreTail
  }

  private(set) var rows: [Row] = []
  private let path: String
  private let head: String

  /// Opens a file, or begins one. `settings` is what the comparisons depend on besides the matcher.
  ///
  /// - Throws: ``BenchmarkFailure`` if the file cannot be read, or was written with other settings
  ///   or by another matcher.
  init(_ path: String, settings: String) throws {
    self.path = path
    head = "# \(settings), matcher \(try Self.matcherCheck())"
    guard BenchmarkFile(path).exists else { return }
    let lines = try BenchmarkFile(path).text().split(separator: "\n")
    guard let first = lines.first, first == head else {
      throw BenchmarkFailure(
        "\(path) was written with other settings or by another matcher: choose another file")
    }
    for (number, line) in lines.enumerated().dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard let name = fields.first, let tail = ScoreTail(fields: Array(fields.dropFirst())) else {
        throw BenchmarkFailure("\(path), line \(number + 1): expected a round and its counts")
      }
      rows.append(Row(name: String(name), tail: tail))
    }
  }

  mutating func add(_ row: Row) throws(BenchmarkFailure) {
    rows.append(row)
    let lines = [head] + rows.map { ([$0.name] + $0.tail.fields).joined(separator: ",") }
    try BenchmarkFile(path).write(lines.joined(separator: "\n") + "\n")
  }

  /// A number that another matcher would hardly give: the sum of scores of some prints.
  private static func matcherCheck() throws(BenchmarkFailure) -> Double {
    let prints = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)] as [(UInt64, UInt64)]
    var features: [PrintFeatures] = []
    for (finger, impression) in prints {
      let picture = SyntheticFinger(seed: finger).impression(seed: impression)
      features.append(try picture.features(named: "a print"))
    }
    var sum = 0.0
    for print in features {
      guard let template = Enrollment([print]).template() else { continue }
      for other in features { sum += PrintMatcher().score(probe: other, against: template) }
    }
    return sum
  }
}
