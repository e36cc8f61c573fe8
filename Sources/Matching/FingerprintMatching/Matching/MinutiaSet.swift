/// Some of a print's minutiae, by their numbers: at most ``PrintView/mostMinutiae``.
struct MinutiaSet: Hashable, Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  @inline(__always)
  func contains(_ index: Int) -> Bool {
    (index < 64 ? low : high) >> UInt64(index & 63) & 1 != 0
  }

  @inline(__always)
  mutating func insert(_ index: Int) {
    let bit = UInt64(1) << UInt64(index & 63)
    if index < 64 { low |= bit } else { high |= bit }
  }

  @inline(__always)
  func subtracting(_ other: MinutiaSet) -> MinutiaSet {
    var rest = self
    rest.low &= ~other.low
    rest.high &= ~other.high
    return rest
  }

  /// Takes out the one with the lowest number; nil where there is none.
  @inline(__always)
  mutating func removeFirst() -> Int? {
    if low != 0 {
      defer { low &= low &- 1 }
      return low.trailingZeroBitCount
    }
    guard high != 0 else { return nil }
    defer { high &= high &- 1 }
    return 64 &+ high.trailingZeroBitCount
  }
}
