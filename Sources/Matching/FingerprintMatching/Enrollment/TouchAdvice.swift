/// What a touch says about how the next one can be better, before it is compared with any other.
///
/// A touch is refused only where it shows next to nothing: an owner who is refused is worse off
/// than one who is asked to wipe the finger. Milder faults are named while the touch is used.
enum TouchAdvice {
  /// Least ridge area of a touch, mm²: three ridge periods a side on most fingers' scale.
  static let leastArea = 12.0
  /// Least mean clarity of a touch. Of FVC2002 DB1_B to DB4_B the least clear print has 0.16.
  static let leastClarity = 0.1
  /// Ridge area in mm² in which a finger has minutiae: there are five of them on average, so that
  /// none is found in one touch of 150. Stripes have none.
  static let areaWithMinutiae = 25.0
  /// Ridge area in mm² below which a touch that fills less than half of the window was not flat.
  static let flatArea = 75.0

  /// Skewness and clarity that together make a touch dry or wet.
  ///
  /// Where ridges are clear, thin or broad ones do no harm, and sensors differ in how they draw
  /// them, so that neither figure alone is a fault.
  struct Fault {
    let skewness: Double
    let clarity: Double
  }

  static let dry = Fault(skewness: 1.15, clarity: 0.58)
  static let wet = Fault(skewness: -0.15, clarity: 0.7)
  /// How far skewness is off over 1 mm² of ridges; over more it is less by the root of the area.
  static let skewnessError = 0.6

  /// Why a touch cannot be used; nil where it can.
  static func refusal(of touch: PrintFeatures) -> Enrollment.Guidance? {
    guard touch.hasRidges else { return .noRidges }
    guard touch.ridgeArea >= leastArea else { return .tooSmall }
    let hasMinutiae = !touch.minutiae.isEmpty || touch.ridgeArea < areaWithMinutiae
    guard touch.condition.clarity < leastClarity || !hasMinutiae else { return nil }
    return wish(after: touch) ?? .poorQuality
  }

  /// What would make the next touch better than one that can be used; nil where it is good.
  static func wish(after touch: PrintFeatures) -> Enrollment.Guidance? {
    if touch.ridgeArea < flatArea && touch.condition.windowShare < 0.5 { return .tooSmall }
    return moisture(of: touch.condition, area: touch.ridgeArea)
  }

  /// Whether a touch lies exactly where the last one did: the finger was never lifted.
  ///
  /// Between two touches the skin moves by tens of pixels and stretches by a few; so most minutiae
  /// being where they were, to a pixel and a half, does not happen twice.
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
