/// The motion that brings pairs of minutiae closest together, as pairs are added (Procrustes).
struct MotionFit {
  /// A pair's directions count as points this far away, in pixels, so that one pair has a rotation.
  static let arm: Float = 16

  private var count: Float = 0
  private var from = SIMD2<Float>.zero
  private var to = SIMD2<Float>.zero
  private var dot: Float = 0
  private var cross: Float = 0

  /// Takes a pair into account.
  mutating func add(_ a: OrientedPoint, _ b: OrientedPoint) {
    count += 1
    from += a.place
    to += b.place
    let arms = Self.arm * Self.arm
    dot += a.place.x * b.place.x + a.place.y * b.place.y
    dot += arms * (a.direction.x * b.direction.x + a.direction.y * b.direction.y)
    cross += a.place.x * b.place.y - a.place.y * b.place.x
    cross += arms * (a.direction.x * b.direction.y - a.direction.y * b.direction.x)
  }

  /// The best motion; there must be a pair.
  var motion: RigidMotion {
    let (f, t) = (from / count, to / count)
    let c = dot - count * (f.x * t.x + f.y * t.y)
    let s = cross - count * (f.x * t.y - f.y * t.x)
    let length = max((c * c + s * s).squareRoot(), 1e-6)
    return RigidMotion(cosine: c / length, sine: s / length, taking: f.x, f.y, to: t.x, t.y)
  }
}

/// A minutia as comparing needs it.
struct OrientedPoint: Hashable, Sendable {
  /// Pixels.
  let place: SIMD2<Float>
  /// Of length 1.
  let direction: SIMD2<Float>
}
