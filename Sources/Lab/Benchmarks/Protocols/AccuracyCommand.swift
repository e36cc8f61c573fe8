import ArgumentParser

/// `authcore-bench accuracy`
struct AccuracyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accuracy",
    abstract: "Measure how well prints are told apart, by every protocol.",
    discussion: """
      Writes DIR/accuracy.md with all tables, error curves (DIR/det-*.svg and .png) and all scores \
      (DIR/scores-*.csv). Without --images the prints are synthetic, made anew each \
      time: careful, everyday and poor touches. The same seed gives the same figures, except how long things take.
      """)

  @Option(help: ArgumentHelp("The folder to write into.", valueName: "dir"))
  var out: String

  @Option(help: ArgumentHelp("Synthetic fingers in each set.", valueName: "n"))
  var fingers = 40

  @Option(help: ArgumentHelp("Prints of each synthetic finger.", valueName: "n"))
  var impressions = 8

  @Option(help: ArgumentHelp("Whose synthetic fingers.", valueName: "s"))
  var seed: UInt64 = 1

  @Option(
    help: "How the fingers of a synthetic set are put on its sensor, for other sets; repeatable.")
  var habit: [TouchHabit] = [.careful, .everyday, .poor]

  @OptionGroup var real: RealPrintOptions

  @Option(
    help: ArgumentHelp("How often fingers are resampled; 0 for no intervals.", valueName: "n"))
  var rounds = 1000

  func validate() throws {
    guard (2...10_000).contains(fingers) else {
      throw ValidationError("--fingers must be in 2...10000.")
    }
    guard (SampledFinger.enrolled + 1...1000).contains(impressions) else {
      throw ValidationError("--impressions must be in \(SampledFinger.enrolled + 1)...1000.")
    }
    guard (0...100_000).contains(rounds) else {
      throw ValidationError("--rounds must be in 0...100000.")
    }
  }

  func run() async throws {
    let log = ProgressLog()
    try BenchmarkFile(out).makeFolder()
    let sets = try self.sets()
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

  private func sets() throws -> [ImageSet] {
    guard real.images.isEmpty else { return try real.sets() }
    return ImageSet.synthetic(habit, fingers: fingers, impressions: impressions, seed: seed)
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

  /// Measures.
  ///
  /// - Parameters:
  ///   - sets: The prints.
  ///   - report: Told what is being done.
  /// - Throws: ``BenchmarkFailure`` for a picture that cannot be read or used.
  init(_ sets: [ImageSet], report: (String) -> Void) async throws {
    self.sets = sets
    var fingers: [SampledFinger] = []
    for (number, set) in sets.enumerated() {
      report("extracting \(set.fingers.count) fingers of \(set.name)")
      fingers += try await concurrentMap(set.fingers) {
        try SampledFinger($0, of: set, number: number)
      }
    }
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
