/// Ridge flow at up to 64 points around a minutia, compared sixteen points at a time.
struct FlowSignature: Hashable, Sendable {
  /// Points that must be seen in both for the flow to say anything.
  static let leastPoints = 14
  /// Flow that differs by this much is not alike at all: 21.8 degrees, 256 steps for half a turn.
  static let limit: Int8 = 31

  private var first = SIMD16<Int8>.zero
  private var second = SIMD16<Int8>.zero
  private var third = SIMD16<Int8>.zero
  private var fourth = SIMD16<Int8>.zero
  /// All ones where a point was seen.
  private var firstSeen = SIMD16<Int8>.zero
  private var secondSeen = SIMD16<Int8>.zero
  private var thirdSeen = SIMD16<Int8>.zero
  private var fourthSeen = SIMD16<Int8>.zero
  /// A bit for each point that was seen.
  private var seen: UInt64 = 0

  /// Notes the flow at a point, relative to the minutia; 256 steps for half a turn.
  mutating func set(_ point: Int, to orientation: UInt8) {
    let value = Int8(bitPattern: orientation)
    seen |= 1 << UInt64(point)
    switch point / 16 {
    case 0: (first[point % 16], firstSeen[point % 16]) = (value, -1)
    case 1: (second[point % 16], secondSeen[point % 16]) = (value, -1)
    case 2: (third[point % 16], thirdSeen[point % 16]) = (value, -1)
    default: (fourth[point % 16], fourthSeen[point % 16]) = (value, -1)
    }
  }

  /// How alike the flow is at the points seen in both, 0...1 (Tico and Kuosmanen, equation 6, with
  /// a straight slope in place of the exponential).
  func similarity(to other: FlowSignature) -> Float {
    let count = (seen & other.seen).nonzeroBitCount
    guard count >= Self.leastPoints else { return 0 }
    let sum =
      (Self.nearness(first, other.first) & firstSeen & other.firstSeen)
      &+ (Self.nearness(second, other.second) & secondSeen & other.secondSeen)
      &+ (Self.nearness(third, other.third) & thirdSeen & other.thirdSeen)
      &+ (Self.nearness(fourth, other.fourth) & fourthSeen & other.fourthSeen)
    var total = 0
    for lane in 0..<16 { total &+= Int(sum[lane]) }
    return Float(total) / Float(count &* Int(Self.limit))
  }

  /// ``limit`` less the angle between each two, or 0 beyond it; without branches, by signs.
  @inline(__always)
  private static func nearness(_ a: SIMD16<Int8>, _ b: SIMD16<Int8>) -> SIMD16<Int8> {
    let difference = a &- b
    let sign = difference &>> 7
    let angle = (difference ^ sign) &- sign
    let left = SIMD16(repeating: limit) &- angle
    return left & ~(left &>> 7)
  }
}
