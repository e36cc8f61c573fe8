internal import GrayImage
internal import Synchronization
internal import SyntheticPrints

/// What the reader's camera sees of a finger: ridges bright, the fingertip at the bottom.
struct Scan {
  static let width = 384
  static let height = 290

  /// A touch of a finger, by numbers.
  struct Touch: Hashable {
    let finger: UInt64
    let impression: UInt64
  }

  /// The patch of the platen that a finger covers, in pixels at 500 ppi.
  private static let window = (width: 336, height: 420)

  /// Fingers that were grown, and touches that were seen, in any device of this process: both take
  /// their time.
  private static let fingers = Mutex<[UInt64: SyntheticFinger]>([:])
  private static let seen = Mutex<[Touch: [UInt8]]>([:])

  /// `width * height` pixels of the touch.
  static func pixels(of touch: Touch, optics: Optics) -> [UInt8] {
    if let known = seen.withLock({ $0[touch] }) { return known }
    let finger = fingers.withLock { fingers in
      if let known = fingers[touch.finger] { return known }
      let grown = SyntheticFinger(seed: touch.finger)
      fingers[touch.finger] = grown
      return grown
    }
    let print = finger.impression(
      seed: touch.impression,
      conditions: .careful.window(width: window.width, height: window.height))
    let pixels = project(print, optics)
    seen.withLock { seen in
      if seen.count >= 32 { seen = [:] }
      seen[touch] = pixels
    }
    return pixels
  }

  /// The same with the noise of a camera: no two pictures of one are equal.
  static func withNoise(_ pixels: [UInt8], seed: UInt64) -> [UInt8] {
    var noise = seed
    return pixels.map { pixel in
      noise ^= noise << 13
      noise ^= noise >> 7
      noise ^= noise << 17
      return pixel ^ UInt8(noise & 1)
    }
  }

  /// The platen without a finger.
  static var empty: [UInt8] { [UInt8](repeating: 12, count: width * height) }

  private static func project(_ print: GrayImage, _ optics: Optics) -> [UInt8] {
    var pixels = empty
    for row in 0..<height {
      for column in Optics.darkLeft..<(width - Optics.darkRight) {
        let point = optics.platen(column: column, row: row)
        // The camera looks from the fingertip's side.
        let x = Double(print.width) / 2 - point.x
        let y = Double(print.height) / 2 - point.y
        pixels[row * width + column] = 255 - brightness(of: print, x, y)
      }
    }
    return pixels
  }

  /// The print at a point between its pixels; white outside.
  private static func brightness(of print: GrayImage, _ x: Double, _ y: Double) -> UInt8 {
    let column = Int(x.rounded(.down))
    let row = Int(y.rounded(.down))
    guard 0..<(print.width - 1) ~= column, 0..<(print.height - 1) ~= row else { return 255 }
    let right = x - Double(column)
    let down = y - Double(row)
    let start = row * print.width + column
    func pixel(_ index: Int) -> Double { Double(print.pixels[index]) }
    let upper = pixel(start) * (1 - right) + pixel(start + 1) * right
    let lower = pixel(start + print.width) * (1 - right) + pixel(start + print.width + 1) * right
    return UInt8(upper * (1 - down) + lower * down)
  }
}
