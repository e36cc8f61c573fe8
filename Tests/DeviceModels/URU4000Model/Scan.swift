internal import GrayImage
internal import Synchronization
internal import SyntheticPrints

/// The camera's picture of a finger: ridges bright, the fingertip at the bottom.
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

/// How the reader's camera sees the platen: at an angle, so that a line of the finger is drawn the
/// longer the later the row.
///
/// The projection is the camera model that a contributor published for these readers in 2010;
/// lengths on the platen are in units of 2.126 mm.
struct Optics {
  /// Columns at the left and right that get no light.
  static let darkLeft = 11
  static let darkRight = 6
  /// Pixels at 500 ppi in a unit.
  static let pixelsPerUnit = 41.84

  /// Where the middle of the picture is on the platen.
  private let middle: (x: Double, y: Double)
  /// How far the calibration patch of this reader is from its place in the camera model.
  private let shift: (x: Double, y: Double)

  /// - Parameter patch: the middle of the calibration patch, in pixels, as the header of an image
  ///   tells it.
  init(patch: (x: Int, y: Int)) {
    let shift = (x: Double(patch.x) - 204, y: Double(patch.y) - 137)
    let column = (Scan.width + Self.darkLeft - Self.darkRight) / 2
    let center = Optics(shift: shift, middle: (0, 0)).platen(column: column, row: Scan.height / 2)
    self.shift = shift
    middle = (center.x / Self.pixelsPerUnit, center.y / Self.pixelsPerUnit)
  }

  private init(shift: (x: Double, y: Double), middle: (x: Double, y: Double)) {
    self.shift = shift
    self.middle = middle
  }

  /// The point of the platen that a pixel shows, in pixels at 500 ppi from the middle of the
  /// picture.
  func platen(column: Int, row: Int) -> (x: Double, y: Double) {
    let u = Double(column - Self.darkLeft) - 191.328_302_439_083 - shift.x
    let v = Double(row) - 121.006_524_591_601 - shift.y
    // v = 2474.46… · (0.3894… · Y − 0.8060…) / Z with Z = 32.353… − 0.9210… · Y, solved for Y.
    let y =
      (v * 32.353_364_659_474_1 + 2474.462_349_802_6 * 0.806_005_109_566_57)
      / (2474.462_349_802_6 * 0.389_487_102_785_644 + v * 0.921_029_644_803)
    let z = 32.353_364_659_474_1 - 0.921_029_644_803 * y
    let x = u * z / 1607.59 + 1.810_415_619_654_88
    return ((x - middle.x) * Self.pixelsPerUnit, (y - middle.y) * Self.pixelsPerUnit)
  }
}
