internal import Glibc

/// Ridge flow at up to 64 points on four rings around a minutia, in the minutia's own frame,
/// compared sixteen points at a time.
///
/// Tico and Kuosmanen, "Fingerprint matching using an orientation-based minutia descriptor" (2003),
/// section 3.1. Across the minutia's ridges, distances count in ridge distances, so stretched skin
/// has the same signature.
struct FlowSignature: Sendable {
  /// Radii in pixels and numbers of points of the rings.
  static let rings: [(radius: Float, points: Int)] = [(20, 8), (36, 12), (54, 16), (72, 20)]
  /// Least number of points that both must show.
  static let leastPoints = 14
  /// Difference at which flow is not alike at all: 21.8 degrees, in 256 steps for half a turn.
  static let limit: UInt8 = 31

  private typealias Points = SIMD16<UInt8>

  /// Flow relative to the minutia, 256 steps for half a turn.
  private var flow = (Points.zero, Points.zero, Points.zero, Points.zero)
  /// ``limit`` if the point was seen, else 0.
  private var room = (Points.zero, Points.zero, Points.zero, Points.zero)

  init(of minutia: Minutia, in field: OrientationField) {
    var point = 0
    let own = minutia.direction / .pi * 256
    let along = SIMD2(cosf(minutia.direction), sinf(minutia.direction))
    let across = minutia.stretch * SIMD2(-along.y, along.x)
    for ring in Self.rings {
      for k in 0..<ring.points {
        let angle = 2 * .pi * Float(k) / Float(ring.points)
        let away = ring.radius * (cosf(angle) * along + sinf(angle) * across)
        if let cell = field.cell(at: minutia.x + away.x, minutia.y + away.y) {
          let relative = Int(field.orientation[cell]) - Int(own.rounded())
          set(point, to: UInt8(truncatingIfNeeded: relative))
        }
        point += 1
      }
    }
  }

  private mutating func set(_ point: Int, to orientation: UInt8) {
    let lane = point % 16
    switch point / 16 {
    case 0: (flow.0[lane], room.0[lane]) = (orientation, Self.limit)
    case 1: (flow.1[lane], room.1[lane]) = (orientation, Self.limit)
    case 2: (flow.2[lane], room.2[lane]) = (orientation, Self.limit)
    default: (flow.3[lane], room.3[lane]) = (orientation, Self.limit)
    }
  }

  /// How alike the flow is at the points seen in both, 0...1 (Tico and Kuosmanen, equation 6, with
  /// a straight slope in place of the exponential).
  @inline(__always)
  func similarity(to other: FlowSignature) -> Float {
    let a = room.0 & other.room.0
    let b = room.1 & other.room.1
    let c = room.2 & other.room.2
    let d = room.3 & other.room.3
    let near =
      (Self.nearness(flow.0, other.flow.0, a) &+ Self.nearness(flow.1, other.flow.1, b))
      &+ (Self.nearness(flow.2, other.flow.2, c) &+ Self.nearness(flow.3, other.flow.3, d))
    let most = Self.sum((a &+ b) &+ (c &+ d))
    guard most >= Self.leastPoints &* Int(Self.limit) else { return 0 }
    return Float(Self.sum(near)) / Float(most)
  }

  /// ``limit`` minus the angle between each two, or 0 beyond it and where there is no room.
  ///
  /// Lane by lane: compilers know the instructions that take the lower of two bytes and subtract
  /// down to 0, but the standard library has no names for them.
  @inline(__always)
  private static func nearness(_ a: Points, _ b: Points, _ room: Points) -> Points {
    let (ahead, behind) = (a &- b, b &- a)
    var near = Points.zero
    for lane in 0..<16 {
      let angle = min(ahead[lane], behind[lane])
      near[lane] = max(room[lane], angle) &- angle
    }
    return near
  }

  @inline(__always)
  private static func sum(_ lanes: Points) -> Int {
    var total: UInt = 0
    for lane in 0..<16 { total &+= UInt(lanes[lane]) }
    return Int(bitPattern: total)
  }
}
