/// How large the sensor is and how carefully a finger is put on it.
///
/// Each impression draws its placement, slip, moisture and noise within these bounds.
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
  /// How much of the fingertip's length and width touches, as a share of 0...1.
  package var contact: ClosedRange<Double>
  /// How grainy the print is, from 0 to 1.
  package var grain: ClosedRange<Double>
  /// What is done to the skin besides; nothing unless it is said.
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

  init(
    rotation: Double, shift: Double, slip: Double, moisture: ClosedRange<Double>,
    contact: ClosedRange<Double>, grain: ClosedRange<Double>
  ) {
    self.rotation = rotation
    self.shift = shift
    self.slip = slip
    self.moisture = moisture
    self.contact = contact
    self.grain = grain
  }

  /// The same conditions on a sensor with another window.
  package func window(width: Int, height: Int) -> ImpressionConditions {
    var conditions = self
    conditions.width = width
    conditions.height = height
    return conditions
  }
}
