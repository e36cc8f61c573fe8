internal import Glibc

/// Finds where on a finger the ridges of a small touch lie.
///
/// A touch of a few square millimetres has few minutiae, often fewer than any alignment by
/// minutiae needs, but a hundred cells of ridges. Places are guessed from single minutiae and from
/// the flow, then brought onto the ridges; the best by ``RidgeMatch/evidence`` wins.
struct RidgeSearch: Sendable {
  /// Guesses from the flow that are tried.
  static let flowGuesses = 200
  /// Guesses that are brought onto the ridges, more closely.
  static let candidates = 80
  /// Guesses of which the ridges are let stretch.
  static let finalists = 14
  /// Least agreement of the flow under a guess, in cells that agree fully.
  static let leastFlow: (minutiae: Float, anchors: Float) = (5, 10)
  /// Where the anchors lie, as shares of the probe's width and height.
  static let anchors: [(x: Float, y: Float)] = [
    (0.5, 0.5), (0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75),
  ]

  /// The place that is looked at, and the best of those before it.
  private var tried = RidgeMatch()
  private var best = RidgeMatch()
  private var places = MotionPlaces()
  private var anchorPlaces = MotionPlaces()
  private var anchored = MotionQueue()
  private var guesses = RankedMotions(most: RidgeSearch.candidates)
  private var closer = RankedMotions(most: RidgeSearch.candidates)

  /// The best place.
  ///
  /// - Parameters:
  ///   - probe: A small touch.
  ///   - gallery: What is known of a finger.
  ///   - hint: Where the minutiae say that the touch lies, if they say anything.
  /// - Returns: The place with the most evidence; nil if either has no ridges to compare.
  mutating func best(probe: PrintView, gallery: PrintView, hint: RigidMotion?) -> RidgeMatch? {
    evidence(probe: probe, gallery: gallery, hint: hint) == nil ? nil : best
  }

  /// The evidence of the best place; see ``best(probe:gallery:hint:)``.
  mutating func evidence(probe: PrintView, gallery: PrintView, hint: RigidMotion?) -> Float? {
    guard let touch = probe.sheet, let finger = gallery.sheet else { return nil }
    places.begin(touch.grid)
    guesses.begin()
    if let hint { guess(hint, touch, finger) }
    guess(pairing: probe, with: gallery, touch, finger)
    guess(anchoring: probe, on: gallery, touch, finger)
    closer.begin()
    for guess in guesses.motions {
      tried.registration.refine(guess.motion, probe: touch, gallery: finger, rounds: 1, every: 2)
      closer.add(ranked)
    }
    places.begin(touch.grid)
    var finalists = 0
    var most: Float?
    for guess in closer.motions where finalists < Self.finalists && places.isNew(guess.motion) {
      finalists += 1
      tried.registration.refine(guess.motion, probe: touch, gallery: finger, rounds: 1, every: 1)
      tried.registration.stretch(probe: touch, gallery: finger)
      tried.judge(probe: probe, gallery: gallery)
      guard tried.evidence > most ?? -.infinity else { continue }
      most = tried.evidence
      // What both have allocated is used again.
      swap(&tried, &best)
    }
    return most
  }

  /// What the registration has come to.
  private var ranked: RankedMotion {
    RankedMotion(
      rank: tried.registration.agreement.surplus, motion: tried.registration.motion)
  }

  /// Brings a guess onto the ridges, unless one like it was.
  private mutating func guess(_ motion: RigidMotion, _ touch: RidgeSheet, _ finger: RidgeSheet) {
    guard places.isNew(motion) else { return }
    tried.registration.refine(motion, probe: touch, gallery: finger, rounds: 2, every: 4)
    guesses.add(ranked)
  }

  /// Guesses the motions that take a minutia of the probe to one of the gallery.
  private mutating func guess(
    pairing probe: PrintView, with gallery: PrintView, _ touch: RidgeSheet, _ finger: RidgeSheet
  ) {
    for a in probe.points {
      for b in gallery.points {
        let motion = RigidMotion(
          cosine: (a.direction * b.direction).sum(),
          sine: a.direction.x * b.direction.y - a.direction.y * b.direction.x,
          taking: a.place.x, a.place.y, to: b.place.x, b.place.y)
        guard Self.flow(motion, probe.flow, gallery.flow) > Self.leastFlow.minutiae else {
          continue
        }
        guess(motion, touch, finger)
      }
    }
  }

  /// Guesses the motions that take a cell of the probe to one of the gallery and turn its ridges
  /// onto those there, at most a quarter turn; those with the best flow.
  private mutating func guess(
    anchoring probe: PrintView, on gallery: PrintView, _ touch: RidgeSheet, _ finger: RidgeSheet
  ) {
    let (own, other) = (probe.flow, gallery.flow)
    let side = Float(CellGrid.side)
    anchored.begin(room: Self.anchors.count * other.grid.count)
    for anchor in Self.anchors {
      let column = Int(anchor.x * Float(own.grid.columns))
      let row = Int(anchor.y * Float(own.grid.rows))
      let from = row * own.grid.columns + column
      guard own.clarity[from] > 0 else { continue }
      let (x, y) = ((Float(column) + 0.5) * side, (Float(row) + 0.5) * side)
      for to in 0..<other.grid.count where other.clarity[to] > 0 {
        let turn = Float(Int8(bitPattern: other.orientation[to] &- own.orientation[from]))
        let angle = turn / 256 * .pi
        let motion = RigidMotion(
          cosine: cosf(angle), sine: sinf(angle), taking: x, y,
          to: (Float(to % other.grid.columns) + 0.5) * side,
          (Float(to / other.grid.columns) + 0.5) * side)
        let agreement = Self.flow(motion, own, other)
        guard agreement > Self.leastFlow.anchors else { continue }
        anchored.add(RankedMotion(rank: agreement, motion: motion))
      }
    }
    anchorPlaces.begin(own.grid)
    var left = Self.flowGuesses
    while left > 0, let motion = anchored.removeBest() {
      guard anchorPlaces.isNew(motion) else { continue }
      left -= 1
      guess(motion, touch, finger)
    }
  }

  /// How well the flow agrees under a motion: the sum over the cells that both show, of which every
  /// fourth is looked at, of 1 for the same direction, 0 for 20 degrees, down to -1.3.
  private static func flow(
    _ motion: RigidMotion, _ probe: RidgeFlow, _ gallery: RidgeFlow
  ) -> Float {
    var sum = 0
    probe.compare(with: gallery, under: motion) { _, _, angle in sum += 28 - min(angle, 64) }
    return Float(4 * sum) / 28
  }

  /// Overwrites what is left of the prints that were compared.
  mutating func wipe() {
    tried.registration.wipe()
    best.registration.wipe()
    places.wipe()
    anchorPlaces.wipe()
    anchored.wipe()
    guesses.wipe()
    closer.wipe()
  }
}
