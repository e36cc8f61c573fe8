import ArgumentParser
import FingerprintMatching
import GrayImage
import SyntheticPrints

/// Prints of several fingers from one sensor.
struct ImageSet: Sendable {
  struct Finger: Sendable {
    let name: String
    /// Rising.
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
  /// For the report.
  let summary: String
  let fingers: [Finger]

  /// In the order of the impressions.
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
          BicubicResampling.image(picture, from: SyntheticFinger.pixelsPerInch, to: pixelsPerInch))
      }
    }
    return images
  }
}

extension ImageSet {
  /// Sets of synthetic fingers, one for each habit, each as if collected with a sensor of its own.
  /// No finger is in two of them.
  static func synthetic(
    _ habits: [TouchHabit], fingers: Int, impressions: Int, seed: UInt64
  ) -> [ImageSet] {
    habits.map { habit in
      // Each set has its own 10,000 numbers.
      let first = (TouchHabit.allCases.firstIndex(of: habit) ?? 0) * 10_000 + 1
      return synthetic(
        habit, pixelsPerInch: habit == .everyday ? 569 : 500, numbers: first...first + fingers - 1,
        impressions: impressions, seed: seed)
    }
  }

  /// A set of synthetic fingers, called by the habit. Its prints are made when they are asked for.
  ///
  /// - `numbers`: Which fingers, as `authcore-bench synthesize` numbers them.
  /// - `impressions`: How many prints of each.
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

  /// The prints of a folder, `FOLDER/FINGER_IMPRESSION.pgm`, or nil if there are none. `files` are
  /// the names of the files in it.
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

extension [ImageSet] {
  /// Does something for each finger of all sets, which it reports first; see ``concurrentMap(_:_:)``.
  func mapFingers<Result: Sendable>(
    _ report: (ImageSet) -> Void = { _ in },
    _ work: @escaping @Sendable (ImageSet.Finger, ImageSet, _ number: Int) throws -> Result
  ) async throws -> [Result] {
    var results: [Result] = []
    for (number, set) in enumerated() {
      report(set)
      results += try await concurrentMap(set.fingers) { try work($0, set, number) }
    }
    return results
  }
}

extension GrayImage {
  /// The picture as the matcher takes it.
  ///
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

  func features(
    named name: String, pixelsPerInch: Int = 500, extents: [Range<Int>]? = nil
  ) throws(BenchmarkFailure) -> PrintFeatures {
    FeatureExtractor().features(
      of: try fingerprint(named: name, pixelsPerInch: pixelsPerInch, extents: extents))
  }
}

extension Enrollment {
  init(_ touches: some Sequence<PrintFeatures>, isOfOneFinger: Bool = false) {
    self.init(isOfOneFinger: isOfOneFinger)
    for touch in touches { _ = add(touch) }
  }
}

/// How the fingers of a synthetic set are put on its sensor.
enum TouchHabit: String, CaseIterable, ExpressibleByArgument, Sendable {
  case careful, everyday, poor, pressed, dragged, twisted, wet, dry
  /// As the volunteers of FVC2004 were asked to: impressions 1 and 2 as they like, 3 dragged, 4
  /// turned, 5 and 6 dry, 7 and 8 pressed and wet, and so on.
  case volunteers

  /// Impressions count from 1.
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
