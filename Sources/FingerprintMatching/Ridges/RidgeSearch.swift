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

  private var registration = RidgeRegistration()

  /// The best place, or nil if either has no ridges to compare.
  ///
  /// - Parameters:
  ///   - probe: A small touch.
  ///   - gallery: What is known of a finger.
  ///   - hint: Where the minutiae say that the touch lies, if they say anything.
  /// - Returns: The place with the most evidence.
  mutating func best(
    probe: PrintView, gallery: PrintView, hint: RigidMotion?
  ) -> RidgeMatch? {
    guard let touch = probe.sheet, let finger = gallery.sheet else { return nil }
    var guesses: [Guess] = []
    var places = MotionPlaces(of: touch.grid)
    let motions =
      (hint.map { [$0] } ?? []) + Self.guesses(pairing: probe, with: gallery)
      + Self.guesses(anchoring: probe, on: gallery)
    for motion in motions where places.isNew(motion) {
      registration.refine(motion, probe: touch, gallery: finger, rounds: 2, every: 4)
      guesses.append(Guess(rank: registration.agreement.surplus, motion: registration.motion))
    }
    guesses.sort { $0.rank > $1.rank }
    guesses.removeLast(max(guesses.count - Self.candidates, 0))
    for k in guesses.indices {
      registration.refine(guesses[k].motion, probe: touch, gallery: finger, rounds: 1, every: 2)
      guesses[k] = Guess(rank: registration.agreement.surplus, motion: registration.motion)
    }
    guesses.sort { $0.rank > $1.rank }
    places = MotionPlaces(of: touch.grid)
    guesses = guesses.filter { places.isNew($0.motion) }
    var best: RidgeMatch?
    for guess in guesses.prefix(Self.finalists) {
      registration.refine(guess.motion, probe: touch, gallery: finger, rounds: 1, every: 1)
      registration.stretch(probe: touch, gallery: finger)
      let match = RidgeMatch(registration, probe: probe, gallery: gallery)
      if match.evidence > best?.evidence ?? -.infinity { best = match }
    }
    return best
  }

  private struct Guess {
    let rank: Float
    let motion: RigidMotion
  }

  /// The motions that take a minutia of the probe to one of the gallery.
  private static func guesses(
    pairing probe: PrintView, with gallery: PrintView
  ) -> [RigidMotion] {
    var motions: [RigidMotion] = []
    for a in probe.points {
      for b in gallery.points {
        let motion = RigidMotion(
          cosine: (a.direction * b.direction).sum(),
          sine: a.direction.x * b.direction.y - a.direction.y * b.direction.x,
          taking: a.place.x, a.place.y, to: b.place.x, b.place.y)
        guard flow(motion, probe.flow, gallery.flow) > leastFlow.minutiae else { continue }
        motions.append(motion)
      }
    }
    return motions
  }

  /// The motions that take a cell of the probe to one of the gallery and turn its ridges onto those
  /// there, at most a quarter turn; those with the best flow.
  private static func guesses(
    anchoring probe: PrintView, on gallery: PrintView
  ) -> [RigidMotion] {
    let (own, other) = (probe.flow, gallery.flow)
    let side = Float(CellGrid.side)
    var found: [(flow: Float, motion: RigidMotion)] = []
    for anchor in anchors {
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
        let agreement = flow(motion, own, other)
        if agreement > leastFlow.anchors { found.append((agreement, motion)) }
      }
    }
    found.sort { $0.flow > $1.flow }
    var places = MotionPlaces(of: own.grid)
    var motions: [RigidMotion] = []
    for guess in found where motions.count < flowGuesses && places.isNew(guess.motion) {
      motions.append(guess.motion)
    }
    return motions
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
}
