import FingerprintMatching

/// How often owners and strangers get in, as they meet a small sensor: every touch is compared with
/// all fingers of the owner, and a session ends after three tries.
struct AcceptanceTrial: Sendable {
  /// The sessions of some people at some owner's sensor.
  private struct Visit: Sendable {
    let isOwner: Bool
    /// The highest score of each try, session after session.
    let scores: [Double]
  }

  let size: Int
  let fingers: [MetFinger]
  private let fingersOfOwner: Int
  private let visits: [Visit]

  /// Compares every touch with all fingers of its owner, and with those of others as a stranger's.
  ///
  /// - `fingers`: All fingers; those of a set have owners in their order.
  /// - `fingersOfOwner`: So many of them have one owner, 1...5.
  /// - `size`: Side of the sensor in pixels at 500 ppi.
  init(_ fingers: [MetFinger], fingersOfOwner: Int, size: Int) async throws {
    (self.size, self.fingers, self.fingersOfOwner) = (size, fingers, fingersOfOwner)
    let owners = Self.owners(of: fingers, fingersOfOwner)
    let matcher = PrintMatcher()
    visits = try await concurrentMap(Array(fingers.indices)) { finger in
      var storage = MatchingStorage()
      return owners.compactMap { owner -> Visit? in
        let isOwner = owner.contains(finger)
        // A stranger from another sensor is told apart too easily.
        guard isOwner || fingers[owner[0]].set == fingers[finger].set else { return nil }
        let templates = owner.compactMap { fingers[$0].template }
        return Visit(
          isOwner: isOwner,
          scores: fingers[finger].sessions.joined().map { touch in
            templates.map { matcher.score(probe: touch, against: $0, using: &storage) }.max()
              ?? PrintMatcher.lowestScore
          })
      }
    }.flatMap { $0 }
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

  private func accepted(_ isOwner: Bool, _ rate: MatchRate = .strict) -> (
    tries: Int, triesAccepted: Int, sessions: Int, sessionsAccepted: Int, highest: Double
  ) {
    let scores = visits.filter { $0.isOwner == isOwner }.flatMap(\.scores)
    let threshold = rate.threshold(fingers: fingersOfOwner)
    let sessions = stride(from: 0, to: scores.count, by: MetFinger.tries).map {
      scores[$0..<$0 + MetFinger.tries].contains { $0 >= threshold }
    }
    return (
      scores.count, scores.count { $0 >= threshold }, sessions.count,
      sessions.count { $0 }, scores.max() ?? PrintMatcher.lowestScore
    )
  }

  static let head = [
    "sensor", "fingers", "not enrolled", "touches", "not used", "owners' tries", "accepted %",
    "of three tries, accepted %", "strangers' tries", "accepted", "highest", "relaxed threshold",
    "of three tries, accepted %", "strangers accepted",
  ]

  /// Of the sensor, mm².
  private var area: Double {
    let side = Double(size) * 25.4 / 500
    return side * side
  }

  var row: [String] {
    let (owners, strangers) = (accepted(true), accepted(false))
    let rate = MatchRate.relaxed(forFrameOf: area)
    let relaxed = accepted(true, rate)
    let touches = fingers.map(\.touches).reduce(0, +)
    let unused = fingers.map(\.unused).reduce(0, +)
    return [
      "\(size) px", String(fingers.count), String(fingers.count { $0.template == nil }),
      ErrorRateTable.decimal(Double(touches) / Double(max(fingers.count, 1))),
      ErrorRateTable.decimal(Double(unused) / Double(max(fingers.count, 1))),
      String(owners.tries), ErrorRateTable.share(owners.triesAccepted, of: owners.tries),
      ErrorRateTable.share(owners.sessionsAccepted, of: owners.sessions), String(strangers.tries),
      String(strangers.triesAccepted),
      strangers.tries > 0 ? ErrorRateTable.decimal(strangers.highest) : "none",
      rate.isRelaxed ? ErrorRateTable.decimal(rate.threshold(fingers: fingersOfOwner)) : "none",
      ErrorRateTable.share(relaxed.sessionsAccepted, of: relaxed.sessions),
      String(accepted(false, rate).triesAccepted),
    ]
  }
}
