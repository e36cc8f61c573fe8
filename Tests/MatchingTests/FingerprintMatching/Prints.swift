import FingerprintMatching
import Glibc
import GrayImage
import SyntheticPrints
import Testing

/// Features of a synthetic finger's touch.
func touch(
  _ finger: SyntheticFinger, _ seed: UInt64, conditions: ImpressionConditions = .everyday
) throws -> PrintFeatures {
  let picture = finger.impression(seed: seed, conditions: conditions)
  return FeatureExtractor().features(of: try fingerprint(picture))
}

/// A finger enrolled from some of its touches.
func enrolled(
  _ finger: SyntheticFinger, touches: ClosedRange<UInt64> = 1...5,
  conditions: ImpressionConditions = .everyday
) throws -> FingerTemplate {
  var enrollment = Enrollment()
  for seed in touches { _ = enrollment.add(try touch(finger, seed, conditions: conditions)) }
  return try #require(enrollment.template())
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

extension RandomNumbers {
  mutating func byte() -> Int { Int(next() >> 56) }
}

/// Real prints, if the machine has them: never part of the project.
enum RealPrints {
  /// The folder, from the environment or beside the package.
  static let folder: String = {
    let shared = unsafe getenv("AUTHCORE_SHARED").map { unsafe String(cString: $0) }
    let package = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return (shared ?? "/\(package)/../shared") + "/prints/fvc2002"
  }()

  static var areThere: Bool { unsafe access(folder + "/DB1_B/101_1.pgm", R_OK) == 0 }

  static func features(
    _ set: String, _ finger: Int, _ impression: Int, pixelsPerInch: Int
  ) throws -> PrintFeatures {
    let path = "\(folder)/\(set)/\(finger)_\(impression).pgm"
    let file = unsafe try #require(fopen(path, "r"))
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    let picture = try GrayImage(decodingPGM: Array(bytes[..<count]))
    return FeatureExtractor().features(
      of: try fingerprint(picture, pixelsPerInch: pixelsPerInch))
  }
}
