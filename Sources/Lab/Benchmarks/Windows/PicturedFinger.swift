import FingerprintMatching
import GrayImage

/// The prints of a finger as pictures, before any sensor's window is laid over them.
struct PicturedFinger: Sendable {
  /// A print, and the number of its impression.
  struct Print: Sendable {
    let impression: Int
    let picture: GrayImage
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

  /// What the matcher sees of the prints as they are.
  ///
  /// - Returns: The prints' features; those of probes are for comparing alone.
  /// - Throws: ``BenchmarkFailure`` for a picture that cannot be used.
  func sampled() throws -> SampledFinger {
    try sampled(prints.map { SensorPicture(image: $0.picture, extents: nil) })
  }

  /// What the matcher sees through a sensor.
  ///
  /// - Parameters:
  ///   - sensor: The sensor.
  ///   - saysExtents: Whether it says where its pad ends.
  /// - Returns: As ``sampled()`` gives it.
  /// - Throws: ``BenchmarkFailure`` for a picture that cannot be used.
  func sampled(by sensor: WindowedSensor, saysExtents: Bool) throws -> SampledFinger {
    try sampled(
      pictures(of: sensor).map {
        SensorPicture(image: $0.image, extents: saysExtents ? $0.extents : nil)
      })
  }

  private func sampled(_ pictures: [SensorPicture]) throws(BenchmarkFailure) -> SampledFinger {
    let extractor = FeatureExtractor()
    var touches: [SampledFinger.Touch] = []
    for (print, seen) in zip(prints, pictures) {
      let file = "\(name)_\(print.impression)"
      let isEnrolled = print.impression <= SampledFinger.enrolled
      let features = extractor.features(
        of: try seen.image.fingerprint(
          named: file, pixelsPerInch: pixelsPerInch, extents: seen.extents))
      touches.append(
        SampledFinger.Touch(
          name: "\(file).pgm", isEnrolled: isEnrolled,
          features: features))
    }
    return SampledFinger(name: name, set: set, people: people, prints: touches)
  }
}
