import ArgumentParser
import FingerprintMatching
import GrayImage

struct MasterPrintsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "master-prints",
    abstract: "Search for a touch that opens many fingers.",
    discussion: """
      Tries touches made of parts of synthetic prints, and changes those that come nearest to opening \
      fingers. The five that open most of the fingers they are searched with are then tried with \
      others, which nobody has seen. Prints one line of JSON; progress goes to standard error. The \
      same seed gives the same touches.
      """)

  @Option(help: "Fingers to open that the search does not know.") var fingers = 1000
  @Option(help: "Fingers that touches are searched with.") var known = 200
  @Option(help: "Touches that are tried.") var candidates = 1000
  @Option(help: "Side of the sensor, pixels at 500 ppi; one of 300x400 without.") var size: Int?
  @Option(help: "Whose fingers, and which touches.") var seed: UInt64 = 1

  @Option(help: ArgumentHelp("Write the line of JSON to this file too.", valueName: "file"))
  var out: String?

  @Option(help: ArgumentHelp("Write the five touches here (PGM).", valueName: "dir"))
  var pictures: String?

  func validate() throws {
    try check(fingers, in: 1...100_000, "--fingers")
    try check(known, in: 1...100_000, "--known")
    try check(candidates, in: MasterPrintSearch.tries...1_000_000, "--candidates")
    if let size { try check(size, in: 48...300, "--size") }
  }

  func run() async throws {
    let log = ProgressLog()
    let sensor = size.map { (width: $0, height: $0) } ?? (width: 300, height: 400)
    log.tell("enrolling \(known + fingers) fingers")
    let templates = try await enrolled(known + fingers, log)
    let search = try await MasterPrintSearch(
      candidates, known: Array(templates.prefix(known)), sensor: sensor, seed: seed,
      report: log.tell)
    let best = search.best
    log.tell("trying the best \(best.count) with \(templates.count - known) other fingers")
    let others = Array(templates.dropFirst(known))
    let scores = try await concurrentMap(best) { $0.features.scores(with: others) }
    let opens = scores.map { own in own.count { $0 >= PrintMatcher.threshold } }
    let byAny = others.indices.count { finger in
      scores.contains { $0[finger] >= PrintMatcher.threshold }
    }
    let result: JSON = [
      "sensor": JSON([sensor.width, sensor.height]), "threshold": JSON(PrintMatcher.threshold),
      "candidates": JSON(search.candidates.count), "knownFingers": JSON(known),
      "knownOpenedByFive": JSON(best.reduce(into: Set()) { $0.formUnion($1.opened) }.count),
      "fingers": JSON(others.count), "openedByEach": JSON(opens), "openedByFive": JSON(byAny),
      "openedByFiveAtMost": JSON(ExactInterval(events: byAny, of: others.count).upperBound),
      "highestScore": JSON(scores.joined().max() ?? PrintMatcher.lowestScore),
    ]
    print(result)
    if let out { try BenchmarkFile(out).write("\(result)\n") }
    guard let pictures else { return }
    try BenchmarkFile(pictures).makeFolder()
    for (number, candidate) in best.enumerated() {
      let picture = candidate.touch.picture(width: sensor.width, height: sensor.height)
      try BenchmarkFile("\(pictures)/\(number + 1).pgm").write(picture.encodedPGM())
    }
  }

  /// Fingers as their owners enroll them; those that cannot be enrolled are replaced by others.
  private func enrolled(_ count: Int, _ log: ProgressLog) async throws -> [FingerTemplate] {
    let (size, seed) = (size, seed)
    var (templates, next): ([FingerTemplate], Int) = ([], 1)
    while templates.count < count {
      let numbers = next..<next + min(100, count - templates.count)
      next = numbers.upperBound
      templates += try await concurrentMap(Array(numbers)) { number in
        try Self.template(of: number, seed: seed, size: size)
      }.compactMap { $0 }
      log.tell("\(templates.count) fingers enrolled")
    }
    return templates
  }

  private static func template(of number: Int, seed: UInt64, size: Int?) throws -> FingerTemplate? {
    let plan = AcceptancePlan(touches: 15, sessions: 0)
    let set = ImageSet.synthetic(
      .everyday, pixelsPerInch: 500, numbers: number...number,
      impressions: (size == nil ? SampledFinger.enrolled : plan.touches) + 1, seed: seed)
    let finger = set.fingers[0]
    guard let size else {
      let prints = try set.images(of: finger).prefix(SampledFinger.enrolled)
      return Enrollment(try prints.map { try $0.features(named: "a print") }).template()
    }
    let touched = try TouchedFinger(finger, of: set, enrolled: plan.touches)
    return try MetFinger(
      touched, name: "\(set.name)/\(number)", of: set, number: 0, size: size, plan: plan
    ).template
  }
}
