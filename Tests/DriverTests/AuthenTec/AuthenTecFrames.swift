import AuthcoreABI
import AuthenTecModel
import FrameAssembly

/// The frames that the models' fingers make.
enum AuthenTecFrames {
  static let flipped = UInt32(AC_FRAME_FLIP_HORIZONTAL | AC_FRAME_FLIP_VERTICAL)

  /// A touch of a press chip of this many pixels a side, enlarged.
  static func press(side: Int, factor: Int, ppi: Int, touch: Int) throws -> CapturedFrame {
    CapturedFrame(
      width: side * factor, height: side * factor, pixelsPerInch: ppi,
      flags: UInt32(AC_FRAME_INVERTED) | flipped,
      pixels: try Enlarging.image(
        SyntheticRidges.part(x: 0, y: 0, width: side, height: side, touch: touch).map { $0 * 17 },
        width: side, height: side, factor: factor))
  }

  static func aes3500(touch: Int) throws -> CapturedFrame {
    try press(side: 128, factor: 2, ppi: 1000, touch: touch)
  }

  /// The whole of a swipe of this many rows, in the middle of a black image.
  static func swipe(rows: Int, touch: Int) -> CapturedFrame {
    let black = [UInt8](repeating: 0, count: 48)
    let pixels = (0..<rows).flatMap { row -> [UInt8] in
      let skin = SyntheticRidges.part(x: 0, y: row, width: 192, height: 1, touch: touch)
      return black + skin.map { $0 * 17 } + black
    }
    return CapturedFrame(
      width: 288, height: rows, pixelsPerInch: 500, flags: UInt32(AC_FRAME_INVERTED) | flipped,
      pixels: pixels, extents: Array(repeating: 48..<240, count: rows))
  }
}
