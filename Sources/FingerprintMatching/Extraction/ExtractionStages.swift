/// The steps from image to minutiae, each kept so that it can be looked at.
struct ExtractionStages: Sendable {
  let working: Plane
  let normalized: NormalizedImage
  let wave: RidgeWave
  let response: RidgeResponse
  let map: RidgeMap
  let minutiae: [Minutia]

  init(_ image: FingerprintImage) {
    working = WorkingImage(image).plane
    let grid = CellGrid(covering: working)
    normalized = NormalizedImage(working, grid: grid)
    let touched = RidgeMap.touched(normalized, grid: grid)
    let ridges = normalized.plane
    let guess = RidgeWave(gradientsOf: ridges, grid: grid, sigma: FeatureExtractor.gradientSigma)
    let rough = RidgeResponse(filtering: ridges, tunedTo: guess, where: touched)
    wave = RidgeWave(phaseOf: rough, sigma: FeatureExtractor.phaseSigma)
    response = RidgeResponse(filtering: ridges, tunedTo: wave, where: touched)
    map = RidgeMap(response, of: ridges, wave: wave, touched: touched)
    minutiae = PhaseMinutiae(response, wave: wave, map: map).minutiae
  }

  /// Mean darkness of the grey levels where there is contrast: 0 white, 1 black.
  var darkness: Double {
    let touched = RidgeMap.touched(normalized, grid: map.grid)
    var (sum, count) = (0.0, 0.0)
    for cell in 0..<map.grid.count where touched[cell] {
      sum += 1 - Double(normalized.brightness[cell]) / 255
      count += 1
    }
    return count > 0 ? min(max(sum / count, 0), 1) : 0
  }
}
