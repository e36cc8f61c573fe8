import FingerprintMatching
import GreyImage

/// The prints of a finger as pictures, before any sensor's window is laid over them.
struct PicturedFinger: Sendable {
  /// A print, and the number of its impression.
  struct Print: Sendable {
    let impression: Int
    let picture: GreyImage
  }

  /// `SET/FINGER`
  let name: String
  /// Number of its set.
  let set: Int
  /// Whose finger, see ``ImageSet/people``.
  let people: String
  let pixelsPerInch: Int
  let prints: [Print]

  /// Makes or reads all prints of a finger.
  ///
  /// - Throws: ``BenchmarkFailure`` for a picture that cannot be read.
  init(_ finger: ImageSet.Finger, of set: ImageSet, number: Int) throws(BenchmarkFailure) {
    name = "\(set.name)/\(finger.name)"
    self.set = number
    people = set.people
    pixelsPerInch = set.pixelsPerInch
    prints = zip(finger.impressions, try set.images(of: finger)).map {
      Print(impression: $0, picture: $1)
    }
  }

  /// The pictures of a sensor, in the order of ``prints``.
  ///
  /// - Throws: ``BenchmarkFailure`` for a picture that is too small for it.
  func pictures(of sensor: WindowedSensor) throws -> [SensorPicture] {
    try prints.map { print in
      let own = "\(name)_\(print.impression)"
      return try sensor.picture(of: print.picture, touch: SampledFinger.seed(of: own))
    }
  }

  /// What the matcher sees through a sensor.
  ///
  /// - Parameters:
  ///   - sensor: The sensor.
  ///   - saysExtents: Whether it says where its pad ends.
  /// - Returns: The prints' features; those of probes are for comparing alone.
  /// - Throws: ``BenchmarkFailure`` for a picture that cannot be used.
  func sampled(by sensor: WindowedSensor, saysExtents: Bool) throws -> SampledFinger {
    let extractor = FeatureExtractor()
    let touches = try zip(prints, try pictures(of: sensor)).map { print, seen in
      let file = "\(name)_\(print.impression)"
      let isEnrolled = print.impression <= SampledFinger.enrolled
      do throws(FingerprintImageError) {
        let image = try FingerprintImage(
          width: seen.image.width, height: seen.image.height, pixelsPerInch: pixelsPerInch,
          pixels: seen.image.pixels, extents: saysExtents ? seen.extents : nil)
        let features = extractor.features(of: image)
        return SampledFinger.Touch(
          name: "\(file).pgm", isEnrolled: isEnrolled,
          features: isEnrolled ? features : features.forComparing)
      } catch {
        throw BenchmarkFailure("\(file): \(error.message) \(error.hint)")
      }
    }
    return SampledFinger(name: name, set: set, people: people, prints: touches)
  }
}
