/// The steps from image to minutiae, each kept so that it can be looked at.
struct ExtractionStages: Sendable {
  private let image: WorkingImage
  /// The part of the image that can show skin.
  let seen: SeenArea
  let normalized: NormalizedImage
  /// Cells with enough contrast to be filtered.
  let touched: [Bool]
  let wave: RidgeWave
  let response: RidgeResponse
  let map: RidgeMap
  let minutiae: [Minutia]

  init(_ image: FingerprintImage) {
    self.image = WorkingImage(image)
    let grid = CellGrid(width: self.image.width, height: self.image.height)
    seen = SeenArea(self.image, grid: grid)
    normalized = NormalizedImage(self.image, seen: seen, grid: grid)
    touched = RidgeMap.touched(normalized, seen: seen, grid: grid)
    let ridges = normalized.plane
    let halved = HalvedPlane(ridges, grid: grid)
    let blurred = halved.blurred(.halved, where: touched)
    let guess = RidgeWave(gradientsOf: halved, seen: seen, sigma: FeatureExtractor.gradientSigma)
    wave = RidgeWave(
      phaseOf: halved, blurred: blurred, tunedTo: guess, where: touched,
      sigma: FeatureExtractor.phaseSigma)
    response = RidgeResponse(filtering: ridges, blurred: blurred, tunedTo: wave, where: touched)
    map = RidgeMap(response, of: ridges, wave: wave, touched: touched, seen: seen)
    minutiae = PhaseMinutiae(response, wave: wave, map: map, seen: seen).minutiae
  }

  var working: Plane { image.plane }

  var condition: RidgeCondition {
    RidgeCondition(of: normalized.plane, response: response, map: map)
  }

  /// Mean darkness of the gray levels where there is contrast: 0 white, 1 black.
  var darkness: Double {
    var (sum, count) = (0.0, 0.0)
    for cell in 0..<map.grid.count where touched[cell] {
      sum += 1 - Double(normalized.brightness[cell]) / 255
      count += 1
    }
    return count > 0 ? min(max(sum / count, 0), 1) : 0
  }

  var features: PrintFeatures {
    let flow = OrientationField(wave: wave, map: map)
    return PrintFeatures(
      minutiae: minutiae, sheet: PhaseField(response, wave: wave, flow: flow),
      darkness: darkness, condition: condition)
  }
}

/// Makes features of an image: the ridges as a wave, and the places where that wave has a spiral.
package struct FeatureExtractor: Sendable {
  /// Width of the neighborhood in which gradients are averaged, in cells of 8 pixels.
  static let gradientSigma: Float = 1.5
  /// Width of the neighborhood in which the advance of the phase is averaged, in cells.
  static let phaseSigma: Float = 1

  package init() {}

  /// The features of any image, in pixels of 1/500 inch. An image without ridges has features
  /// without ridges.
  ///
  /// - Complexity: Linear in the pixels of the image, at most 1024 a side after resampling.
  package func features(of image: FingerprintImage) -> PrintFeatures {
    ExtractionStages(image).features
  }
}
