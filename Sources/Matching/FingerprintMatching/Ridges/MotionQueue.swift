/// Many motions, of which the best are taken out: a binary heap (Williams, "Algorithm 232:
/// heapsort", 1964). Of motions that are equally good the one that came first is the better.
struct MotionQueue: Sendable {
  private struct Entry: Sendable {
    let motion: RankedMotion
    /// How many came before it.
    let number: Int

    /// Whether it is taken out before another.
    @inline(__always)
    func isBefore(_ other: Entry) -> Bool {
      motion.rank > other.motion.rank
        || motion.rank == other.motion.rank && number < other.number
    }
  }

  /// Each entry comes before those at twice its index and one or two more.
  private var entries: [Entry] = []

  /// Forgets all motions and makes room for others.
  mutating func begin(room: Int) {
    entries.removeAll(keepingCapacity: true)
    entries.reserveCapacity(room)
  }

  /// Puts a motion in; none may have been taken out since the beginning.
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

  /// Takes the best motion out; nil where there is none.
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
