import GrayImage
import SyntheticPrints
import Testing

@testable import FingerprintMatching

@Suite("What an enrollment has seen")
struct SeenFingerTests {
  @Test("E6: it grows with every touch, fits its bounds, and is too coarse to show a ridge")
  func grows() throws {
    var enrollment = Enrollment(isOfOneFinger: false)
    #expect(enrollment.seen == nil)
    let finger = SyntheticFinger(seed: 11)
    var most: UInt8 = 0
    for seed: UInt64 in 0..<4 {
      let print = finger.impression(seed: seed, conditions: .careful)
      let image = try FingerprintImage(
        width: print.width, height: print.height, pixelsPerInch: 500, pixels: print.pixels)
      _ = enrollment.add(FeatureExtractor().features(of: image))
      let seen = try #require(enrollment.seen)
      #expect(seen.times.count == seen.columns * seen.rows)
      #expect(seen.clarity.count == seen.times.count)
      #expect(max(seen.columns, seen.rows) <= SeenFinger.mostPlaces)
      #expect(zip(seen.times, seen.clarity).allSatisfy { ($0 == 0) == ($1 == 0) })
      #expect(seen.clarity.allSatisfy { $0 <= SeenFinger.mostSteps })
      let times = try #require(seen.times.max())
      #expect(times >= most)
      most = times
    }
    #expect(most >= 3)
    // A ridge and a valley are 9 pixels of 500 ppi wide, a place 24.
    #expect(SeenFinger.cellsOfPlace * CellGrid.side >= 2 * 9)
  }
}
