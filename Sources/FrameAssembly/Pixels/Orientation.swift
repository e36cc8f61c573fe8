/// How an image has to be turned to lie upright, ridges dark: the bits of `ac_frame.flags`.
package struct Orientation: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Ridges are bright.
  package static let inverted = Orientation(rawValue: 1 << 0)
  /// Mirrored left to right.
  package static let flippedHorizontally = Orientation(rawValue: 1 << 1)
  /// Upside down.
  package static let flippedVertically = Orientation(rawValue: 1 << 2)

  /// Turns an image of rows of `width` pixels upright: left to right, then upside down, then inverted.
  ///
  /// - Throws: ``AssemblyError`` when the pixels are no whole rows.
  package func applied(to pixels: [UInt8], width: Int) throws(AssemblyError) -> [UInt8] {
    try AssemblyError.check("width of the image", width, in: 1...AssemblyLimits.side)
    guard pixels.count.isMultiple(of: width) else {
      throw .pixelCount(expected: pixels.count / width * width, found: pixels.count)
    }
    var result: [UInt8] = []
    result.reserveCapacity(pixels.count)
    let rows = pixels.count / width
    for row in 0..<rows {
      let start = (contains(.flippedVertically) ? rows - 1 - row : row) * width
      let line = pixels[start..<start + width]
      if contains(.flippedHorizontally) {
        result.append(contentsOf: line.reversed())
      } else {
        result.append(contentsOf: line)
      }
    }
    if contains(.inverted) {
      for index in result.indices { result[index] = 255 - result[index] }
    }
    return result
  }
}
