// SyntheticPrints: fingers that do not exist, and the prints they leave on a sensor.

package import GrayImage

/// A finger made of a number: the same seed gives the same ridges on every machine.
///
/// Made in the manner of SFinGe (Cappelli, "Synthetic Fingerprint Generation", in Maltoni et al.,
/// Handbook of Fingerprint Recognition, chapter 6). Making one takes less than a tenth of a second,
/// an impression about a hundredth. A value; any thread may use it.
package struct SyntheticFinger: Sendable {
  package static let pixelsPerInch = 500

  package let seed: UInt64

  /// The height of the skin on the canvas: ridges above 0, valleys below.
  private let skin: ScalarField

  /// Grows a finger. Neighboring seeds give unrelated ones; a nil pattern is drawn as often as it
  /// is found on people's fingers.
  package init(seed: UInt64, pattern: RidgePattern? = nil) {
    var anatomy = RandomStream(seed: seed, for: .anatomy)
    let natural = RidgePattern(from: &anatomy)
    let flow = OrientationModel(pattern: pattern ?? natural, from: &anatomy)
    var spacings = RandomStream(seed: seed, for: .spacing)
    let spacing = RidgeSpacing(flow: flow, from: &spacings)
    var seeds = RandomStream(seed: seed, for: .seeds)
    var growth = RidgeGrowth(flow: flow, spacing: spacing, from: &seeds)
    var skin = growth.grow(from: &seeds)
    var detail = SkinDetail(from: RandomStream(seed: seed, for: .skin))
    detail.engrave(&skin)
    self.seed = seed
    self.skin = skin
  }

  /// Puts the finger on a sensor once: dark ridges on light ground, the finger's tip at the top.
  /// The same seed gives the same picture.
  ///
  /// - Precondition: Both sides of the window are in 16...1024, and the treatment of the skin is in
  ///   the ranges of ``SkinTreatment``.
  package func impression(seed: UInt64, conditions: ImpressionConditions = .everyday) -> GrayImage {
    precondition((16...1024).contains(conditions.width), "window too narrow or too wide")
    precondition((16...1024).contains(conditions.height), "window too low or too high")
    precondition(conditions.treatment.isPossible, "skin does not stand that treatment")
    let touch = RandomStream.combinedSeed(self.seed, seed)
    var contact = SkinContact(fingerSeed: self.seed, seed: touch, conditions: conditions)
    var sensor = RandomStream(seed: touch, for: .sensor)
    let surface = SensorSurface(conditions: conditions, from: &sensor)
    return surface.picture(of: contact.ink(from: skin))
  }
}

/// How the sensor renders skin: paper and ink, uneven light, noise, and the softness of its optics.
private struct SensorSurface {
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
