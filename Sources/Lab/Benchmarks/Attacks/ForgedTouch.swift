import FingerprintMatching
import Glibc
import GrayImage
import SyntheticPrints

/// A touch that no finger makes: parts of synthetic prints, chosen so that many fingers match.
///
/// After Roy, Memon and Ross, "MasterPrint: exploring the vulnerability of partial
/// fingerprint-based authentication systems", 2017, who climb hills as well.
struct ForgedTouch: Sendable {
  private struct Layer: Sendable {
    var finger: UInt64
    var impression: UInt64
    /// Where the middle of the sensor lies on the finger, in pixels from the finger's middle.
    var place: SIMD2<Int>
    /// See ``SkinTreatment``.
    var pressing: Double
    var moisture: Double
    /// What it covers, as shares of the sensor's sides.
    var x: ClosedRange<Double>
    var y: ClosedRange<Double>
  }

  private static let mostLayers = 3
  /// How far from the finger's middle a touch may lie, in pixels.
  private static let reach = SIMD2(90, 130)

  /// The first covers everything.
  private var layers: [Layer]

  init(from numbers: inout RandomNumbers) {
    layers = [Self.layer(x: 0...1, y: 0...1, from: &numbers)]
  }

  private static func layer(
    x: ClosedRange<Double>, y: ClosedRange<Double>, from numbers: inout RandomNumbers
  ) -> Layer {
    Layer(
      finger: numbers.next(), impression: numbers.next(),
      place: SIMD2(
        .random(in: -reach.x...reach.x, using: &numbers),
        .random(in: -reach.y...reach.y, using: &numbers)),
      pressing: .random(in: 0...1, using: &numbers),
      moisture: .random(in: -0.3...0.3, using: &numbers), x: x, y: y)
  }

  /// A touch that differs in one thing.
  func changed(from numbers: inout RandomNumbers) -> ForgedTouch {
    var touch = self
    let index = Int.random(in: layers.indices, using: &numbers)
    switch Int.random(in: 0..<7, using: &numbers) {
    case 0, 1:
      let way = SIMD2(
        Int.random(in: -24...24, using: &numbers), .random(in: -24...24, using: &numbers))
      touch.layers[index].place = (layers[index].place &+ way)
        .clamped(lowerBound: 0 &- Self.reach, upperBound: Self.reach)
    case 2: touch.layers[index].pressing = .random(in: 0...1, using: &numbers)
    case 3: touch.layers[index].moisture = .random(in: -0.3...0.3, using: &numbers)
    case 4: touch.layers[index].impression = numbers.next()
    case 5 where layers.count > 1: touch.layers.removeLast()
    default:
      if layers.count == Self.mostLayers { touch.layers.removeLast() }
      touch.layers.append(
        Self.layer(x: Self.part(from: &numbers), y: Self.part(from: &numbers), from: &numbers))
    }
    return touch
  }

  private static func part(from numbers: inout RandomNumbers) -> ClosedRange<Double> {
    let length = Double.random(in: 0.3...0.7, using: &numbers)
    let start = Double.random(in: 0...1 - length, using: &numbers)
    return start...start + length
  }

  /// The touch on a sensor of this size, in pixels at 500 ppi.
  func picture(width: Int, height: Int) -> GrayImage {
    var pixels = [UInt8](repeating: 255, count: width * height)
    for layer in layers {
      let print = Self.print(layer, width: width, height: height)
      for y in Self.cells(layer.y, of: height) {
        for x in Self.cells(layer.x, of: width) { pixels[y * width + x] = print[x: x, y: y] }
      }
    }
    return GrayImage(width: width, height: height, pixels: pixels)
  }

  private static func cells(_ part: ClosedRange<Double>, of side: Int) -> Range<Int> {
    Int(part.lowerBound * Double(side))..<Int((part.upperBound * Double(side)).rounded(.up))
  }

