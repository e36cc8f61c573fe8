import ArgumentParser
import FingerprintMatching
import GrayImage
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
    case synthetic(seed: UInt64, TouchHabit)
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
  func images(of finger: Finger) throws(BenchmarkFailure) -> [GrayImage] {
    var images: [GrayImage] = []
    switch finger.source {
    case .files(let folder):
      for impression in finger.impressions {
        images.append(try BenchmarkFile("\(folder)/\(finger.name)_\(impression).pgm").picture())
      }
    case .synthetic(let seed, let habit):
      let skin = SyntheticFinger(seed: seed)
      for impression in finger.impressions {
        let picture = skin.impression(
          seed: UInt64(impression), conditions: habit.conditions(of: impression))
        images.append(
          BicubicResampling.image(
            picture, from: SyntheticFinger.pixelsPerInch, to: pixelsPerInch))
      }
    }
    return images
  }
}

extension ImageSet {
  /// Makes sets of synthetic fingers, each as if collected with a sensor of its own.
  ///
  /// - Parameters:
  ///   - habits: How the fingers of each set are put on the sensor.
  ///   - fingers: How many in each set, 1...10,000.
  ///   - impressions: How many prints of each.
  ///   - seed: The same seed gives the same prints.
  /// - Returns: Sets in the order of the habits; no finger is in two of them.
  static func synthetic(
    _ habits: [TouchHabit], fingers: Int, impressions: Int, seed: UInt64
  ) -> [ImageSet] {
    habits.map { habit in
      // A set of 10,000 after the other.
      let first = (TouchHabit.allCases.firstIndex(of: habit) ?? 0) * 10_000 + 1
      return synthetic(
        habit, pixelsPerInch: habit == .everyday ? 569 : 500, numbers: first...first + fingers - 1,
        impressions: impressions, seed: seed)
    }
  }

  /// Makes a set of synthetic fingers.
  ///
  /// - Parameters:
  ///   - habit: How the fingers are put on the sensor, which the set is called by.
  ///   - pixelsPerInch: The sensor's resolution.
  ///   - numbers: Which fingers, as `authcore-bench synthesize` numbers them.
  ///   - impressions: How many prints of each.
  ///   - seed: The same seed gives the same prints.
  /// - Returns: The set; its prints are made when they are asked for.
  static func synthetic(
    _ habit: TouchHabit, pixelsPerInch: Int, numbers: ClosedRange<Int>, impressions: Int,
    seed: UInt64
  ) -> ImageSet {
    ImageSet(
      name: habit.rawValue, people: habit.rawValue, pixelsPerInch: pixelsPerInch,
      summary: "synthetic, \(habit.rawValue) touches, seed \(seed)",
      fingers: numbers.map { number in
        Finger(
          name: String(number - numbers.lowerBound + 1), impressions: Array(1...impressions),
          source: .synthetic(seed: seed &* 1_000_003 &+ UInt64(number), habit))
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

extension GrayImage {
  /// The picture as the matcher takes it.
  ///
  /// - Parameters:
  ///   - name: What it is called in errors.
  ///   - pixelsPerInch: Its resolution.
  ///   - extents: See ``FingerprintImage/extents``.
  /// - Returns: The image.
  /// - Throws: ``BenchmarkFailure`` naming the picture and what is wrong with it.
  func fingerprint(
    named name: String, pixelsPerInch: Int, extents: [Range<Int>]? = nil
  ) throws(BenchmarkFailure) -> FingerprintImage {
    do {
      return try FingerprintImage(
        width: width, height: height, pixelsPerInch: pixelsPerInch, pixels: pixels,
        extents: extents)
    } catch {
      throw BenchmarkFailure("\(name): \(error.message) \(error.hint)")
    }
  }
}

/// How the fingers of a synthetic set are put on its sensor.
enum TouchHabit: String, CaseIterable, ExpressibleByArgument, Sendable {
  case careful, everyday, poor, pressed, dragged, twisted, wet, dry
  /// As the volunteers of FVC2004 were asked to: impressions 1 and 2 as they like, 3 dragged, 4
  /// turned, 5 and 6 dry, 7 and 8 pressed and wet, and so on.
  case volunteers

  /// The conditions of an impression, counted from 1.
  func conditions(of impression: Int) -> ImpressionConditions {
    switch self {
    case .careful: .careful
    case .everyday: .everyday
    case .poor: .poor
    case .pressed: .pressed
    case .dragged: .dragged
    case .twisted: .twisted
    case .wet: .wet
    case .dry: .dry
    case .volunteers: Self.asked[(impression - 1) % Self.asked.count]
    }
  }

  private static let asked: [ImpressionConditions] = [
    .everyday, .everyday, .dragged, .twisted, .dry, .dry, .pressed, .wet,
  ]
}
