/// A motion, and how good it is.
struct RankedMotion: Sendable {
  let rank: Float
  let motion: RigidMotion

  /// Overwrites motions that are no longer needed.
  static let blank = RankedMotion(rank: 0, motion: .none)
}

/// The best of many motions, the best first; of equally good ones, the first to come.
struct RankedMotions: Sendable {
  private(set) var motions: [RankedMotion] = []
  private let most: Int

  init(most: Int) { self.most = most }

  mutating func begin() {
    motions.removeAll(keepingCapacity: true)
    motions.reserveCapacity(most + 1)
  }

  /// Adds a motion if it is good enough.
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

/// A binary heap of motions that gives the best first (Williams, "Algorithm 232: heapsort", 1964).
/// Of equally good motions, the first to come is the better.
struct MotionQueue: Sendable {
  private struct Entry: Sendable {
    let motion: RankedMotion
    let number: Int

    @inline(__always)
    func isBefore(_ other: Entry) -> Bool {
      motion.rank > other.motion.rank
        || motion.rank == other.motion.rank && number < other.number
    }
  }

  /// Each entry comes before those at twice its index plus one or two.
  private var entries: [Entry] = []

  mutating func begin(room: Int) {
    entries.removeAll(keepingCapacity: true)
    entries.reserveCapacity(room)
  }

  /// Adds a motion; none may have been removed since the beginning.
  mutating func add(_ motion: RankedMotion) {
    let entry = Entry(motion: motion, number: entries.count)
    entries.append(entry)
    var place = entries.count - 1
    while place > 0, entry.isBefore(entries[(place - 1) / 2]) {
      entries[place] = entries[(place - 1) / 2]
      place = (place - 1) / 2
    }
    entries[place] = entry
  }

  /// Removes the best motion, or returns nil if there is none.
  mutating func removeBest() -> RankedMotion? {
    guard let best = entries.first, let last = entries.popLast() else { return nil }
    guard !entries.isEmpty else { return best.motion }
    var place = 0
    while 2 * place + 1 < entries.count {
      var next = 2 * place + 1
      if next + 1 < entries.count, entries[next + 1].isBefore(entries[next]) { next += 1 }
      guard entries[next].isBefore(last) else { break }
      entries[place] = entries[next]
      place = next
    }
    entries[place] = last
    return best.motion
  }

  /// Overwrites what is left of the motions.
  mutating func wipe() { entries.wipe(with: Entry(motion: .blank, number: 0)) }
}

/// Remembers tried motions, so that none is tried that is nearly the same.
struct MotionPlaces: Sendable {
  /// Motions that bring the middle of the probe into one square of this side, in pixels, and turn
  /// it alike are the same: ``RidgeRegistration`` bridges the difference.
  static let side: Float = 4
  /// Steps of a turn within which motions turn alike: 6 degrees.
  static let turns: Float = 60
  /// Motions for which room is allocated at first.
  private static let room = 2048

  private var middle = SIMD2<Float>.zero
  /// The tried places: each in the slot of its hash, or in the next free one. Free slots are 0. The
  /// number of slots is a power of two; at most half are taken.
  private var slots: [UInt64] = []
  private var count = 0

  /// Forgets all motions; `grid` is that of the next probe.
  mutating func begin(_ grid: CellGrid) {
    middle = SIMD2(Float(grid.columns), Float(grid.rows)) * Float(CellGrid.side) / 2
    slots.fill(with: 0, count: max(slots.count, 2 * Self.room))
    count = 0
  }

  /// Whether no motion like it was tried before.
  mutating func isNew(_ motion: RigidMotion) -> Bool {
    let place = motion.apply(middle.x, middle.y)
    let turn = motion.rotation / (2 * .pi) * Self.turns
    guard abs(place.x) < 1e6, abs(place.y) < 1e6 else { return false }
    return insert(
      Self.place(
        x: Int((place.x / Self.side).rounded()), y: Int((place.y / Self.side).rounded()),
        turn: Int(turn.rounded())))
  }

  /// A square and a turn as one number that is not 0. Squares have 19 bits, turns 6, and both a
  /// sign.
  private static func place(x: Int, y: Int, turn: Int) -> UInt64 {
    let (x, y) = (UInt64(x + 1 << 20), UInt64(y + 1 << 20))
    return x << 42 | y << 21 | UInt64(turn + 1 << 7)
  }

  /// Remembers a place. Returns whether it is new.
  private mutating func insert(_ place: UInt64) -> Bool {
    if 2 * (count + 1) > slots.count { grow() }
    // Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4): the
    // highest bits of the product say where.
    let bits = slots.count.trailingZeroBitCount
    var slot = Int((place &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - bits))
    while slots[slot] != 0 {
      if slots[slot] == place { return false }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = place
    count += 1
    return true
  }

  private mutating func grow() {
    let noted = slots
    slots = Array(repeating: 0, count: 2 * noted.count)
    count = 0
    for place in noted where place != 0 { _ = insert(place) }
  }

  /// Overwrites what is left of the motions.
  mutating func wipe() { slots.wipe(with: 0) }
}
