import FingerprintMatching
import GrayImage
import SyntheticPrints

/// Features of a synthetic finger's touch.
func touch(
  _ finger: SyntheticFinger, _ seed: UInt64, conditions: ImpressionConditions = .everyday
) throws -> PrintFeatures {
  let picture = finger.impression(seed: seed, conditions: conditions)
  return FeatureExtractor().features(of: try fingerprint(picture))
}

/// A picture as an image at 500 pixels per inch.
func fingerprint(_ picture: GrayImage, pixelsPerInch: Int = 500) throws -> FingerprintImage {
  try FingerprintImage(
    width: picture.width, height: picture.height, pixelsPerInch: pixelsPerInch,
    pixels: picture.pixels)
}

/// An image from a formula.
func image(
  width: Int, height: Int, pixelsPerInch: Int = 500, _ gray: (Int, Int) -> Int
) throws -> FingerprintImage {
  var pixels: [UInt8] = []
  pixels.reserveCapacity(width * height)
  for y in 0..<height {
    for x in 0..<width { pixels.append(UInt8(clamping: gray(x, y))) }
  }
  return try FingerprintImage(
    width: width, height: height, pixelsPerInch: pixelsPerInch, pixels: pixels)
}

/// Numbers without a pattern, the same each time (SplitMix64).
struct Noise {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func byte() -> Int { Int(next() >> 56) }
}
