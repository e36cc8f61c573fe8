/// Water in pools between the ridges, and ridges so dry that they touch in places only.
struct SkinMoisture: Sendable {
  private let pools: ScalarField
  private let gaps: ScalarField
  private let wetness: Float
  private let dryness: Float

  /// The pools and gaps of one touch cover its window.
  init(
    treatment: SkinTreatment, width: Int, height: Int, from random: inout RandomStream
  ) {
    wetness = Float(random.uniform(in: treatment.wetness))
    dryness = Float(random.uniform(in: treatment.dryness))
    var pools = ScalarField(noiseOfWidth: width, height: height, spacing: 32, from: &random)
    let edges = ScalarField(noiseOfWidth: width, height: height, spacing: 11, from: &random)
    for index in pools.values.indices { pools.values[index] += 0.5 * edges.values[index] }
    self.pools = pools
    gaps = ScalarField(noiseOfWidth: width, height: height, spacing: 5, from: &random)
  }

  /// How much nearer to the sensor water brings what lies at a pixel; negative where dry skin stays
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

  /// How much farther out the print goes on, as a share of the contact: water spreads.
  var spread: Float { 0.06 * wetness }
}
