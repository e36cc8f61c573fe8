import FingerprintMatching
import GrayImage

/// The features of all prints of a finger, and of the patches cut from them.
struct SampledFinger: Sendable {
  /// Impressions 1...5 are enrolled, the others are probes.
  static let enrolled = 5
  /// In pixels at 500 ppi: a laptop's sensor, and the largest of the small.
  static let patchSizes = [88, 160]
  static let patchesOfPrint = 3

  struct Touch: Sendable {
    /// `SET/FINGER_IMPRESSION.pgm`, or `SET/FINGER_IMPRESSION_pNUMBER.pgm` for a patch.
    let name: String
    let isEnrolled: Bool
    let features: PrintFeatures

    /// - Throws: ``BenchmarkFailure`` for a picture that cannot be used.
    init(
      _ seen: SensorPicture, of finger: String, impression: Int, patch: Int? = nil,
      pixelsPerInch: Int
    ) throws(BenchmarkFailure) {
      let file = "\(finger)_\(impression)" + (patch.map { "_p\($0)" } ?? "")
      name = "\(file).pgm"
      isEnrolled = impression <= SampledFinger.enrolled
      features = try seen.image.features(
        named: file, pixelsPerInch: pixelsPerInch, extents: seen.extents)
    }
  }

  /// The seed of what is drawn for a print: the 64-bit FNV-1a hash of its name (Fowler, Noll and
  /// Vo; RFC 9923), so that it is always the same.
  static func seed(of name: String) -> UInt64 {
    name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// `SET/FINGER`
  let name: String
  let set: Int
  /// Whose finger, see ``ImageSet/people``.
  let people: String
  let prints: [Touch]
  /// By the side of the patches.
  var patches: [Int: [Touch]] = [:]
}

extension SampledFinger {
  /// Makes or reads the prints of a finger and extracts them; the images are not kept.
  init(_ finger: ImageSet.Finger, of set: ImageSet, number: Int) throws {
    let pictured = try PicturedFinger(finger, of: set, number: number)
    self = try pictured.sampled()
    for print in pictured.prints {
      let image = BicubicResampling.image(print.picture, from: set.pixelsPerInch, to: 500)
      for size in Self.patchSizes {
        let cut = PatchCutter(image, size: size)
          .patches(Self.patchesOfPrint, of: "\(name)_\(print.impression)")
        for (patch, part) in cut.enumerated() {
          patches[size, default: []].append(
            try Touch(
              SensorPicture(image: part.image), of: name, impression: print.impression,
              patch: patch, pixelsPerInch: 500))
        }
      }
    }
  }
}

/// The prints of a finger as pictures, before any sensor's window is laid over them.
struct PicturedFinger: Sendable {
  struct Print: Sendable {
    let impression: Int
    let picture: GrayImage
  }

  /// `SET/FINGER`
  let name: String
  let set: Int
  /// Whose finger, see ``ImageSet/people``.
  let people: String
  let pixelsPerInch: Int
  let prints: [Print]

  init(_ finger: ImageSet.Finger, of set: ImageSet, number: Int) throws(BenchmarkFailure) {
    name = "\(set.name)/\(finger.name)"
    self.set = number
    people = set.people
    pixelsPerInch = set.pixelsPerInch
    prints = zip(finger.impressions, try set.images(of: finger)).map {
      Print(impression: $0, picture: $1)
    }
  }

  /// In the order of ``prints``.
  func pictures(of sensor: WindowedSensor) throws -> [SensorPicture] {
    try prints.map { print in
      let own = "\(name)_\(print.impression)"
      return try sensor.picture(of: print.picture, touch: SampledFinger.seed(of: own))
    }
  }

  /// What the matcher sees of the prints as they are.
  func sampled() throws -> SampledFinger {
    try sampled(prints.map { SensorPicture(image: $0.picture) })
  }

  /// What the matcher sees through a sensor.
  ///
  /// - `saysExtents`: Whether the sensor says where its pad ends.
  func sampled(by sensor: WindowedSensor, saysExtents: Bool) throws -> SampledFinger {
    try sampled(
      pictures(of: sensor).map {
        SensorPicture(image: $0.image, extents: saysExtents ? $0.extents : nil)
      })
  }

  private func sampled(_ pictures: [SensorPicture]) throws -> SampledFinger {
    let touches = try zip(prints, pictures).map { print, seen in
      try SampledFinger.Touch(
        seen, of: name, impression: print.impression, pixelsPerInch: pixelsPerInch)
    }
    return SampledFinger(name: name, set: set, people: people, prints: touches)
  }
}
