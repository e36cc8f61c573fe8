/// Turns the 14 bits of the pixels of a frame into 8.
package enum ElanGray: Sendable {
  /// From the darkest to the brightest pixel in proportion.
  case linear
  /// The darkest 30 % of the pixels take 99 gray values, the next 35 % 56, and the brightest 35 %
  /// the rest, each in proportion: skin that presses lightly keeps its contrast.
  case threeRanges

  package func mapped(_ pixels: [UInt16]) -> [UInt8] {
    guard let darkest = pixels.min(), let brightest = pixels.max() else { return [] }
    switch self {
    case .linear:
      return pixels.map { Self.scaled($0, darkest, brightest, onto: 0, 255) }
    case .threeRanges:
      let sorted = pixels.sorted()
      let low = sorted[sorted.count * 3 / 10]
      let high = sorted[sorted.count * 65 / 100]
      return pixels.map { pixel in
        if pixel < low {
          Self.scaled(pixel, darkest, low, onto: 0, 99)
        } else if pixel < high {
          Self.scaled(pixel, low, high, onto: 99, 56)
        } else {
          // Where all of the bright ones are alike they are as bright as can be.
          high == brightest ? 255 : Self.scaled(pixel, high, brightest, onto: 155, 100)
        }
      }
    }
  }

  /// Where `pixel` lies in `first...last`, as a part of `range` above `start`, rounded down.
  private static func scaled(
    _ pixel: UInt16, _ first: UInt16, _ last: UInt16, onto start: Int, _ range: Int
  ) -> UInt8 {
    guard last > first else { return UInt8(start) }
    return UInt8(start + Int(pixel - first) * range / Int(last - first))
  }
}
