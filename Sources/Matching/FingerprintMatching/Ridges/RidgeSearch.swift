internal import Glibc

/// Finds where on a finger the ridges of a small touch lie.
///
/// A touch of a few square millimeters has few minutiae, often fewer than any alignment by minutiae
/// needs, but a hundred cells of ridges. Places are guessed from single minutiae and from the flow,
/// then brought onto the ridges; the best by ``RidgeMatch/score`` wins.
struct RidgeSearch: Sendable {
  /// Guesses from the flow that are tried.
  ///
  /// Of FVC2002 patches of 88 pixels 600, and 160 and 28 of the next two, missed 27.2 and 36.9 % at
  /// false match rates of 1 and 0.1 %, these 27.5 and 39.2 % at two thirds of the work.
  static let flowGuesses = 400
  /// Guesses that are brought more closely onto the ridges.
  static let candidates = 100
  /// Guesses whose ridges may stretch.
  static let finalists = 20
  /// The same for ``confirmedScore(probe:gallery:)``.
  static let confirmed = 5
  /// Least agreement of the flow under a guess, in fully agreeing cells.
  static let leastFlow: (minutiae: Float, anchors: Float) = (5, 10)
  /// Where the anchors lie, as shares of the probe's width and height.
  static let anchors: [(x: Float, y: Float)] = [
    (0.5, 0.5), (0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75),
  ]

  /// The current place, and the best of those before it.
  private var tried = RidgeMatch()
  private var best = RidgeMatch()
  private var isFound = false
  private var places = MotionPlaces()
  private var anchorPlaces = MotionPlaces()
  private var anchored = MotionQueue()
  private var guesses = RankedMotions(most: RidgeSearch.candidates)
  private var closer = RankedMotions(most: RidgeSearch.candidates)

  /// The best place of the last search, or nil if there was none.
  var found: RidgeMatch? { isFound ? best : nil }

  /// The score of the best place, or nil if ridges could be compared nowhere.
  ///
  /// - `probe`: A small touch.
  /// - `hint`: Where the minutiae place the touch, if they do.
  mutating func score(probe: PrintView, gallery: PrintView, hint: RigidMotion?) -> TouchScore? {
    score(of: Self.finalists, probe: probe, gallery: gallery, hint: hint) { $0.score }
  }

  /// The score of the best of few places, judged by minutiae and ridges as ``RidgeConfirmation``
  /// does. Nil if no minutiae lie on each other.
  mutating func confirmedScore(probe: PrintView, gallery: PrintView) -> TouchScore? {
    score(of: Self.confirmed, probe: probe, gallery: gallery, hint: nil) { match in
      match.comparison(probe: probe, gallery: gallery).map {
        RidgeConfirmation.score($0, match.registration, probe: probe)
      }
    }
  }

  private mutating func guess(
    probe: PrintView, gallery: PrintView, _ touch: PhaseField, _ finger: PhaseField,
    hint: RigidMotion?
  ) {
    places.begin(probe.flow.grid)
    anchorPlaces.begin(probe.flow.grid)
    guesses.begin()
    anchored.begin(room: Self.anchors.count * gallery.flow.grid.count)
    if let hint { guess(hint, touch, finger) }
    guess(pairing: probe, with: gallery, touch, finger)
    guess(anchoring: probe.flow, on: gallery.flow)
    var left = Self.flowGuesses
    while left > 0, let guess = anchored.removeBest() {
      guard anchorPlaces.isNew(guess.motion) else { continue }
      left -= 1
      self.guess(guess.motion, touch, finger)
    }
  }

  /// Guesses places, and stretches the skin at no more than `most` of them.
  private mutating func score(
    of most: Int, probe: PrintView, gallery: PrintView, hint: RigidMotion?,
    by score: (RidgeMatch) -> TouchScore?
  ) -> TouchScore? {
    isFound = false
    guard let touch = probe.sheet, let finger = gallery.sheet else { return nil }
    guess(probe: probe, gallery: gallery, touch, finger, hint: hint)
    closer.begin()
    for guess in guesses.motions {
      tried.registration.refine(guess.motion, probe: touch, gallery: finger, rounds: 1, every: 2)
      closer.add(ranked)
    }
    places.begin(touch.grid)
    var count = 0
    var highest: TouchScore?
    for guess in closer.motions where count < most && places.isNew(guess.motion) {
      count += 1
      tried.registration.refine(guess.motion, probe: touch, gallery: finger, rounds: 1, every: 1)
      tried.registration.stretch(probe: touch, gallery: finger)
      tried.judge(probe: probe, gallery: gallery)
      guard let score = score(tried), highest?.include(score) ?? true else { continue }
      highest = highest ?? score
      isFound = true
      // Both keep their allocations.
      swap(&tried, &best)
    }
    return highest
  }

  private var ranked: RankedMotion {
    RankedMotion(rank: tried.registration.agreement.surplus, motion: tried.registration.motion)
  }

  /// Brings a guess onto the ridges, unless one like it was tried.
  private mutating func guess(
    _ motion: RigidMotion, _ touch: PhaseField, _ finger: PhaseField
  ) {
    guard places.isNew(motion) else { return }
    tried.registration.refine(motion, probe: touch, gallery: finger, rounds: 1, every: 4)
    guesses.add(ranked)
  }

  /// Guesses the motions that take a minutia of the probe to one of the gallery.
  private mutating func guess(
    pairing probe: PrintView, with gallery: PrintView, _ touch: PhaseField, _ finger: PhaseField
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

  /// Collects the motions that take a cell of the probe to one of the gallery and turn its ridges
  /// onto those there, at most a quarter turn.
  private mutating func guess(
    anchoring own: OrientationField, on other: OrientationField
  ) {
    let side = Float(CellGrid.side)
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
  }

  /// How well the flow agrees under a motion: the sum over the cells both show (every fourth is
  /// looked at) of 1 for the same direction, 0 for 20 degrees, down to -1.3.
  private static func flow(
    _ motion: RigidMotion, _ probe: OrientationField, _ gallery: OrientationField
  ) -> Float {
    var sum = 0
    probe.compare(with: gallery, under: SkinMotion(motion)) { _, _, angle in
      sum += 28 - min(angle, 64)
    }
    return Float(4 * sum) / 28
  }

  /// Overwrites the remains of the prints.
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
