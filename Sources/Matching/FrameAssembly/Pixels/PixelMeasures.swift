/// Figures that drivers judge pixels by.
public enum PixelMeasures {
  /// The mean square of the distance from the mean, both rounded down; 0 of no pixels.
  public static func variance(_ pixels: [UInt8]) -> Int {
    guard !pixels.isEmpty else { return 0 }
    let mean = pixels.reduce(0) { $0 + Int($1) } / pixels.count
    return pixels.reduce(0) { $0 + (Int($1) - mean) * (Int($1) - mean) } / pixels.count
  }

  /// The mean square of the difference, rounded down; 0 of no pixels.
  ///
  /// - Throws: ``AssemblyError/pixelCount(expected:found:)`` when the two are not equally long.
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
