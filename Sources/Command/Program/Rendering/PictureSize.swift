/// How large a sensor's pictures are, as its driver says it: 0 stands for what varies.
struct PictureSize {
  let width: UInt32
  let height: UInt32
  let pixelsPerInch: UInt32

  /// `96 × 112 px at 500 ppi`, `160 px wide, any height, at 500 ppi`.
  var text: String {
    let isVariable = width == 0 || height == 0
    let size =
      switch (width, height) {
      case (0, 0): "any size"
      case (_, 0): "\(width) px wide, any height"
      case (0, _): "any width, \(height) px high"
      default: "\(width) × \(height) px"
      }
    guard pixelsPerInch > 0 else { return size + ", any resolution" }
    return size + (isVariable ? ", " : " ") + "at \(pixelsPerInch) ppi"
  }
}
