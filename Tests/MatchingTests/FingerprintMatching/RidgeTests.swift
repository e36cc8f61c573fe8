import Glibc
import SyntheticPrints
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

@Suite("Registering ridges")
struct RidgeRegistrationTests {
  /// The middle of a synthetic print.
  private static func sheet() throws -> PhaseField {
    try #require(try touch(SyntheticFinger(seed: 71), 1, conditions: .careful).view.sheet)
  }

  private static func mean(_ registration: RidgeRegistration) -> Float {
    let values = registration.agreement.counts.indices.compactMap {
      registration.agreement.agreement(in: $0)
    }
    return values.reduce(0, +) / Float(max(values.count, 1))
  }

  @Test(
    "a print that was moved and turned a little is brought back onto itself",
    arguments: [(2, 0, 0), (0, -2, 0), (1.5, 1.5, 0), (0, 0, 0.02), (-1, 1, -0.02)]
      as [(
        Float, Float, Float
      )])
  func refined(dx: Float, dy: Float, turn: Float) throws {
    let sheet = try Self.sheet()
    let middle = (Float(sheet.grid.columns) * 4, Float(sheet.grid.rows) * 4)
    let start = RigidMotion(
      cosine: cosf(turn), sine: sinf(turn), taking: middle.0, middle.1, to: middle.0 + dx,
      middle.1 + dy)
    var registration = RidgeRegistration()
    registration.refine(start, probe: sheet, gallery: sheet, rounds: 6, every: 1)
    let place = registration.motion.apply(middle.0, middle.1)
    #expect(abs(place.x - middle.0) < 0.5)
    #expect(abs(place.y - middle.1) < 0.5)
    #expect(abs(registration.motion.rotation) < 0.005)
    #expect(Self.mean(registration) > 0.95)
  }

  @Test("skin that was stretched by less than half a ridge is followed, and better than as a whole")
  func stretched() throws {
    let finger = SyntheticFinger(seed: 72)
    var conditions = ImpressionConditions.careful
    conditions.slip = 5
    let own = try touch(finger, 1, conditions: .careful).view
    let other = try touch(finger, 2, conditions: conditions).view
    var search = MinutiaSearch()
    let best = search.best(probe: own, gallery: other)
    let found = try #require(best)
    let (probe, gallery) = (try #require(own.sheet), try #require(other.sheet))
    var registration = RidgeRegistration()
    registration.refine(found.motion, probe: probe, gallery: gallery, rounds: 3, every: 2)
    let whole = Self.mean(registration)
    registration.stretch(probe: probe, gallery: gallery)
    #expect(Self.mean(registration) > whole)
    #expect(Self.mean(registration) > 0.75)
  }

  @Test("a place and its source undo each other where the skin is stretched")
  func inverse() throws {
    let sheet = try Self.sheet()
    var registration = RidgeRegistration()
    let motion = RigidMotion(cosine: cosf(0.05), sine: sinf(0.05), dx: 3, dy: -2)
    registration.refine(motion, probe: sheet, gallery: sheet, rounds: 0, every: 1)
    registration.stretch(probe: sheet, gallery: sheet)
    for (x, y) in [(60, 60), (100, 120), (140, 90)] as [(Float, Float)] {
      let there = registration.place(of: x, y, in: sheet.grid)
      let back = registration.source(of: there, in: sheet.grid)
      #expect(abs(back.x - x) < 1.5 && abs(back.y - y) < 1.5)
    }
  }

  @Test("phases and periods are kept to within a thirtieth of a ridge period and of a pixel")
  func coding() throws {
    let sheet = try Self.sheet()
    let cells = (0..<sheet.grid.count).filter { sheet.flow.clarity[$0] > 0 }
    var bytes: [UInt8] = []
    for cell in cells { PhaseCoding.append(cell, of: sheet, to: &bytes) }
    #expect(bytes.count == cells.count * PhaseCoding.bytesInCell)
    var reader = TemplateReader(bytes, from: 0)
    let stored = try PhaseCoding.sheet(on: sheet.flow, from: &reader)
    #expect(reader.isAtEnd)
    for (own, other) in zip(sheet.waves, stored.waves) {
      guard own != .zero else {
        #expect(other == .zero)
        continue
      }
      #expect((own * other).sum() > cosf(2 * .pi / 29))
    }
    for cell in cells { #expect(abs(sheet.periods[cell] - stored.periods[cell]) < 0.04) }
  }
}
