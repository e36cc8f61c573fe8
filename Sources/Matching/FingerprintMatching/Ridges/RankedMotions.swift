/// A motion onto one part of a finger, and how good it is.
struct RankedMotion: Sendable {
  let rank: Float
  let motion: RigidMotion
  /// The index of the part.
  let part: Int

  /// What is written over motions that are no longer needed.
  static let blank = RankedMotion(rank: 0, motion: .none, part: 0)
}

/// The best of many motions, the best first; of motions that are equally good those that came
/// first.
struct RankedMotions: Sendable {
  private(set) var motions: [RankedMotion] = []
  /// How many are kept.
  private let most: Int

  init(most: Int) { self.most = most }

  /// Forgets all motions.
  mutating func begin() {
    motions.removeAll(keepingCapacity: true)
    motions.reserveCapacity(most + 1)
  }

  /// Takes a motion in where it is good enough.
  mutating func add(_ motion: RankedMotion) {
    var place = motions.count
    while place > 0, motions[place - 1].rank < motion.rank { place -= 1 }
    guard place < most else { return }
    motions.insert(motion, at: place)
    if motions.count > most { motions.removeLast() }
  }

  /// Overwrites what is left of the motions.
  mutating func wipe() { motions.wipe(with: .blank) }
}
