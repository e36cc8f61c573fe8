/// Resizes a picture by the mean of the box of pixels that falls onto each pixel of the result.
public enum BoxResizing {
  /// The picture in another size. Pixel x of the result is the mean, rounded to the nearest, of the
  /// columns from floor(x · width / newWidth) up to floor((x + 1) · width / newWidth), and of one
  /// at least; likewise for rows.
  ///
  /// - Throws: ``AssemblyError`` when a side is not 1...``AssemblyLimits/side``.
  public static func image(
    _ pixels: [UInt8], width: Int, height: Int, newWidth: Int, newHeight: Int
  ) throws(AssemblyError) -> [UInt8] {
    let sides = 1...AssemblyLimits.side
    try AssemblyError.check("width of the image", width, in: sides)
    try AssemblyError.check("height of the image", height, in: sides)
    try AssemblyError.check("width of the result", newWidth, in: sides)
    try AssemblyError.check("height of the result", newHeight, in: sides)
    guard pixels.count == width * height else {
      throw .pixelCount(expected: width * height, found: pixels.count)
    }
    let columns = boxes(from: width, to: newWidth)
    var result: [UInt8] = []
    result.reserveCapacity(newWidth * newHeight)
    for rows in boxes(from: height, to: newHeight) {
      for box in columns {
        var sum = 0
        for y in rows {
          for x in box { sum += Int(pixels[y * width + x]) }
        }
        let count = rows.count * box.count
        result.append(UInt8((sum + count / 2) / count))
      }
    }
    return result
  }

  private static func boxes(from size: Int, to newSize: Int) -> [Range<Int>] {
    (0..<newSize).map { index in
      let start = index * size / newSize
      return start..<max(start + 1, (index + 1) * size / newSize)
    }
  }
}
