import ArgumentParser
import FingerprintMatching
import GrayImage
import SyntheticPrints

struct DriftCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drift",
    abstract: "Try to teach a finger of a small sensor another finger, match by match.",
    discussion: """
      Each touch of a synthetic owner shows a little more of another finger than the one before, and \
      less of its own; what matches well enough is learned from. Every tenth touch is the other \
      finger's alone, which must not be accepted. Prints one line for each owner.
      """)

  @Option(help: "Owners, each with a finger to drift to.") var owners = 10
  @Option(help: "Touches of each owner.") var matches = 1000
  @Option(help: "Side of the sensor, pixels at 500 ppi.") var size = 160
  @Option(help: "Whose fingers.") var seed: UInt64 = 1

  func validate() throws {
    try check(owners, in: 1...1000, "--owners")
    try check(matches, in: 10...100_000, "--matches")
    try check(size, in: 48...160, "--size")
  }

  func run() async throws {
    let (seed, size, matches) = (seed, size, matches)
    let drifts = try await concurrentMap(Array(1...UInt64(owners))) { owner in
      try Drift(owner: seed << 20 + owner, size: size, matches: matches)
    }
    print("owner  accepted  learned  strangers  accepted  highest")
    for (number, drift) in drifts.enumerated() {
      let highest = ErrorRateTable.decimal(drift.highest)
      print(
        "\(number + 1)  \(drift.accepted)  \(drift.learned)  \(drift.strangers)  "
          + "\(drift.strangersAccepted)  \(highest)")
    }
    let accepted = drifts.reduce(0) { $0 + $1.strangersAccepted }
    let tries = drifts.reduce(0) { $0 + $1.strangers }
    print("all: \(owners * matches) touches, \(tries) by strangers, of them accepted \(accepted)")
  }
}

/// The result of touches that turn from one finger into another.
struct Drift: Sendable {
  /// Touches after which an unfinished enrollment ends.
  private static let mostTouches: UInt64 = 40
  /// One of so many touches is the other finger's alone.
  private static let between = 10

  private(set) var accepted = 0
  /// Those of them that were learned from.
  private(set) var learned = 0
  /// Touches of the other finger alone, how many were accepted, and their highest score.
  private(set) var strangers = 0
  private(set) var strangersAccepted = 0
  private(set) var highest = PrintMatcher.lowestScore

  /// - `owner`: The seed of the owner's finger; the next one is the other's.
  /// - `size`: Side of the sensor in pixels at 500 ppi.
  /// - `matches`: Touches, of which the first is the owner's and the last the other's alone.
  init(owner: UInt64, size: Int, matches: Int) throws {
    let conditions = ImpressionConditions.everyday.window(width: size, height: size)
    let (own, other) = (SyntheticFinger(seed: owner * 2), SyntheticFinger(seed: owner * 2 + 1))
    var enrollment = Enrollment()
    for seed in 0..<Self.mostTouches where !enrollment.isComplete {
      let picture = own.impression(seed: seed, conditions: conditions)
      _ = enrollment.add(try picture.features(named: "a touch"))
    }
    guard let template = enrollment.template() else {
      throw BenchmarkFailure("the finger \(owner) cannot be enrolled")
    }
    var finger = AdaptingTemplate(of: template)
    var storage = MatchingStorage()
    let matcher = PrintMatcher()
    for match in 0..<matches {
      let seed = Self.mostTouches + UInt64(match)
      let otherPicture = other.impression(seed: seed, conditions: conditions)
      if match % Self.between == Self.between - 1 {
        let score = matcher.score(
          probe: try otherPicture.features(named: "a touch"), against: finger.current,
          using: &storage)
        strangers += 1
        highest = max(highest, score)
        if score >= PrintMatcher.threshold { strangersAccepted += 1 }
        continue
      }
      let picture = Self.mixed(
        own.impression(seed: seed, conditions: conditions), otherPicture,
        share: Double(match) / Double(max(matches - 1, 1)))
      let probe = try picture.features(named: "a touch")
      guard
        matcher.score(probe: probe, against: finger.current, using: &storage)
          >= PrintMatcher.threshold
      else { continue }
      accepted += 1
      if finger.learn(from: probe, using: &storage) { learned += 1 }
    }
  }

  /// The left part of another picture, `share` of the width, beside the rest of the own.
  private static func mixed(_ own: GrayImage, _ other: GrayImage, share: Double) -> GrayImage {
    let edge = Int(share * Double(own.width))
    var pixels = own.pixels
    for y in 0..<own.height {
      for x in 0..<edge { pixels[y * own.width + x] = other.pixels[y * own.width + x] }
    }
    return GrayImage(width: own.width, height: own.height, pixels: pixels)
  }
}
