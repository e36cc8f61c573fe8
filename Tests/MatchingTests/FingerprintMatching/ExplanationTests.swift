import GrayImage
import SyntheticPrints
import Testing

@testable import FingerprintMatching

@Suite("Explaining a comparison")
struct ExplanationTests {
  private func explanation(_ finger: UInt64, _ other: UInt64) throws -> MatchExplanation {
    MatchExplanation(
      probe: try fingerprint(SyntheticFinger(seed: finger).impression(seed: 1)),
      gallery: try fingerprint(SyntheticFinger(seed: other).impression(seed: 2)))
  }

  @Test("the pairs shown are those that the score was made of", arguments: [3, 4])
  func pairs(other: UInt64) throws {
    let alignment = try #require(try explanation(3, other).alignment)
    let strength = alignment.pairs.reduce(0) { $0 + $1.fit.squareRoot() * $1.similarity }
    let part = try #require(alignment.parts.first { $0.name == "strength" })
    #expect(abs(strength - part.value) < 1e-3 * max(part.value, 1))
  }

  @Test("the alignment brings the paired minutiae of one finger together, and back again")
  func alignment() throws {
    let explanation = try explanation(3, 3)
    let alignment = try #require(explanation.alignment)
    #expect(alignment.pairs.count >= 10)
    var distances: [Float] = []
    for pair in alignment.pairs {
      let own = explanation.probe.features.minutiae[pair.probe]
      let other = explanation.gallery.features.minutiae[pair.gallery]
      let moved = alignment.placeInGallery(own.x, own.y)
      let (dx, dy) = (moved.x - other.x, moved.y - other.y)
      distances.append((dx * dx + dy * dy).squareRoot())
      let back = alignment.placeInProbe(moved.x, moved.y)
      #expect(abs(back.x - own.x) < 0.01 && abs(back.y - own.y) < 0.01)
    }
    #expect(distances.sorted()[distances.count / 2] < 8)
  }

  @Test("stretching lays the ridges of one finger on each other, and hardly those of two")
  func ridges() throws {
    func mean(_ finger: UInt64, _ other: UInt64) throws -> Float {
      let ridges = try #require(try explanation(finger, other).ridges)
      let values = ridges.cells.compactMap(\.agreement)
      try #require(values.count > 100)
      #expect(ridges.cells.contains { $0.shift != .zero })
      return values.reduce(0, +) / Float(values.count)
    }
    #expect(try mean(3, 3) > 0.7)
    #expect(try mean(3, 4) < RidgeMatch.chance)
  }

  @Test("the score is that of a finger enrolled from the one image")
  func score() throws {
    let explanation = try explanation(3, 3)
    var enrollment = Enrollment()
    _ = enrollment.add(explanation.gallery.features)
    let finger = try #require(enrollment.template())
    let score = PrintMatcher().score(probe: explanation.probe.features, against: finger)
    #expect(explanation.score == score && score > PrintMatcher.threshold)
  }

  @Test("fields of pixels and of cells fit the working image, blank and tiny ones too")
  func fields() throws {
    for side in [1, 7, 40] {
      let blank = try image(width: side, height: side) { _, _ in 255 }
      let explanation = MatchExplanation(probe: blank, gallery: blank)
      #expect(explanation.alignment == nil && explanation.ridges == nil)
      #expect(explanation.score == PrintMatcher.lowestScore)
      let print = explanation.probe
      for field in [print.normalized, print.even, print.odd] {
        #expect(field.width == side && field.height == side)
      }
      let cells = (side + PrintExplanation.cellSide - 1) / PrintExplanation.cellSide
      for field in [print.orientation, print.period, print.clarity, print.ridgeMask] {
        #expect(field.width == cells && field.height == cells)
      }
    }
  }

  @Test("a value between samples is interpolated, and 0 outside")
  func interpolation() {
    let field = SampleField(width: 2, height: 2, samples: [0, 1, 2, 3])
    #expect(field.value(at: 0.5, 0.5) == 0)
    #expect(field.value(at: 1, 1) == 1.5)
    #expect(field.value(at: 0.4, 1) == 0 && field.value(at: 9, 9) == 0)
  }
}
