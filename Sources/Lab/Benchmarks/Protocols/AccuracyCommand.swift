import ArgumentParser

struct AccuracyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accuracy",
    abstract: "Measure how well prints are told apart, by every protocol.",
    discussion: """
      Writes DIR/accuracy.md with all tables, error curves (DIR/det-*.svg and .png) and all scores \
      (DIR/scores-*.csv). Without --images the prints are synthetic, made anew each \
      time: careful, everyday and poor touches. The same seed gives the same figures, except how long things take.
      """)

  @Option(help: ArgumentHelp("The folder to write into.", valueName: "dir")) var out: String
  @Option(help: "Synthetic fingers in each set.") var fingers = 40
  @Option(help: "Prints of each synthetic finger.") var impressions = 8
  @Option(help: "Whose synthetic fingers.") var seed: UInt64 = 1

  @Option(
    help: "How the fingers of a synthetic set are put on its sensor, for other sets; repeatable.")
  var habit: [TouchHabit] = [.careful, .everyday, .poor]

  @OptionGroup var real: RealPrintOptions
  @Option(help: "How often fingers are resampled; 0 for no intervals.") var rounds = 1000

  func validate() throws {
    try check(fingers, in: 2...10_000, "--fingers")
    try check(impressions, in: SampledFinger.enrolled + 1...1000, "--impressions")
    try check(rounds, in: 0...100_000, "--rounds")
  }

  func run() async throws {
    let log = ProgressLog()
    try BenchmarkFile(out).makeFolder()
    let sets = try real.sets(
      or: ImageSet.synthetic(habit, fingers: fingers, impressions: impressions, seed: seed))
    // First, while the machine does nothing else for us.
    log.tell("measuring durations and memory")
    let speed = try SpeedPrints(sets[0]).measured()
    let measurement = try await AccuracyMeasurement(sets, report: log.tell)
    log.tell("counting errors")
    let report = AccuracyReport(measurement: measurement, rounds: rounds, speed: speed)
    for file in try report.files() {
      try BenchmarkFile("\(out)/\(file.name)").write(file.bytes)
    }
    log.tell("\(out)/accuracy.md is written")
  }
}

/// The scores of all protocols on some sets of prints.
struct AccuracyMeasurement: Sendable {
  let sets: [ImageSet]
  /// Each print against each before it in its set.
  let singlePrints: ScoredComparisons
  /// Probes against fingers enrolled from five prints, across the sets too.
  let enrolledFingers: ScoredComparisons
  /// The same with patches, within the sets; in the order of ``SampledFinger/patchSizes``.
  let patches: [(size: Int, scores: ScoredComparisons)]

  /// - `report`: Told what is being done.
  init(_ sets: [ImageSet], report: (String) -> Void) async throws {
    self.sets = sets
    let fingers = try await sets.mapFingers(
      { report("extracting \($0.fingers.count) fingers of \($0.name)") },
      { try SampledFinger($0, of: $1, number: $2) })
    report("comparing one print with one")
    singlePrints = try await ComparisonProtocol.singlePrints(of: fingers).scores()
    report("comparing prints with fingers enrolled from five")
    enrolledFingers = try await ComparisonProtocol.enrolledFingers(fingers).scores()
    var patches: [(size: Int, scores: ScoredComparisons)] = []
    for size in SampledFinger.patchSizes {
      report("comparing patches of \(size) pixels")
      patches.append((size, try await ComparisonProtocol.patches(of: size, fingers).scores()))
    }
    self.patches = patches
  }
}
