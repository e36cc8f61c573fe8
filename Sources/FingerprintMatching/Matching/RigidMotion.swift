internal import Glibc

/// A rotation and a shift of the plane, from the probe's pixels to the gallery's.
struct RigidMotion: Hashable, Sendable {
  /// Radians.
  let rotation: Float
  let cosine: Float
  let sine: Float
  let dx: Float
  let dy: Float

  init(rotation: Float, dx: Float, dy: Float) {
    self.rotation = rotation
    cosine = cosf(rotation)
    sine = sinf(rotation)
    self.dx = dx
    self.dy = dy
  }

  /// The motion that turns by `rotation` and takes one point to another.
  init(rotation: Float, taking x: Float, _ y: Float, to u: Float, _ v: Float) {
    let (c, s) = (cosf(rotation), sinf(rotation))
    self.init(rotation: rotation, dx: u - (c * x - s * y), dy: v - (s * x + c * y))
  }

  /// Where a point comes to lie.
  @inline(__always)
  func apply(_ x: Float, _ y: Float) -> (x: Float, y: Float) {
    (cosine * x - sine * y + dx, sine * x + cosine * y + dy)
  }

  /// The motion back.
  var inverse: RigidMotion {
    RigidMotion(
      rotation: -rotation, dx: -(cosine * dx + sine * dy), dy: sine * dx - cosine * dy)
  }

  /// This motion after another.
  func after(_ first: RigidMotion) -> RigidMotion {
    let (x, y) = apply(first.dx, first.dy)
    return RigidMotion(rotation: rotation + first.rotation, dx: x, dy: y)
  }

  /// The motion that brings pairs of points closest together (Procrustes).
  init(pairs: [(from: Minutia, to: Minutia)]) {
    let count = Float(max(pairs.count, 1))
    var (fx, fy, tx, ty) = (Float(0), Float(0), Float(0), Float(0))
    for pair in pairs {
      fx += pair.from.x
      fy += pair.from.y
      tx += pair.to.x
      ty += pair.to.y
    }
    (fx, fy, tx, ty) = (fx / count, fy / count, tx / count, ty / count)
    var (dot, cross) = (Float(0), Float(0))
    for pair in pairs {
      let (ax, ay) = (pair.from.x - fx, pair.from.y - fy)
      let (bx, by) = (pair.to.x - tx, pair.to.y - ty)
      dot += ax * bx + ay * by
      cross += ax * by - ay * bx
      // The directions count as points 16 pixels away, so that one pair has a rotation too.
      let turn = pair.to.direction - pair.from.direction
      dot += 256 * cosf(turn)
      cross += 256 * sinf(turn)
    }
    self.init(rotation: atan2f(cross, dot), taking: fx, fy, to: tx, ty)
  }
}
