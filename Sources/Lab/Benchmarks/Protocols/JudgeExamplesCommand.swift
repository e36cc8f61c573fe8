import ArgumentParser
import FingerprintMatching

struct JudgeExamplesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "judge-examples",
    abstract: "Write how small touches lie on fingers, for the judge of ridges to learn from.",
    discussion: """
      Compares patches of 88 pixels by the protocol of `accuracy`. For each comparison it writes \
      numbers of 16 bits: 1 for an owner and 0 for a stranger, the score without the judge, what the \
      judge says, what pairs of minutiae count, and what the judge sees of each of 11 by 11 cells. \
      scripts/train-ridge-judge reads them.
      """)

  /// Side of the patches in pixels, and in cells.
  private static let (size, side) = (88, 11)

  @Option(help: ArgumentHelp("The file to write.", valueName: "file")) var out: String
  @Option(help: "Synthetic fingers in each set.") var fingers = 60
  @Option(help: "Whose synthetic fingers.") var seed: UInt64 = 77

  @Option(help: "How the fingers of a synthetic set are put on its sensor; repeatable.")
  var habit: [TouchHabit] = TouchHabit.allCases

  @OptionGroup var real: RealPrintOptions

  func validate() throws {
    try check(fingers, in: 2...10_000, "--fingers")
  }

  func run() async throws {
    let log = ProgressLog()
    let sets = try real.sets(
      or: ImageSet.synthetic(habit, fingers: fingers, impressions: 8, seed: seed))
    let fingers = try await sets.mapFingers(
      { log.tell("extracting \($0.fingers.count) fingers of \($0.name)") },
      { try SampledFinger($0, of: $1, number: $2) })
    log.tell("comparing patches of \(Self.size) pixels")
    let plan = try await ComparisonProtocol.patches(of: Self.size, fingers)
    let rows = try await concurrentMap(Array(plan.probes.indices)) { Self.examples($0, of: plan) }
    try BenchmarkFile(out).write(rows.flatMap { $0 })
    log.tell("\(out) is written")
  }

  private static func examples(_ number: Int, of plan: ComparisonProtocol) -> [UInt8] {
    let probe = plan.probes[number]
    var storage = MatchingStorage()
    var bytes: [UInt8] = []
    for gallery in plan.galleries.indices where plan.includes(number, gallery) {
      guard let template = plan.galleries[gallery].template else { continue }
      let values = PrintMatcher().judged(
        probe.touch.features, on: template, side: side, using: &storage)
      guard !values.isEmpty else { continue }
      let label: Float = probe.finger == plan.galleries[gallery].finger ? 1 : 0
      for value in [label] + values {
        let bits = Float16(value).bitPattern
        bytes += [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
      }
    }
    return bytes
  }
}
