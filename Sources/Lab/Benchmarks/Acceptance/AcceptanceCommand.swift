import ArgumentParser
import FingerprintMatching

struct AcceptanceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "acceptance",
    abstract: "Measure how often owners of small sensors get in, as they meet them.",
    discussion: """
      Simulates people who enroll their fingers, moving as enrollment asks them to, and who then \
      have three tries to unlock; each touch is compared with all of an owner's fingers. Prints \
      owners and strangers accepted at the shipped threshold, and where a sensor is small enough at \
      the relaxed rate that an owner may choose. Without --images the prints are \
      synthetic, of 300x400 pixels, and each touch shows a part of another; with it, enrollment shows \
      parts of impressions 1 to 5 in turns, and tries parts of the others.
      """)

  @Option(help: "Side of a sensor, pixels at 500 ppi; repeatable.")
  var size: [Int] = [88, 112, 128, 160]

  @Option(help: "Synthetic fingers, of all owners.") var fingers = 40
  @Option(help: "Fingers that an owner enrolls, 1...5.") var ownerFingers = 5
  @Option(help: "Touches after which an enrollment ends.") var touches = 25
  @Option(help: "Sessions of three tries with each finger.") var sessions = 4
  @Option(help: "Whose synthetic fingers.") var seed: UInt64 = 1
  @OptionGroup var real: RealPrintOptions

  @Option(help: ArgumentHelp("Write the table to this file too.", valueName: "file"))
  var out: String?

  func validate() throws {
    for size in size { try check(size, in: 48...300, "--size") }
    try check(fingers, in: 2...10_000, "--fingers")
    try check(touches, in: Enrollment.minimumTouches...100, "--touches")
    try check(sessions, in: 1...100, "--sessions")
    try check(ownerFingers, in: 1...5, "--owner-fingers")
  }

  func run() async throws {
    let log = ProgressLog()
    let sets = try real.sets(or: [synthetic])
    let met = try await met(sets, log)
    var rows: [[String]] = []
    for (number, size) in size.enumerated() {
      let trial = try await AcceptanceTrial(
        met.map { $0[number] }, fingersOfOwner: ownerFingers, size: size)
      rows += trial.rows("all")
      log.tell(rows[rows.count - 1].joined(separator: "  "))
      if sets.count > 1 {
        for (set, own) in sets.enumerated() { rows += trial.rows(own.name, of: set) }
      }
    }
    try MarkdownTable(head: AcceptanceTrial.head, rows: rows).report(under: heading(sets), to: out)
  }

  /// Each finger as each sensor meets it.
  private func met(_ sets: [ImageSet], _ log: ProgressLog) async throws -> [[MetFinger]] {
    let plan = AcceptancePlan(touches: touches, sessions: sessions)
    let enrolled = real.images.isEmpty ? touches : SampledFinger.enrolled
    let size = size
    return try await sets.mapFingers(
      { log.tell("enrolling \($0.fingers.count) fingers of \($0.name)") },
      { finger, set, number in
        let touched = try TouchedFinger(finger, of: set, enrolled: enrolled)
        return try size.map { size in
          try MetFinger(
            touched, name: "\(set.name)/\(finger.name)", of: set, number: number, size: size,
            plan: plan)
        }
      })
  }

  /// Every touch is one of its own: as many impressions as there are touches.
  private var synthetic: ImageSet {
    ImageSet.synthetic(
      .everyday, pixelsPerInch: 500, numbers: 1...fingers,
      impressions: touches + sessions * MetFinger.tries, seed: seed)
  }

  private func heading(_ sets: [ImageSet]) -> String {
    "# Small sensors as a person meets them: \(sets.map(\.name).joined(separator: ", "))\n\n"
      + "Written by `authcore-bench acceptance`. Threshold \(PrintMatcher.threshold), \(ownerFingers) "
      + "enrolled by each owner. What the figures mean is in docs/accuracy.md."
  }
}
