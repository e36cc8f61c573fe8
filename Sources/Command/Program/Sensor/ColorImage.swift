import CoreClient
import FingerprintMatching
import GrayImage

/// A picture in color: a print with what the matcher sees in it.
struct ColorImage: Equatable {
  let width: Int
  let height: Int
  /// Red, green, blue of each pixel, row by row.
  private(set) var pixels: [UInt8]

  private static let circle: [UInt8] = [220, 20, 60]
  private static let tail: [UInt8] = [30, 100, 255]
  private static let radius = 3
  private static let tailLength = 9

  init(_ image: GrayImage) {
    width = image.width
    height = image.height
    pixels = image.pixels.flatMap { [$0, $0, $0] }
  }

  /// Draws a circle around each minutia and a line in its direction.
  mutating func draw(_ marks: [PrintFeatures.Mark]) {
    for mark in marks {
      for distance in Self.radius...Self.tailLength {
        set(
          mark.x + Int((mark.step.x * Double(distance)).rounded()),
          mark.y + Int((mark.step.y * Double(distance)).rounded()), Self.tail)
      }
      let square = Self.radius * Self.radius
      for y in -Self.radius...Self.radius {
        for x in -Self.radius...Self.radius where abs(x * x + y * y - square) <= Self.radius {
          set(mark.x + x, mark.y + y, Self.circle)
        }
      }
    }
  }

  private mutating func set(_ x: Int, _ y: Int, _ color: [UInt8]) {
    guard 0..<width ~= x, 0..<height ~= y else { return }
    let start = (y * width + x) * 3
    pixels.replaceSubrange(start..<start + 3, with: color)
  }
}
