import FingerprintMatching
import Glibc

/// How often owners and strangers get in, as they meet a small sensor: every touch is compared with
/// all fingers of the owner, the touches of a prompt add up, and a prompt ends after three.
struct AcceptanceTrial: Sendable {
  /// A prompt answered by an owner or a stranger.
  private struct Prompt: Sendable {
    let isOwner: Bool
    let set: Int
    /// The highest score of each touch alone.
    let alone: [Double]
    /// The highest score after each touch, of all touches together.
    let together: [Double]
  }

  let size: Int
  let fingers: [MetFinger]
  private let fingersOfOwner: Int
  private let prompts: [Prompt]

  /// Compares every touch with all fingers of its owner, and with those of others as a stranger's.
  ///
  /// - `fingers`: All fingers; those of a set have owners in their order.
  /// - `fingersOfOwner`: So many of them have one owner, 1...5.
  /// - `size`: Side of the sensor in pixels at 500 ppi.
  init(_ fingers: [MetFinger], fingersOfOwner: Int, size: Int) async throws {
    (self.size, self.fingers, self.fingersOfOwner) = (size, fingers, fingersOfOwner)
    let owners = Self.owners(of: fingers, fingersOfOwner)
    prompts = try await concurrentMap(Array(fingers.indices)) { finger in
      var storage = MatchingStorage()
      return owners.flatMap { owner -> [Prompt] in
        let isOwner = owner.contains(finger)
        // A stranger from another sensor is told apart too easily.
        guard isOwner || fingers[owner[0]].set == fingers[finger].set else { return [] }
        return fingers[finger].sessions.map { touches in
          Self.prompt(
            isOwner: isOwner, set: fingers[finger].set, touches,
            owner.compactMap { fingers[$0].template }, &storage)
        }
      }
    }.flatMap { $0 }
  }

  private static func prompt(
    isOwner: Bool, set: Int, _ touches: [PrintFeatures], _ templates: [FingerTemplate],
    _ storage: inout MatchingStorage
  ) -> Prompt {
    var evidence = PromptEvidence()
    var (alone, together) = ([Double](), [Double]())
    for touch in touches {
      var compared: [UInt32: TouchEvidence] = [:]
      for (finger, template) in templates.enumerated() {
        compared[UInt32(finger)] = PrintMatcher().evidence(
          probe: touch, against: template, using: &storage)
      }
      alone.append(compared.values.map(\.score).max() ?? PrintMatcher.lowestScore)
      together.append(evidence.add(compared).values.max() ?? PrintMatcher.lowestScore)
    }
    return Prompt(isOwner: isOwner, set: set, alone: alone, together: together)
  }

  /// The numbers of each owner's fingers.
  private static func owners(of fingers: [MetFinger], _ fingersOfOwner: Int) -> [[Int]] {
    Dictionary(grouping: fingers.indices, by: { fingers[$0].set }).sorted { $0.key < $1.key }
      .flatMap { _, own in
        stride(from: 0, to: own.count, by: fingersOfOwner).map {
          Array(own[$0..<min($0 + fingersOfOwner, own.count)])
        }
      }
  }

  /// The prompts of owners or strangers, in a set or in all.
  private func prompts(_ isOwner: Bool, of set: Int?) -> [Prompt] {
    prompts.filter { $0.isOwner == isOwner && (set == nil || set == $0.set) }
  }

  static let head = [
    "prints", "sensor", "fingers", "not enrolled", "touches", "not used", "rate", "threshold",
    "owners' prompts", "opened alone %", "opened %", "strangers' prompts", "opened alone",
    "opened", "highest alone", "highest", "fitted: 1 in",
  ]

  /// Of the sensor, mm².
  private var area: Double {
    let side = Double(size) * 25.4 / 500
    return side * side
  }

  /// The figures at both rates, of a set or of all.
  func rows(_ name: String, of set: Int? = nil) -> [[String]] {
    let relaxed = MatchRate.relaxed(forFrameOf: area)
    return (relaxed.isRelaxed ? [.strict, relaxed] : [.strict]).map { row(name, of: set, at: $0) }
  }

  private func row(_ name: String, of set: Int?, at rate: MatchRate) -> [String] {
    let fingers = fingers.filter { set == nil || set == $0.set }
    let (owners, strangers) = (prompts(true, of: set), prompts(false, of: set))
    let threshold = rate.threshold(fingers: fingersOfOwner)
    func opened(_ prompts: [Prompt], _ scores: KeyPath<Prompt, [Double]>) -> Int {
      prompts.count { $0[keyPath: scores].contains { $0 >= threshold } }
    }
    func highest(_ scores: KeyPath<Prompt, [Double]>) -> String {
      strangers.flatMap { $0[keyPath: scores] }.max().map(ErrorRateTable.decimal) ?? "none"
    }
    func mean(_ sum: Int) -> String {
      ErrorRateTable.decimal(Double(sum) / Double(max(fingers.count, 1)))
    }
    return [
      name, "\(size) px", String(fingers.count), String(fingers.count { $0.template == nil }),
      mean(fingers.map(\.touches).reduce(0, +)), mean(fingers.map(\.unused).reduce(0, +)),
      rate.isRelaxed ? "relaxed" : "strict", ErrorRateTable.decimal(threshold),
      String(owners.count), ErrorRateTable.share(opened(owners, \.alone), of: owners.count),
      ErrorRateTable.share(opened(owners, \.together), of: owners.count), String(strangers.count),
      String(opened(strangers, \.alone)), String(opened(strangers, \.together)),
      highest(\.alone), highest(\.together),
      Self.fitted(strangers.compactMap { $0.together.max() }, at: threshold),
    ]
  }

  /// One in how many prompts reaches a threshold, by the exponential tail of the highest hundredth
  /// of the scores.
  private static func fitted(_ scores: [Double], at threshold: Double) -> String {
    let count = scores.count / 100
    guard count >= 10 else { return "none" }
    let top = scores.sorted(by: >).prefix(count + 1)
    let least = top[count]
    let excess = (top.reduce(0, +) - least) / Double(count) - least
    let prompts = 100 * exp((threshold - least) / max(excess, 1e-3))
    return prompts < 1e9 ? String(Int(prompts)) : "over 1e9"
  }
}
