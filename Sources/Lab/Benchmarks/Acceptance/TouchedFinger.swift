import FingerprintMatching
import GrayImage

/// A finger that is put on a small sensor again and again.
struct TouchedFinger: Sendable {
  /// What a touch is for: people enroll on one day and use the sensor on others.
  enum Purpose: Sendable {
    case enrolling, trying
  }

  /// Prints of the whole finger, of which each touch shows a part.
  private let enrolling: [PatchCutter]
  private let trying: [PatchCutter]

  /// Takes the prints of a finger.
  ///
  /// - Parameters:
  ///   - finger: The finger.
  ///   - set: Its set.
  ///   - enrolled: Touches of enrollment show parts of impressions up to this in turns, others of
  ///     those after it.
  /// - Throws: ``BenchmarkFailure`` for a picture that cannot be read, or a finger without
  ///   impressions of both kinds.
  init(
    _ finger: ImageSet.Finger, of set: ImageSet, enrolled: Int
  ) throws(BenchmarkFailure) {
    var (enrolling, trying): ([PatchCutter], [PatchCutter]) = ([], [])
    for (impression, picture) in zip(finger.impressions, try set.images(of: finger)) {
      let print = BicubicResampling.image(picture, from: set.pixelsPerInch, to: 500)
      let cutter = PatchCutter(print, size: 1)
      if impression <= enrolled { enrolling.append(cutter) } else { trying.append(cutter) }
    }
    guard !enrolling.isEmpty, !trying.isEmpty else {
      throw BenchmarkFailure(
        "\(set.name)/\(finger.name): impressions up to \(enrolled) and beyond are needed")
    }
    (self.enrolling, self.trying) = (enrolling, trying)
  }

  /// What a sensor sees of one touch.
  ///
  /// People feel whether their finger covers a sensor: it lies at the nearest place that does.
  ///
  /// - Parameters:
  ///   - number: Which touch; it chooses the print.
  ///   - purpose: Whether the finger is being enrolled.
  ///   - aim: Where the middle of the sensor should lie, in pixels from the middle of the print.
  ///   - size: Side of the sensor in pixels at 500 ppi.
  /// - Returns: What it shows.
  /// - Throws: ``BenchmarkFailure`` for a size that no picture may have.
  func touch(
    _ number: Int, for purpose: Purpose, at aim: SIMD2<Double>, size: Int
  ) throws(BenchmarkFailure) -> PrintFeatures {
    let prints = purpose == .enrolling ? enrolling : trying
    let cutter = prints[number % prints.count].resized(to: size)
    let picture = cutter.image(at: cutter.place(nearest: cutter.middle + aim))
    let image = try picture.fingerprint(named: "a touch of \(size) pixels", pixelsPerInch: 500)
    return FeatureExtractor().features(of: image)
  }
}
