/// How skin lies on a gallery print: turned, shifted, and stretched the same everywhere.
struct SkinMotion: Hashable, Sendable {
  /// The turn and shift alone.
  let rigid: RigidMotion
  /// What becomes of a pixel's step to the right.
  let right: SIMD2<Float>
  /// What becomes of a pixel's step down.
  let down: SIMD2<Float>
  /// Where the first pixel comes to lie.
  let offset: SIMD2<Float>

  /// The motion that moves nothing.
  static let none = SkinMotion(.none)

  /// A motion that stretches nothing.
  init(_ rigid: RigidMotion) {
    self.init(
      rigid: rigid, right: SIMD2(rigid.cosine, rigid.sine),
      down: SIMD2(-rigid.sine, rigid.cosine), offset: SIMD2(rigid.dx, rigid.dy))
  }

  init(rigid: RigidMotion, right: SIMD2<Float>, down: SIMD2<Float>, offset: SIMD2<Float>) {
    (self.rigid, self.right, self.down, self.offset) = (rigid, right, down, offset)
  }

  /// Where a point comes to lie.
  @inline(__always)
  func apply(_ x: Float, _ y: Float) -> (x: Float, y: Float) {
    let place = x * right + y * down + offset
    return (place.x, place.y)
  }

  /// What becomes of a difference.
  @inline(__always)
  func stretch(_ arrow: SIMD2<Float>) -> SIMD2<Float> { arrow.x * right + arrow.y * down }

  /// The same where the probe's and the gallery's pixels are counted from other places.
  ///
  /// - Parameters:
  ///   - from: Where the probe's own first pixel lies in the probe as it is counted then.
  ///   - to: The same of the gallery.
  /// - Returns: The same motion.
  func counted(from: SIMD2<Float>, to: SIMD2<Float>) -> SkinMotion {
    let turned = rigid.turn(from)
    let moved = RigidMotion(
      cosine: rigid.cosine, sine: rigid.sine, dx: rigid.dx + to.x - turned.x,
      dy: rigid.dy + to.y - turned.y)
    return SkinMotion(
      rigid: moved, right: right, down: down, offset: offset + to - stretch(from))
  }

  /// The motion back; without its stretch where that leaves nothing to go back from.
  var inverse: SkinMotion {
    let area = right.x * down.y - right.y * down.x
    guard area > 0.1 else { return SkinMotion(rigid.inverse) }
    let back = (right: SIMD2(down.y, -right.y) / area, down: SIMD2(-down.x, right.x) / area)
    return SkinMotion(
      rigid: rigid.inverse, right: back.right, down: back.down,
      offset: -(offset.x * back.right + offset.y * back.down))
  }
}
