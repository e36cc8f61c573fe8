import AuthcoreABI
import ElanDriver
import ElanModel

/// What the simulated swipe has to look like: its frames, mapped one by one and laid over each
/// other where they belong.
struct ElanSwipePicture {
  let width: Int
  let height: Int
  /// Frames that are used.
  let frames: Int
  let speed: Int

  func frame(isReverse: Bool = false) -> CapturedFrame {
    let imageWidth = width * 3 / 2
    let imageHeight = height + (frames - 1) * speed
    var pixels = [UInt8](repeating: 0, count: imageWidth * imageHeight)
    for frame in 0..<frames {
      let top = isReverse ? (frames - 1 - frame) * speed : frame * speed
      let gray = ElanGray.threeRanges.mapped(skin(at: isReverse ? -frame * speed : frame * speed))
      for y in 0..<height {
        for x in 0..<width {
          pixels[(top + y) * imageWidth + (imageWidth - width) / 2 + x] = gray[y * width + x]
        }
      }
    }
    let columns = (imageWidth - width) / 2..<(imageWidth + width) / 2
    let flips = AC_FRAME_FLIP_HORIZONTAL | AC_FRAME_FLIP_VERTICAL
    return CapturedFrame(
      width: imageWidth, height: imageHeight, pixelsPerInch: 500,
      flags: UInt32(isReverse ? AC_FRAME_INVERTED : AC_FRAME_INVERTED | flips), pixels: pixels,
      extents: Array(repeating: columns, count: imageHeight))
  }

  /// Rows of the skin from `first` on; of a sensor with more rows than are used the first are not.
  private func skin(at first: Int) -> [UInt16] {
    (0..<height).flatMap { y in (0..<width).map { x in ElanScene.skin(x: x, y: first + y) } }
  }
}
