import GrayImage
import SyntheticPrints

/// A touch that no finger makes: parts of synthetic prints, chosen so that many fingers match.
///
/// After Roy, Memon and Ross, "MasterPrint: exploring the vulnerability of partial
/// fingerprint-based authentication systems", 2017, who climb hills as well.
struct ForgedTouch: Sendable {
  /// A part of the picture, from one synthetic print.
  private struct Layer: Sendable {
    var finger: UInt64
    var impression: UInt64
    /// Where the middle of the sensor lies on the finger, in pixels from the finger's middle.
    var place: SIMD2<Int>
    /// Decides how far ridges lie apart and how broad they are, see ``SkinTreatment``.
    var pressing: Double
    var moisture: Double
    /// What it covers, as shares of the sensor's sides.
    var x: ClosedRange<Double>
    var y: ClosedRange<Double>
  }

  /// Parts that one touch is made of at most.
  private static let mostLayers = 3
  /// How far from the finger's middle a touch may lie, in pixels.
  private static let reach = SIMD2(90, 130)

  /// The first covers everything.
  private var layers: [Layer]

  /// A part of a random print.
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

  /// The touch on a sensor.
  ///
  /// - Parameters:
  ///   - width: The sensor's columns at 500 ppi.
  ///   - height: Its rows.
  /// - Returns: The picture; the same each time.
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
      .cropped(
        x: reach.x + layer.place.x, y: reach.y + layer.place.y, width: width, height: height)
  }
}
