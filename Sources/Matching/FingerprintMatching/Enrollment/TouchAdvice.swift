/// What a touch says about how the next one can be better, before it is compared with any other.
///
/// A touch is refused only if it shows next to nothing: refusing an owner is worse than asking the
/// owner to wipe the finger. Milder faults are named while the touch is used.
enum TouchAdvice {
  /// Least ridge area of a touch, mm²: three ridge periods a side on most fingers' scale.
  static let leastArea = 12.0
  /// Least mean clarity of a touch. The least clear print of FVC2002 DB1_B to DB4_B has 0.16.
  static let leastClarity = 0.1
  /// Ridge area in mm² above which a finger has minutiae: five on average, so that one touch in 150
  /// has none. Stripes have none.
  static let areaWithMinutiae = 25.0
  /// Ridge area in mm² below which a touch that fills less than half of the window was not flat.
  static let flatArea = 75.0

  /// Skewness and clarity that together make a touch dry or wet.
  ///
  /// Thin or broad ridges do no harm if they are clear, and sensors draw them differently. So
  /// neither figure alone is a fault.
  struct Fault {
    let skewness: Double
    let clarity: Double
  }

  static let dry = Fault(skewness: 1.15, clarity: 0.58)
  static let wet = Fault(skewness: -0.15, clarity: 0.7)
  /// Error of the skewness over 1 mm² of ridges; over more it shrinks with the root of the area.
  static let skewnessError = 0.6

  /// Why a touch cannot be used, or nil if it can.
  static func refusal(of touch: PrintFeatures) -> Enrollment.Guidance? {
    guard touch.hasRidges else { return .noRidges }
    guard touch.ridgeArea >= leastArea else { return .tooSmall }
    let hasMinutiae = !touch.minutiae.isEmpty || touch.ridgeArea < areaWithMinutiae
    guard touch.condition.clarity < leastClarity || !hasMinutiae else { return nil }
    return wish(after: touch) ?? .poorQuality
  }

  /// What would make the next touch better than this usable one, or nil if this one is good.
  static func wish(after touch: PrintFeatures) -> Enrollment.Guidance? {
    if touch.ridgeArea < flatArea && touch.condition.windowShare < 0.5 { return .tooSmall }
    return moisture(of: touch.condition, area: touch.ridgeArea)
  }

  /// Whether a touch lies exactly where the last one did: the finger was never lifted.
  ///
  /// Between two touches the skin moves by tens of pixels and stretches by a few. So most minutiae
  /// are never in the same place, to a pixel and a half, in two touches.
  static func isHeld(_ touch: PrintFeatures, since last: PrintFeatures) -> Bool {
    let (own, former) = (touch.minutiae, last.minutiae)
    let most = max(own.count, former.count)
    guard most >= 3 else { return false }
    let same = own.count { minutia in
      former.contains {
        abs($0.x - minutia.x) <= 1.5 && abs($0.y - minutia.y) <= 1.5
          && abs(Angle.wrapped($0.direction - minutia.direction)) < 0.2
      }
    }
    return same * 4 >= most * 3
  }

  private static func moisture(of ridges: RidgeCondition, area: Double) -> Enrollment.Guidance? {
    let error = skewnessError / max(area, 1).squareRoot()
    if ridges.skewness - error > dry.skewness && ridges.clarity < dry.clarity { return .tooDry }
    if ridges.skewness + error < wet.skewness && ridges.clarity < wet.clarity { return .tooWet }
    return nil
  }
}
