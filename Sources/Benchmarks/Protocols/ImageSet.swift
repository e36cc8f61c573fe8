import GreyImage
import SyntheticPrints

/// Prints of several fingers from one sensor.
struct ImageSet: Sendable {
  /// A finger and where its prints come from.
  struct Finger: Sendable {
    /// What it is called within its set.
    let name: String
    /// Numbers of its impressions, rising.
    let impressions: [Int]
    fileprivate let source: Source
  }

  fileprivate enum Source: Sendable {
    /// `FOLDER/FINGER_IMPRESSION.pgm`
    case files(folder: String)
    case synthetic(seed: UInt64, ImpressionConditions)
  }

  let name: String
  /// Whose fingers: sets in which this is the same may show the same fingers.
  var people: String
  let pixelsPerInch: Int
  /// What the prints are, for the report.
  let summary: String
  let fingers: [Finger]

  /// All prints of a finger, in the order of their impressions.
  ///
  /// - Throws: ``BenchmarkFailure`` for a file that cannot be read or is no PGM picture.
  func images(of finger: Finger) throws(BenchmarkFailure) -> [GreyImage] {
    var images: [GreyImage] = []
    switch finger.source {
    case .files(let folder):
      for impression in finger.impressions {
        images.append(try BenchmarkFile("\(folder)/\(finger.name)_\(impression).pgm").picture())
      }
    case .synthetic(let seed, let conditions):
      let skin = SyntheticFinger(seed: seed)
      for impression in finger.impressions {
        let picture = skin.impression(seed: UInt64(impression), conditions: conditions)
        images.append(
          BicubicResampling.image(
            picture, from: SyntheticFinger.pixelsPerInch, to: pixelsPerInch))
      }
    }
    return images
  }
}

extension ImageSet {
  /// Makes three sets of synthetic fingers, as if collected with three sensors.
  ///
  /// - Parameters:
  ///   - fingers: How many in each set, 1...10,000.
  ///   - impressions: How many prints of each.
  ///   - seed: The same seed gives the same prints.
  /// - Returns: Sets from careful to poor touches; no finger is in two of them.
  static func synthetic(fingers: Int, impressions: Int, seed: UInt64) -> [ImageSet] {
    let sets: [(name: String, conditions: ImpressionConditions, ppi: Int)] = [
      ("careful", .careful, 500), ("everyday", .everyday, 569), ("poor", .poor, 500),
    ]
    return sets.enumerated().map { index, set in
      // A set of 10,000 after the other.
      synthetic(
        set.name, conditions: set.conditions, pixelsPerInch: set.ppi,
        numbers: index * 10_000 + 1...index * 10_000 + fingers, impressions: impressions,
        seed: seed)
    }
  }

  /// Makes a set of synthetic fingers.
  ///
  /// - Parameters:
  ///   - name: What it is called.
  ///   - conditions: How the fingers are put on the sensor.
  ///   - pixelsPerInch: The sensor's resolution.
  ///   - numbers: Which fingers, as `authcore-bench synthesize` numbers them.
  ///   - impressions: How many prints of each.
  ///   - seed: The same seed gives the same prints.
  /// - Returns: The set; its prints are made when they are asked for.
  static func synthetic(
    _ name: String, conditions: ImpressionConditions, pixelsPerInch: Int,
    numbers: ClosedRange<Int>, impressions: Int, seed: UInt64
  ) -> ImageSet {
    ImageSet(
      name: name, people: name, pixelsPerInch: pixelsPerInch,
      summary: "synthetic, \(name) touches, seed \(seed)",
      fingers: numbers.map { number in
        Finger(
          name: String(number - numbers.lowerBound + 1), impressions: Array(1...impressions),
          source: .synthetic(seed: seed &* 1_000_003 &+ UInt64(number), conditions))
      })
  }

  /// The prints of a folder, `FOLDER/FINGER_IMPRESSION.pgm`; nil where there are none.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - files: The names of the files in it.
  ///   - name: What the set is called.
  ///   - pixelsPerInch: Its resolution.
  init?(folder: String, files: [String], name: String, pixelsPerInch: Int) {
    var impressions: [String: [Int]] = [:]
    for file in files where file.hasSuffix(".pgm") {
      let parts = file.dropLast(4).split(separator: "_", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, let number = Int(parts[1]),
        file == "\(parts[0])_\(number).pgm"
      else { continue }
      impressions[String(parts[0]), default: []].append(number)
    }
    guard !impressions.isEmpty else { return nil }
    self.name = name
    people = name
    self.pixelsPerInch = pixelsPerInch
    summary = "images of \(name)"
    fingers = impressions.keys.sorted().map { finger in
      Finger(
        name: finger, impressions: (impressions[finger] ?? []).sorted(),
        source: .files(folder: folder))
    }
  }
}
