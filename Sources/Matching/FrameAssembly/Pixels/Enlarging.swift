/// Enlarges a picture by bilinear interpolation, in the arithmetic of the pixman library for 8-bit
/// pixels without repeat: 16.16 fixed point, weights of 7 bits, and 0 outside of the picture, so
/// that its border gets darker.
public enum Enlarging {
  /// The `factor` times larger picture; 1...``AssemblyLimits/factor``.
  ///
  /// - Throws: ``AssemblyError`` on sizes out of range; the result's sides too are at most
  ///   ``AssemblyLimits/side``.
  public static func image(_ pixels: [UInt8], width: Int, height: Int, factor: Int)
    throws(AssemblyError) -> [UInt8]
  {
    try AssemblyError.check("factor", factor, in: 1...AssemblyLimits.factor)
    try AssemblyError.check("width of the image", width, in: 1...AssemblyLimits.side / factor)
    try AssemblyError.check("height of the image", height, in: 1...AssemblyLimits.side / factor)
    guard pixels.count == width * height else {
      throw .pixelCount(expected: width * height, found: pixels.count)
    }
    let columns = (0..<width * factor).map { Sample($0, factor: factor) }
    let rows = (0..<height * factor).map { Sample($0, factor: factor) }
    func pixel(_ x: Int, _ y: Int) -> UInt32 {
      0..<width ~= x && 0..<height ~= y ? UInt32(pixels[y * width + x]) : 0
    }
    var result: [UInt8] = []
    result.reserveCapacity(columns.count * rows.count)
    for row in rows {
      for column in columns {
        let (x, y) = (column.index, row.index)
        let upper = pixel(x, y) * (256 - column.weight) + pixel(x + 1, y) * column.weight
        let lower = pixel(x, y + 1) * (256 - column.weight) + pixel(x + 1, y + 1) * column.weight
        result.append(UInt8((upper * (256 - row.weight) + lower * row.weight) >> 16))
      }
    }
    return result
  }

  /// Where a pixel of the result lies in the source: after pixel `index` (from -1), by `weight` of
  /// 256.
  private struct Sample {
    let index: Int
    let weight: UInt32

    init(_ pixel: Int, factor: Int) {
      let step = 65_536 / factor
      let first = ((32_768 * step + 32_768) >> 16) - 32_768
      let position = first + pixel * step
      index = position >> 16
      weight = UInt32((position >> 9) & 127) * 2
    }
  }
}
