/// What a person does to the skin, beyond how everybody touches a sensor: pressing, dragging and
/// turning the finger on it, and touching it with wet or dry skin.
///
/// Each impression draws from these ranges. As strong as at the upper ends they were asked of the
/// volunteers of FVC2004 (Cappelli et al., "Performance evaluation of fingerprint verification
/// systems", 2006, section 2).
package struct SkinTreatment: Sendable, Hashable {
  /// How hard the finger is pressed, 0...1: at 1 a tenth more of the skin touches to each side,
  /// ridges lie a twelfth farther apart and are so broad that valleys are thin lines.
  package var pressing: ClosedRange<Double> = 0...0
  /// How far the skin is stretched where it is dragged most, 1...1.6: the distance of ridges that
  /// run across the drag, as a multiple of what it is untouched. It grows from one end of the
  /// contact to the other; on the far side skin is pushed together by a fifth as much.
  package var stretch: ClosedRange<Double> = 1...1
  /// How far the middle of the contact is turned against its edge, -40...40 degrees.
  package var twist: ClosedRange<Double> = 0...0
  /// How much of the contact water covers, 0...1: in pools some millimeters wide valleys close, and
  /// the outline runs out.
  package var wetness: ClosedRange<Double> = 0...0
  /// How broken ridges are, 0...1: at 1 they are rows of dots.
  package var dryness: ClosedRange<Double> = 0...0

  /// Skin that is left alone.
  package static let none = SkinTreatment()

  package init() {}

  /// Whether the ranges lie in what each may have.
  var isPossible: Bool {
    let ranges: [(ClosedRange<Double>, ClosedRange<Double>)] = [
      (pressing, 0...1), (stretch, 1...1.6), (twist, -40...40), (wetness, 0...1), (dryness, 0...1),
    ]
    return ranges.allSatisfy {
      $0.lowerBound >= $1.lowerBound && $0.upperBound <= $1.upperBound
    }
  }
}

extension ImpressionConditions {
  /// A volunteer who was asked to vary place and pressure, before anything else is done to the
  /// skin.
  private static let volunteer = ImpressionConditions(
    rotation: 12, shift: 20, slip: 6, moisture: -0.4...0.4, contact: 0.65...0.95, grain: 0.4...0.9)

  /// A finger pressed hard.
  package static let pressed = volunteer.treated { $0.pressing = 0.6...1 }
  /// A finger dragged after it has touched.
  package static let dragged = volunteer.treated { $0.stretch = 1.4...1.6 }
  /// A finger turned after it has touched, to either side.
  package static let twisted = volunteer.treated { $0.twist = -30...30 }
  /// A finger from the tap.
  package static let wet = volunteer.treated { $0.wetness = 0.7...1 }
  /// A finger dried with spirit.
  package static let dry = volunteer.treated { $0.dryness = 0.6...1 }

  private func treated(_ treat: (inout SkinTreatment) -> Void) -> ImpressionConditions {
    var conditions = self
    treat(&conditions.treatment)
    return conditions
  }
}
