/// The touches of an enrollment, joined wherever they overlap: the finger, and parts that have
/// joined nothing so far.
///
/// At first the parts of a small sensor are islands, which become one as touches fill the gaps. A
/// touch of another finger is an island that stays. So one part is enrolled, and the others wait
/// until a touch joins them.
struct FingerParts: Sendable {
  /// The most parts that wait. Beyond it, the one of fewest touches is forgotten, the oldest first.
  static let mostWaiting = 16

  private struct Part: Sendable {
    var mosaic: FingerMosaic
    var isFirst: Bool
  }

  /// In the order in which they began.
  private var parts: [Part] = []
  private var placing = TouchPlacing()

  /// All touches, including waiting and forgotten ones.
  private(set) var touches = 0

  /// The finger that is enrolled: the part of the first touch, or one with at least two and twice
  /// as many touches, since the first may have been a slip.
  var finger: FingerMosaic? { index.map { parts[$0].mosaic } }

  var waiting: [FingerMosaic] { parts.indices.filter { $0 != index }.map { parts[$0].mosaic } }

  /// Whether it is plain which finger is enrolled. If two fingers take turns, the one that did not
  /// begin never has more than half of all touches.
  var isPlain: Bool {
    guard let index else { return false }
    return parts[index].isFirst || 2 * parts[index].mosaic.touches > touches
  }

  private var index: Int? {
    guard let first = parts.firstIndex(where: \.isFirst) else { return nil }
    var most = first
    for (index, part) in parts.enumerated()
    where part.mosaic.touches > parts[most].mosaic.touches { most = index }
    return parts[most].mosaic.touches >= 2 * parts[first].mosaic.touches ? most : first
  }

  /// Adds a touch, and joins parts that turn out to overlap. Returns whether the touch is part of
  /// ``finger``.
  mutating func add(_ touch: PrintView) -> Bool {
    touches += 1
    let former = finger?.touches ?? 0
    var grown = Part(mosaic: FingerMosaic(touch), isFirst: parts.isEmpty)
    var place = parts.count
    // The grown part may reach another.
    while let (index, whole) = fit(grown.mosaic) {
      grown = Part(mosaic: whole, isFirst: grown.isFirst || parts[index].isFirst)
      parts.remove(at: index)
      place = index
    }
    parts.insert(grown, at: min(place, parts.count))
    forgetOldest()
    return (finger?.touches ?? 0) > former
  }

  /// The part that fits best, and both joined.
  private mutating func fit(_ part: FingerMosaic) -> (index: Int, whole: FingerMosaic)? {
    var best: (index: Int, placed: TouchPlacing.Placed)?
    for (index, other) in parts.enumerated() {
      let (small, large) = Self.ordered(part, other.mosaic)
      guard let placed = placing.place(small.view, on: large.view),
        placed.score > best?.placed.score ?? -.infinity
      else { continue }
      best = (index, placed)
    }
    guard let best else { return nil }
    let (small, large) = Self.ordered(part, parts[best.index].mosaic)
    var whole = large
    return whole.join(small, best.placed.registration) ? (best.index, whole) : nil
  }

  private static func ordered(
    _ part: FingerMosaic, _ other: FingerMosaic
  ) -> (small: FingerMosaic, large: FingerMosaic) {
    part.touches <= other.touches ? (part, other) : (other, part)
  }

  private mutating func forgetOldest() {
    guard parts.count > Self.mostWaiting + 1 else { return }
    let own = index
    let rest = parts.indices.filter { $0 != own && !parts[$0].isFirst }
    guard let least = rest.min(by: { parts[$0].mosaic.touches < parts[$1].mosaic.touches }) else {
      return
    }
    parts.remove(at: least)
  }
}

/// Finds where a touch lies on the known finger.
struct TouchPlacing: Sendable {
  /// Least score of a touch that is joined, see ``ScoreScale``: a stranger's reaches it once in
  /// 16,000 comparisons.
  static let leastScore = 9.7
  /// The same for small touches, which seldom score higher: a synthetic stranger's reaches it once in
  /// 1,000 comparisons.
  static let leastScoreOfSmall = 6.3

  private var storage = MatchingStorage()

  /// Where a touch lies on a mosaic, or nil if nothing says so surely.
  mutating func place(_ touch: PrintView, on mosaic: PrintView) -> Placed? {
    touch.flow.isSmall ? placeSmall(touch, on: mosaic) : placeLarge(touch, on: mosaic)
  }

  /// Places a touch with enough minutiae. It must fit from either side: joined touches have many
  /// minutiae, so a stranger's is now and then like one of two mosaics when compared one way, and
  /// elsewhere or not at all the other way.
  private mutating func placeLarge(_ touch: PrintView, on mosaic: PrintView) -> Placed? {
    guard let back = score(of: mosaic, on: touch), back >= Self.leastScore,
      let score = score(of: touch, on: mosaic), score >= Self.leastScore,
      let registration = storage.confirmation.best(probe: touch, gallery: mosaic)
    else { return nil }
    return Placed(registration: registration, score: min(score, back))
  }

  private mutating func score(of touch: PrintView, on mosaic: PrintView) -> Double? {
    let comparison = storage.minutiae.best(probe: touch, gallery: mosaic)
    return storage.confirmation.score(
      storage.minutiae.pairings, probe: touch, gallery: mosaic, likeness: comparison?.likeness ?? 0,
      isJoining: true)?.sure
  }

  private mutating func placeSmall(_ touch: PrintView, on mosaic: PrintView) -> Placed? {
    let score = storage.scoreByCells(probe: touch, part: mosaic).sure
    guard score >= Self.leastScoreOfSmall, let match = storage.match(of: touch, on: mosaic) else {
      return nil
    }
    return Placed(registration: match.registration, score: score)
  }

  struct Placed: Sendable {
    let registration: RidgeRegistration
    /// See ``ScoreScale``.
    let score: Double
  }
}
