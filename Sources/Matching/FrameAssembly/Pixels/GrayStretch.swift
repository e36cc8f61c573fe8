/// Makes 8-bit pixels of wider ones.
public enum GrayStretch {
  /// Stretches from the darkest pixel, which becomes 0, to the brightest, which becomes 255,
  /// rounding down. Pixels that are all alike become 0.
  public static func image(_ pixels: [UInt16]) -> [UInt8] {
    guard let darkest = pixels.min(), let brightest = pixels.max(), darkest < brightest else {
      return Array(repeating: 0, count: pixels.count)
    }
    let range = UInt32(brightest - darkest)
    return pixels.map { UInt8(UInt32($0 - darkest) * 255 / range) }
  }
}
