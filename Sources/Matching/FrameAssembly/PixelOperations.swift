/// Subtracts the picture of the empty sensor.
public enum BackgroundSubtraction {
  /// `pixels` minus `background`, 0 where the background is brighter.
  ///
  /// - Throws: ``AssemblyError/pixelCount(expected:found:)`` unless both are equally long.
  public static func image(_ pixels: [UInt16], without background: [UInt16])
    throws(AssemblyError) -> [UInt16]
  {
    guard pixels.count == background.count else {
      throw .pixelCount(expected: pixels.count, found: background.count)
    }
    return zip(pixels, background).map { $0 > $1 ? $0 - $1 : 0 }
  }
}

/// Makes 8-bit pixels of wider ones.
public enum GrayStretch {
  /// Stretches from the darkest pixel, which becomes 0, to the brightest, which becomes 255,
  /// rounding down. Equal pixels all become 0.
  public static func image(_ pixels: [UInt16]) -> [UInt8] {
    guard let darkest = pixels.min(), let brightest = pixels.max(), darkest < brightest else {
      return Array(repeating: 0, count: pixels.count)
    }
    let range = UInt32(brightest - darkest)
    return pixels.map { UInt8(UInt32($0 - darkest) * 255 / range) }
  }
}

/// Figures that drivers judge pixels by.
public enum PixelMeasures {
  /// The mean square of the distance from the mean, both rounded down; 0 for no pixels.
  public static func variance(_ pixels: [UInt8]) -> Int {
    guard !pixels.isEmpty else { return 0 }
    let mean = pixels.reduce(0) { $0 + Int($1) } / pixels.count
    return pixels.reduce(0) { $0 + (Int($1) - mean) * (Int($1) - mean) } / pixels.count
  }

  /// The mean square of the difference, rounded down; 0 for no pixels.
  ///
  /// - Throws: ``AssemblyError/pixelCount(expected:found:)`` unless both are equally long.
  public static func meanSquaredDifference(_ pixels: [UInt8], _ others: [UInt8])
    throws(AssemblyError) -> Int
  {
    guard pixels.count == others.count else {
      throw .pixelCount(expected: pixels.count, found: others.count)
    }
    guard !pixels.isEmpty else { return 0 }
    let sum = zip(pixels, others).reduce(0) { sum, pair in
      let difference = Int(pair.0) - Int(pair.1)
      return sum + difference * difference
    }
    return sum / pixels.count
  }

  /// How often each of the 256 values occurs.
  public static func histogram(_ pixels: [UInt8]) -> [Int] {
    var counts = [Int](repeating: 0, count: 256)
    for pixel in pixels { counts[Int(pixel)] += 1 }
    return counts
  }
}

/// Resizes a picture by the mean of the box of pixels that falls onto each pixel of the result.
public enum BoxResizing {
  /// The picture in another size. Pixel x of the result is the mean, rounded to the nearest, of the
  /// columns from floor(x · width / newWidth) to floor((x + 1) · width / newWidth), at least one;
  /// likewise for rows.
  ///
  /// - Throws: ``AssemblyError`` unless all sides are 1...``AssemblyLimits/side``.
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

/// Enlarges a picture by bilinear interpolation, in the arithmetic of the pixman library for 8-bit
/// pixels without repeat: 16.16 fixed point, weights of 7 bits, and 0 outside of the picture, so
/// its border gets darker.
public enum Enlarging {
  /// The picture, larger by `factor`, 1...``AssemblyLimits/factor``.
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