  private static func print(_ layer: Layer, width: Int, height: Int) -> GrayImage {
    var conditions = ImpressionConditions.careful.window(
      width: width + 2 * reach.x, height: height + 2 * reach.y)
    conditions.moisture = layer.moisture...layer.moisture
    conditions.treatment.pressing = layer.pressing...layer.pressing
    return SyntheticFinger(seed: layer.finger)
      .impression(seed: layer.impression, conditions: conditions)
      .cropped(x: reach.x + layer.place.x, y: reach.y + layer.place.y, width: width, height: height)
  }
}

/// Climbs hills for touches that open many fingers.
struct MasterPrintSearch: Sendable {
  /// A touch and its scores with the fingers it is searched with.
  struct Candidate: Sendable {
    let touch: ForgedTouch
    let features: PrintFeatures
    let scores: [Double]

    var promise: Double {
      scores.reduce(0) { $0 + exp(min($1 - PrintMatcher.threshold, 0) / MasterPrintSearch.slope) }
    }

    var opened: Set<Int> { Set(scores.indices.filter { scores[$0] >= PrintMatcher.threshold }) }
  }

  /// How much a score must rise to be worth e times as much.
  static let slope = 3.0
  /// Share of the candidates that are drawn at random, before hills are climbed.
  static let drawn = 0.3
  static let hills = 8
  /// Touches before a sensor asks for the passcode.
  static let tries = 5

  private(set) var candidates: [Candidate] = []
  private let sensor: (width: Int, height: Int)
  private let known: [FingerTemplate]

  /// Tries `count` touches with the fingers `known`.
  init(
    _ count: Int, known: [FingerTemplate], sensor: (width: Int, height: Int), seed: UInt64,
    report: (String) -> Void
  ) async throws {
    (self.sensor, self.known) = (sensor, known)
    var numbers = RandomNumbers(seed: seed)
    let first = max(1, Int(Double(count) * Self.drawn))
    candidates = try await tried((0..<first).map { _ in ForgedTouch(from: &numbers) })
    var hills = Array(candidates.sorted { $0.promise > $1.promise }.prefix(Self.hills))
    report("\(first) parts of prints: \(summary)")
    while candidates.count < count {
      let steps = hills.prefix(count - candidates.count).map { $0.touch.changed(from: &numbers) }
      let reached = try await tried(steps)
      for (hill, candidate) in reached.enumerated() where candidate.promise > hills[hill].promise {
        hills[hill] = candidate
      }
      candidates += reached
      if candidates.count % 100 < reached.count {
        report("\(candidates.count) touches: \(summary)")
      }
    }
  }

  /// The touches that together open most fingers, each chosen for what the earlier ones leave.
  var best: [Candidate] {
    var (chosen, opened): ([Candidate], Set<Int>) = ([], [])
    for _ in 0..<Self.tries {
      let next = candidates.max { first, second in
        let (one, other) = (first.opened.subtracting(opened), second.opened.subtracting(opened))
        return (one.count, first.promise) < (other.count, second.promise)
      }
      guard let next else { break }
      chosen.append(next)
      opened.formUnion(next.opened)
    }
    return chosen
  }

  private var summary: String {
    let most = candidates.map { $0.opened.count }.max() ?? 0
    let highest = candidates.lazy.flatMap(\.scores).max() ?? PrintMatcher.lowestScore
    return "one opens \(most) of \(known.count) fingers; highest score "
      + ErrorRateTable.decimal(highest)
  }

  private func tried(_ touches: [ForgedTouch]) async throws -> [Candidate] {
    let (sensor, known) = (sensor, known)
    return try await concurrentMap(touches) { touch in
      let picture = touch.picture(width: sensor.width, height: sensor.height)
      let features = try picture.features(named: "a touch")
      return Candidate(touch: touch, features: features, scores: features.scores(with: known))
    }
  }
}

extension PrintFeatures {
  func scores(with fingers: [FingerTemplate]) -> [Double] {
    let matcher = PrintMatcher()
    var storage = MatchingStorage()
    return fingers.map { matcher.score(probe: self, against: $0, using: &storage) }
  }
}
