import FingerprintMatching
import GrayImage

/// The features of all prints of a finger, and of the patches cut from them.
struct SampledFinger: Sendable {
  /// Impressions 1...5 are enrolled, the others are probes.
  static let enrolled = 5
  /// Sides of the patches, in pixels at 500 ppi: a laptop's sensor, and the largest of the small.
  static let patchSizes = [88, 160]
  /// Patches of each print.
  static let patchesOfPrint = 3

  /// A print or a patch.
  struct Touch: Sendable {
    /// `SET/FINGER_IMPRESSION.pgm`, of a patch `SET/FINGER_IMPRESSION_pNUMBER.pgm`.
    let name: String
    let isEnrolled: Bool
    let features: PrintFeatures
  }

  /// What is drawn by chance for a print is drawn from its name, so that it is the same each time:
  /// the 64-bit FNV-1a hash of it (Fowler, Noll and Vo; RFC 9923).
  static func seed(of name: String) -> UInt64 {
    name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// `SET/FINGER`
  let name: String
  /// Number of its set.
  let set: Int
  /// Whose finger, see ``ImageSet/people``.
  let people: String
  let prints: [Touch]
  /// By the side of the patches.
  let patches: [Int: [Touch]]

  init(name: String, set: Int, people: String, prints: [Touch]) {
    (self.name, self.set, self.people, self.prints) = (name, set, people, prints)
    patches = [:]
  }

  /// Makes or reads the prints of a finger and extracts them; the images are not kept.
  ///
  /// - Throws: ``BenchmarkFailure`` for a picture that cannot be read or used.
  init(_ finger: ImageSet.Finger, of set: ImageSet, number: Int) throws(BenchmarkFailure) {
    let extractor = FeatureExtractor()
    let name = "\(set.name)/\(finger.name)"
    func touch(
      _ image: GrayImage, ppi: Int, impression: Int, patch: Int? = nil
    ) throws(BenchmarkFailure) -> Touch {
      let file = "\(name)_\(impression)" + (patch.map { "_p\($0)" } ?? "")
      let image = try image.fingerprint(named: file, pixelsPerInch: ppi)
      return Touch(
        name: "\(file).pgm", isEnrolled: impression <= Self.enrolled,
        features: extractor.features(of: image))
    }
    var prints: [Touch] = []
    var patches: [Int: [Touch]] = [:]
    for (impression, image) in zip(finger.impressions, try set.images(of: finger)) {
      prints.append(try touch(image, ppi: set.pixelsPerInch, impression: impression))
      let image = BicubicResampling.image(image, from: set.pixelsPerInch, to: 500)
      for size in Self.patchSizes {
        let cut = PatchCutter(image, size: size)
          .patches(Self.patchesOfPrint, of: "\(name)_\(impression)")
        for (patch, part) in cut.enumerated() {
          patches[size, default: []].append(
            try touch(part.image, ppi: 500, impression: impression, patch: patch))
        }
      }
    }
    self.name = name
    self.set = number
    people = set.people
    (self.prints, self.patches) = (prints, patches)
  }
}

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
