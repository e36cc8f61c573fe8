internal import Glibc

/// A rotation and a shift of the plane, from the probe's pixels to the gallery's.
struct RigidMotion: Hashable, Sendable {
  let cosine: Float
  let sine: Float
  let dx: Float
  let dy: Float

  /// The motion that moves nothing.
  static let none = RigidMotion(cosine: 1, sine: 0, dx: 0, dy: 0)

  /// Radians, -π...π.
  var rotation: Float { atan2f(sine, cosine) }

  init(rotation: Float, dx: Float, dy: Float) {
    self.init(cosine: cosf(rotation), sine: sinf(rotation), dx: dx, dy: dy)
  }

  init(cosine: Float, sine: Float, dx: Float, dy: Float) {
    (self.cosine, self.sine, self.dx, self.dy) = (cosine, sine, dx, dy)
  }

  /// The motion that turns by an angle and takes one point to another.
  init(cosine: Float, sine: Float, taking x: Float, _ y: Float, to u: Float, _ v: Float) {
    self.init(
      cosine: cosine, sine: sine, dx: u - (cosine * x - sine * y), dy: v - (sine * x + cosine * y))
  }

  /// Where a point comes to lie.
  @inline(__always)
  func apply(_ x: Float, _ y: Float) -> (x: Float, y: Float) {
    (cosine * x - sine * y + dx, sine * x + cosine * y + dy)
  }

  /// What becomes of a direction or difference.
  @inline(__always)
  func turn(_ arrow: SIMD2<Float>) -> SIMD2<Float> {
    SIMD2(cosine * arrow.x - sine * arrow.y, sine * arrow.x + cosine * arrow.y)
  }

  var inverse: RigidMotion {
    RigidMotion(
      cosine: cosine, sine: -sine, dx: -(cosine * dx + sine * dy), dy: sine * dx - cosine * dy)
  }

  /// This motion after another.
  func after(_ first: RigidMotion) -> RigidMotion {
    let (x, y) = apply(first.dx, first.dy)
    return RigidMotion(
      cosine: cosine * first.cosine - sine * first.sine,
      sine: sine * first.cosine + cosine * first.sine, dx: x, dy: y)
  }
}
