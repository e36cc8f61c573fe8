/// One touch: how firmly each point of the skin meets the sensor.
struct SkinContact {
  private let placement: Placement
  private let slip: SkinSlip
  private let region: ContactRegion
  private let moisture: Float
  private let grain: Float
  /// Nil if nothing is done to the skin.
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

/// Water in pools between the ridges, and ridges so dry that they touch only in places.
private struct SkinMoisture: Sendable {
  private let pools: ScalarField
  private let gaps: ScalarField
  private let wetness: Float
  private let dryness: Float

  /// The pools and gaps of one touch cover its window.
  init(treatment: SkinTreatment, width: Int, height: Int, from random: inout RandomStream) {
    wetness = Float(random.uniform(in: treatment.wetness))
    dryness = Float(random.uniform(in: treatment.dryness))
    var pools = ScalarField(noiseOfWidth: width, height: height, spacing: 32, from: &random)
    let edges = ScalarField(noiseOfWidth: width, height: height, spacing: 11, from: &random)
    for index in pools.values.indices { pools.values[index] += 0.5 * edges.values[index] }
    self.pools = pools
    gaps = ScalarField(noiseOfWidth: width, height: height, spacing: 5, from: &random)
  }

  /// How much nearer to the sensor water brings the skin at a pixel; negative where dry skin stays
  /// away from it. Ridges are 1 high, valleys -1.
  func change(at index: Int) -> Float {
    var change: Float = 0
    if wetness > 0 {
      // Pools cover nothing at 0 and most of the contact at 1; elsewhere the skin is moist.
      let depth = min(max((pools.values[index] + 1.3 * wetness - 1) * 1.6, 0), 1)
      change += wetness * 0.45 + 0.95 * depth
    }
    if dryness > 0 {
      change -= dryness * (0.55 + 1.25 * max(gaps.values[index] + 0.15, 0))
    }
    return change
  }

  /// How much farther out the print goes, as a share of the contact: water spreads.
  var spread: Float { 0.06 * wetness }
}

/// The part of the skin that touches the sensor: an egg whose edge presses less firmly.
private struct ContactRegion: Sendable {
  private let centerX: Double
  private let centerY: Double
  private let halfWidth: Double
  private let upperHeight: Double
  private let lowerHeight: Double

  init(finger: RandomStream, conditions: ImpressionConditions, from random: inout RandomStream) {
    var anatomy = finger
    let share = random.uniform(in: conditions.contact)
    halfWidth = anatomy.uniform(in: 128...152) * share
    upperHeight = anatomy.uniform(in: 170...200) * share
    lowerHeight = anatomy.uniform(in: 190...225) * share
    // The missing part is on one side rather than all around.
    let slack = 1 - share
    centerX = random.uniform(in: -1...1) * 110 * slack
    centerY = random.uniform(in: -1...1) * 170 * slack
  }

  /// How far outward a point lies: 0 in the middle, 1 on the edge, more beyond it. In pixels from
  /// the middle of the canvas, y down.
  func reach(x: Double, y: Double) -> Double {
    let across = (x - centerX) / halfWidth
    let down = y - centerY
    let along = down / (down < 0 ? upperHeight : lowerHeight)
    // Between an ellipse and a rectangle: fingertips are blunter than ellipses.
    let square = across * across
    let other = along * along
    return (square + other - 0.25 * square * other).squareRoot()
  }
}

/// Where each pixel of the sensor lies on the finger, for one touch.
private struct Placement: Sendable {
  private let cosine: Double
  private let sine: Double
  private let shiftX: Double
  private let shiftY: Double
  private let windowWidth: Double
  private let windowHeight: Double

  init(conditions: ImpressionConditions, from random: inout RandomStream) {
    let angle = random.bell(deviation: conditions.rotation) * .pi / 180
    cosine = Trigonometry.cosine(angle)
    sine = Trigonometry.sine(angle)
    shiftX = random.bell(deviation: conditions.shift)
    shiftY = random.bell(deviation: conditions.shift)
    windowWidth = Double(conditions.width)
    windowHeight = Double(conditions.height)
  }

  /// The point of the skin over a pixel, in pixels from the middle of the canvas (y down).
  func skinPoint(column: Int, row: Int) -> (x: Double, y: Double) {
    let x = Double(column) - windowWidth / 2 - shiftX
    let y = Double(row) - windowHeight / 2 - shiftY
    return (x * cosine + y * sine, y * cosine - x * sine)
  }
}
