import Glibc
import Testing

@testable import FingerprintMatching

@Suite("Extracting ridges")
struct RidgeExtractionTests {
  /// A plane wave whose phase turns once around each of `spirals`.
  private func wave(
    orientation: Double, period: Double, spirals: [(x: Double, y: Double)] = []
  ) throws -> FingerprintImage {
    try image(width: 160, height: 160) { x, y in
      let across = -Double(x) * sin(orientation) + Double(y) * cos(orientation)
      let turned = spirals.reduce(0) { $0 + atan2(Double(y) - $1.y, Double(x) - $1.x) }
      return 128 - Int((90 * cos(2 * .pi * across / period + turned)).rounded())
    }
  }

  @Test(
    "direction, distance and strength of ridges are found",
    arguments: [0.02, 0.6, 1.2, 1.57, 2.2, 3.1], [6.0, 9.0, 12.5])
  func plainWave(orientation: Double, period: Double) throws {
    let stages = ExtractionStages(try wave(orientation: orientation, period: period))
    let grid = stages.wave.grid
    let cell = grid.rows / 2 * grid.columns + grid.columns / 2
    let away = abs(Double(stages.wave.orientation[cell]) - orientation)
    #expect(min(away, .pi - away) < 0.03)
    #expect(abs(Double(stages.wave.period[cell]) / period - 1) < 0.03)
    let middle = 80 * 160 + 80
    let (even, odd) = (stages.response.even[middle], stages.response.odd[middle])
    // A wave of variance 1 has an amplitude of √2.
    let square: Float = even * even + odd * odd
    #expect((1.4...2.6).contains(square))
    #expect(stages.minutiae.isEmpty)
  }

  @Test("a ridge that ends is one minutia, where it ends", arguments: [0.0, 0.8, 1.6, 2.4, 3.1])
  func oneEnding(orientation: Double) throws {
    let stages = ExtractionStages(
      try wave(orientation: orientation, period: 9, spirals: [(70.3, 84.6)]))
    let minutia = try #require(stages.minutiae.first)
    #expect(stages.minutiae.count == 1)
    #expect(abs(minutia.x - 70.3) < 2 && abs(minutia.y - 84.6) < 2)
    let away = abs(Double(minutia.direction) - orientation).truncatingRemainder(dividingBy: .pi)
    #expect(min(away, .pi - away) < 0.15)
  }

  @Test("a shadow is no contrast")
  func shadow() throws {
    let stages = ExtractionStages(try image(width: 200, height: 200) { x, y in (x + y) / 2 })
    let grid = stages.map.grid
    let middle = grid.rows / 2 * grid.columns + grid.columns / 2
    #expect(stages.normalized.contrast[middle] < NormalizedImage.blankContrast)
    #expect(!stages.map.isRidges.contains(true))
  }
}
