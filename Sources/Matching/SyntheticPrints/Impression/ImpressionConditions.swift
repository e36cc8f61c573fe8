/// How large the sensor is and how carefully a finger is put on it. Each impression draws from
/// these ranges.
package struct ImpressionConditions: Sendable, Hashable {
  /// The sensor's window in pixels at 500 ppi, each 16...1024.
  package var width = 300
  package var height = 400

  /// Standard deviation of the finger's rotation, in degrees.
  package var rotation: Double
  /// Standard deviation of the finger's shift to each side, in pixels.
  package var shift: Double
  /// Standard deviation of how far the skin around the contact is dragged, in pixels.
  package var slip: Double
  /// From -1 (dry: thin, broken ridges) to 1 (wet: ridges run together).
  package var moisture: ClosedRange<Double>
  /// Share of the fingertip's length and width that touches, 0...1.
  package var contact: ClosedRange<Double>
  /// How grainy the print is, from 0 to 1.
  package var grain: ClosedRange<Double>
  package var treatment = SkinTreatment.none

  /// A person who takes care, on a good sensor.
  package static let careful = ImpressionConditions(
    rotation: 4, shift: 7, slip: 2, moisture: -0.15...0.2, contact: 0.9...1, grain: 0.1...0.3)

  /// A person in passing, on an ordinary optical reader.
  package static let everyday = ImpressionConditions(
    rotation: 8, shift: 14, slip: 4, moisture: -0.4...0.4, contact: 0.75...1, grain: 0.2...0.55)

  /// Dry, wet, crooked and partial touches.
  package static let poor = ImpressionConditions(
    rotation: 14, shift: 28, slip: 8, moisture: -0.8...0.75, contact: 0.55...0.9, grain: 0.5...1)

  /// The same conditions on a sensor with another window.
  package func window(width: Int, height: Int) -> ImpressionConditions {
    var conditions = self
    conditions.width = width
    conditions.height = height
    return conditions
  }
}

/// What a person does to the skin, beyond touching a sensor: pressing, dragging and turning the
/// finger on it, and touching it with wet or dry skin.
///
/// Each impression draws from these ranges. The upper ends are as strong as what the volunteers of
/// FVC2004 were asked for (Cappelli et al., "Performance evaluation of fingerprint verification
/// systems", 2006, section 2).
package struct SkinTreatment: Sendable, Hashable {
  /// How hard the finger is pressed, 0...1: at 1 a tenth more of the skin touches to each side,
  /// ridges lie a twelfth farther apart and are so broad that valleys are thin lines.
  package var pressing: ClosedRange<Double> = 0...0
  /// How far the skin is stretched where it is dragged most, 1...1.6: the distance of ridges across
  /// the drag, as a multiple of the untouched one. It grows from one end of the contact to the
  /// other; on the far side skin is pushed together by a fifth as much.
  package var stretch: ClosedRange<Double> = 1...1
  /// How far the middle of the contact is turned against its edge, -40...40 degrees.
  package var twist: ClosedRange<Double> = 0...0
  /// How much of the contact water covers, 0...1: in pools some millimeters wide valleys close, and
  /// the outline runs out.
  package var wetness: ClosedRange<Double> = 0...0
  /// How broken ridges are, 0...1: at 1 they are rows of dots.
  package var dryness: ClosedRange<Double> = 0...0

  package static let none = SkinTreatment()

  package init() {}

  /// Whether all ranges are possible.
  var isPossible: Bool {
    let ranges: [(ClosedRange<Double>, ClosedRange<Double>)] = [
      (pressing, 0...1), (stretch, 1...1.6), (twist, -40...40), (wetness, 0...1), (dryness, 0...1),
    ]
    return ranges.allSatisfy { $0.lowerBound >= $1.lowerBound && $0.upperBound <= $1.upperBound }
  }
}

extension ImpressionConditions {
  /// A volunteer who was asked to vary place and pressure.
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
