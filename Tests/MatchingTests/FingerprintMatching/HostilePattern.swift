import FingerprintMatching
import Glibc
import GrayImage
import SyntheticPrints
import Testing

/// A picture that is not a touch: something to hold before a sensor, or to print and lay onto it,
/// in the hope that it matches many fingers.
struct HostilePattern: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The gray level at a pixel.
  let gray: @Sendable (Int, Int) -> Int

  init(_ name: String, _ gray: @escaping @Sendable (Int, Int) -> Int) {
    testDescription = name
    self.gray = gray
  }

  /// A pattern of ridges from their phase in radians.
  init(ridges name: String, _ phase: @escaping @Sendable (Double, Double) -> Double) {
    self.init(name) { x, y in 128 - Int((100 * cos(phase(Double(x), Double(y)))).rounded()) }
  }

  /// The upper left part of the pattern in windows of some sizes, the largest first.
  func features(_ windows: [(width: Int, height: Int)]) throws -> [PrintFeatures] {
    guard let (width, height) = windows.first else { return [] }
    let whole = try image(width: width, height: height, gray)
    let picture = GrayImage(width: width, height: height, pixels: whole.pixels)
    return try windows.map { width, height in
      let part = picture.cropped(x: 0, y: 0, width: width, height: height)
      return FeatureExtractor().features(of: try fingerprint(part))
    }
  }

  static let all: [HostilePattern] = plain + stripes + curves + textures + collages

  /// Without ridges, or with ridges unlike a finger's.
  static let plain: [HostilePattern] = [
    HostilePattern("black") { _, _ in 0 },
    HostilePattern("white") { _, _ in 255 },
    HostilePattern("middle gray") { _, _ in 128 },
    HostilePattern("noise") { x, y in pixelNoise(x, y) },
    HostilePattern("black and white noise") { x, y in pixelNoise(x, y) < 128 ? 0 : 255 },
    HostilePattern("blocks of eight as JPEG leaves them") { x, y in
      pixelNoise(x / 8, y / 8) / 2 + (x % 8 * (y % 8)) * 2
    },
    HostilePattern("a gradient") { x, y in (x + y) / 3 },
    HostilePattern("a saturated blot") { x, y in
      hypot(Double(x - 150), Double(y - 200)) < 110 ? 0 : 255
    },
    HostilePattern("a checkerboard") { x, y in (x / 5 + y / 5) % 2 * 255 },
    HostilePattern("a checkerboard of single pixels") { x, y in (x + y) % 2 * 255 },
    HostilePattern("plaid") { x, y in (x % 9 < 4 ? 0 : 128) + (y % 11 < 5 ? 0 : 127) },
    HostilePattern("bricks") { x, y in
      y % 9 < 2 || (x + y / 9 % 2 * 12) % 24 < 3 ? 0 : 255
    },
    HostilePattern("lines of text") { x, y in
      y % 24 < 14 && (x * 7 + y / 24 * 13) % 11 < 5 && (x + y) % 7 < 4 ? 0 : 255
    },
    HostilePattern("one giant ridge") { x, _ in abs(x - 150) < 60 ? 0 : 255 },
    HostilePattern("a single dark pixel") { x, y in x == 150 && y == 150 ? 0 : 255 },
  ]

  /// Parallel ridges as far apart as a finger's, in all directions.
  static let stripes: [HostilePattern] = [7.0, 9.0, 11.0].flatMap { period -> [HostilePattern] in
    stride(from: 0.0, to: 180, by: 30).map { degrees -> HostilePattern in
      let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
      return HostilePattern(ridges: "stripes of \(period) pixels at \(degrees) degrees") { x, y in
        2 * .pi * (x * cosine + y * sine) / period
      }
    }
  }

  /// Ridges that bend as those of fingers do.
  static let curves: [HostilePattern] = [
    HostilePattern(ridges: "rings") { x, y in 2 * .pi * hypot(x - 150, y - 200) / 9 },
    HostilePattern(ridges: "rings around a corner") { x, y in 2 * .pi * hypot(x, y) / 9 },
    HostilePattern(ridges: "a spiral") { x, y in
      2 * .pi * hypot(x - 150, y - 200) / 9 + atan2(y - 200, x - 150)
    },
    HostilePattern(ridges: "ovals") { x, y in 2 * .pi * hypot((x - 150) * 1.4, y - 200) / 10 },
    HostilePattern(ridges: "arches") { x, y in
      2 * .pi * (y - 60 * exp(-(x - 150) * (x - 150) / 6000)) / 9
    },
    HostilePattern(ridges: "waves") { x, y in 2 * .pi * (y + 12 * sin(x / 25)) / 9 },
    HostilePattern(ridges: "loops above a stack of arches") { x, y in
      2 * .pi * (y < 200 ? hypot(x - 150, y - 200) : abs(x - 150)) / 9
    },
    HostilePattern(ridges: "stripes with a grid of ridge endings") { x, y in
      2 * .pi * x / 9 + endings(x, y, apart: 40)
    },
    HostilePattern(ridges: "stripes with a dense grid of ridge endings") { x, y in
      2 * .pi * y / 9 + endings(x, y, apart: 24)
    },
    HostilePattern(ridges: "rings with a grid of ridge endings") { x, y in
      2 * .pi * hypot(x - 150, y - 200) / 9 + endings(x, y, apart: 36)
    },
  ]

  /// Noise with the ridges' distance and without a direction, or with one of its own.
  static let textures: [HostilePattern] = [
    HostilePattern("noise with the ridges' distance") { x, y in
      waves(x, y, directions: 0..<16)
    },
    HostilePattern("noise with the ridges' distance and one direction") { x, y in
      waves(x, y, directions: 6..<10)
    },
  ]

  /// Pictures put together from prints of people who are not enrolled.
  static let collages: [HostilePattern] = [
    HostilePattern("a piece of a print as tiles") { x, y in
      level(of: strangers[0], 110 + x % 80, 150 + y % 80)
    },
    HostilePattern("a piece of a print, mirrored from tile to tile") { x, y in
      level(of: strangers[1], 100 + mirrored(x, 90), 150 + mirrored(y, 90))
    },
    HostilePattern("pieces of many prints") { x, y in
      level(of: strangers[(x / 75 + y / 80 * 4) % strangers.count], x % 300, y % 400)
    },
    HostilePattern("the mean of many prints") { x, y in
      let sum = strangers.reduce(0) { $0 + level(of: $1, x, y) - 190 }
      return 190 + sum / 3
    },
    HostilePattern("the darkest of many prints") { x, y in
      strangers.map { level(of: $0, x, y) }.min() ?? 0
    },
    HostilePattern("half of one print and half of another") { x, y in
      level(of: strangers[x < 150 ? 2 : 3], x, y)
    },
  ]

  private static let strangers = (UInt64(0)..<6).map {
    SyntheticFinger(seed: 4400 + $0).impression(seed: 1, conditions: .careful)
  }

  private static func level(of picture: GrayImage, _ x: Int, _ y: Int) -> Int {
    guard x < picture.width, y < picture.height else { return 230 }
    return Int(picture[x: x, y: y])
  }

  private static func mirrored(_ x: Int, _ side: Int) -> Int {
    x / side % 2 == 0 ? x % side : side - 1 - x % side
  }

  private static func pixelNoise(_ x: Int, _ y: Int) -> Int {
    var noise = RandomNumbers(seed: UInt64(y * 5000 + x))
    return noise.byte()
  }

  /// The turns of phase around endings on a grid, of alternating sense: where both sines are 0.
  private static func endings(_ x: Double, _ y: Double, apart: Double) -> Double {
    atan2(sin(.pi * (y / apart - 0.6)), sin(.pi * (x / apart - 0.6)))
  }

  /// The sum of plane waves, each with a phase of its own.
  private static func waves(_ x: Int, _ y: Int, directions: Range<Int>) -> Int {
    let sum = directions.reduce(0.0) { sum, number in
      let angle = Double(number) / 16 * .pi
      let period = 8 + Double(number * 7 % 5) * 0.5
      return sum
        + cos(
          2 * .pi * (Double(x) * cos(angle) + Double(y) * sin(angle)) / period
            + Double(number * number))
    }
    return 128 + Int((90 * sum / Double(directions.count).squareRoot()).rounded())
  }
}
