import ArgumentParser
import FingerprintMatching

/// `authcore-bench acceptance`
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

  @Option(help: ArgumentHelp("Side of a sensor, pixels at 500 ppi; repeatable.", valueName: "n"))
  var size: [Int] = [88, 112, 128, 160]

  @Option(help: ArgumentHelp("Synthetic fingers, of all owners.", valueName: "n"))
  var fingers = 40

  @Option(help: ArgumentHelp("Fingers that an owner enrolls, 1...5.", valueName: "n"))
  var ownerFingers = 5

  @Option(help: ArgumentHelp("Touches after which an enrollment ends.", valueName: "n"))
  var touches = 25

  @Option(help: ArgumentHelp("Sessions of three tries with each finger.", valueName: "n"))
  var sessions = 4

  @Option(help: ArgumentHelp("Whose synthetic fingers.", valueName: "s"))
  var seed: UInt64 = 1

  @OptionGroup var real: RealPrintOptions

  @Option(help: ArgumentHelp("Write the table to this file too.", valueName: "file"))
  var out: String?

  func validate() throws {
    guard size.allSatisfy({ (48...300).contains($0) }) else {
      throw ValidationError("--size must be in 48...300.")
    }
    let plan = [
      (fingers, 2...10_000, "--fingers"), (touches, Enrollment.minimumTouches...100, "--touches"),
      (sessions, 1...100, "--sessions"), (ownerFingers, 1...5, "--owner-fingers"),
    ]
    for (value, range, name) in plan where !range.contains(value) {
      throw ValidationError("\(name) must be in \(range.lowerBound)...\(range.upperBound).")
    }
  }

  func run() async throws {
    let log = ProgressLog()
    let sets = real.images.isEmpty ? [synthetic] : try real.sets()
    let met = try await met(sets, log)
    var rows: [[String]] = []
    for (number, size) in size.enumerated() {
      let row = try await AcceptanceTrial(
        met.map { $0[number] }, fingersOfOwner: ownerFingers, size: size
      ).row
      log.tell(row.joined(separator: "  "))
      rows.append(row)
    }
    let table = MarkdownTable(head: AcceptanceTrial.head, rows: rows).description
    print(table)
    if let out { try BenchmarkFile(out).write(Array("\(heading(sets))\n\n\(table)\n".utf8)) }
  }

  /// Each finger as each sensor meets it.
  private func met(_ sets: [ImageSet], _ log: ProgressLog) async throws -> [[MetFinger]] {
    let plan = AcceptancePlan(touches: touches, sessions: sessions)
    let enrolled = real.images.isEmpty ? touches : SampledFinger.enrolled
    let size = size
    var met: [[MetFinger]] = []
    for (number, set) in sets.enumerated() {
      log.tell("enrolling \(set.fingers.count) fingers of \(set.name)")
      met += try await concurrentMap(set.fingers) { finger in
        let touched = try TouchedFinger(finger, of: set, enrolled: enrolled)
        return try size.map { size in
          try MetFinger(
            touched, name: "\(set.name)/\(finger.name)", of: set, number: number, size: size,
            plan: plan)
        }
      }
    }
    return met
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
