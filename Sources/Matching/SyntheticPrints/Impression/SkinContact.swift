/// One touch: how firmly each point of the skin meets the sensor.
struct SkinContact {
  private let placement: Placement
  private let slip: SkinSlip
  private let region: ContactRegion
  private let moisture: Float
  private let grain: Float
  /// Nil where nothing is done to the skin.
  private let treatment: Treated?
  private let width: Int
  private let height: Int
  private var random: RandomStream

  /// `fingerSeed` fixes what all touches of a finger share, `seed` this touch.
  init(fingerSeed: UInt64, seed: UInt64, conditions: ImpressionConditions) {
    var placing = RandomStream(seed: seed, for: .placement)
    placement = Placement(conditions: conditions, from: &placing)
    slip = SkinSlip(conditions: conditions, from: &placing)
    var contact = RandomStream(seed: seed, for: .contact)
    region = ContactRegion(
      finger: RandomStream(seed: fingerSeed, for: .contact), conditions: conditions,
      from: &contact)
    moisture = Float(contact.uniform(in: conditions.moisture))
    grain = Float(contact.uniform(in: conditions.grain))
    treatment = conditions.treatment == .none ? nil : Treated(conditions, seed: seed)
    width = conditions.width
    height = conditions.height
    random = RandomStream(seed: seed, for: .grain)
  }

  /// How much of each pixel of the window is covered by skin, 0...1.
  mutating func ink(from skin: ScalarField) -> ScalarField {
    let pressure = noise(spacing: 45)
    let patches = noise(spacing: 6)
    var speckle = noise(spacing: 1)
    speckle.smooth()
    // Dry skin breaks up into grains; wet skin hides them.
    let roughness = grain * (1 - 0.5 * moisture)
    var ink = ScalarField(width: width, height: height)
    for row in 0..<height {
      for column in 0..<width {
        let point = placement.skinPoint(column: column, row: row)
        let index = row * width + column
        var reach = Float(region.reach(x: point.x, y: point.y)) + 0.05 * pressure.values[index]
        if let treatment { reach /= treatment.spread }
        guard reach < 1.08 else { continue }
        let rest = treatment?.stretch.moved(x: point.x, y: point.y) ?? point
        let place = slip.moved(x: rest.x, y: rest.y)
        let canvasX = Float(place.x) + Float(FingerCanvas.width) / 2
        let canvasY = Float(place.y) + Float(FingerCanvas.height) / 2
        guard let heightOfSkin = skin.value(atX: canvasX, y: canvasY) else { continue }
        let edge = max(0, (reach - 0.82) / 0.18)
        var firmness =
          0.75 * moisture + 0.35 * pressure.values[index] - 1.1 * edge * edge
          + roughness * (0.55 * patches.values[index] + 1.6 * speckle.values[index])
        if let treatment { firmness += treatment.firmness(at: index) }
        let pressed = min(max((heightOfSkin + firmness) * 1.1 + 0.5, 0), 1)
        ink.values[index] = pressed * pressed * (3 - 2 * pressed)
      }
    }
    return ink
  }

  private mutating func noise(spacing: Int) -> ScalarField {
    ScalarField(noiseOfWidth: width, height: height, spacing: spacing, from: &random)
  }
}

/// What is done to the skin in one touch.
private struct Treated: Sendable {
  let stretch: SkinStretch
  private let moisture: SkinMoisture
  private let pressing: Float

  init(_ conditions: ImpressionConditions, seed: UInt64) {
    var random = RandomStream(seed: seed, for: .treatment)
    let pressing = random.uniform(in: conditions.treatment.pressing)
    stretch = SkinStretch(pressing: pressing, treatment: conditions.treatment, from: &random)
    moisture = SkinMoisture(
      treatment: conditions.treatment, width: conditions.width, height: conditions.height,
      from: &random)
    self.pressing = Float(pressing)
  }

  /// How much farther out skin touches.
  var spread: Float { 1 + 0.1 * pressing + moisture.spread }

  /// How much more firmly the skin at a pixel meets the sensor.
  func firmness(at index: Int) -> Float { 0.6 * pressing + moisture.change(at: index) }
}
