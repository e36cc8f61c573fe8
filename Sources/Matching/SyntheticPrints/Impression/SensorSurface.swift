import GrayImage

/// How the sensor renders skin: paper and ink, uneven light, noise, and the softness of its optics.
struct SensorSurface {
  private let light: ScalarField
  private let blackness: ScalarField
  private let speckle: ScalarField

  /// The noise covers one window.
  init(conditions: ImpressionConditions, from random: inout RandomStream) {
    let width = conditions.width
    let height = conditions.height
    light = ScalarField(noiseOfWidth: width, height: height, spacing: 120, from: &random)
    blackness = ScalarField(noiseOfWidth: width, height: height, spacing: 5, from: &random)
    speckle = ScalarField(noiseOfWidth: width, height: height, spacing: 1, from: &random)
  }

  /// The picture of `ink`, which is 0 where nothing touches and 1 under a firm ridge.
  func picture(of ink: ScalarField) -> GrayImage {
    var soft = ink
    soft.smooth()
    var pixels: [UInt8] = []
    pixels.reserveCapacity(ink.values.count)
    for index in ink.values.indices {
      let paper = 226 + 14 * light.values[index]
      let black = 46 + 24 * blackness.values[index]
      let gray = paper - (paper - black) * soft.values[index] + 4 * speckle.values[index]
      pixels.append(UInt8(min(max(gray, 0), 255).rounded()))
    }
    return GrayImage(width: ink.width, height: ink.height, pixels: pixels)
  }
}
