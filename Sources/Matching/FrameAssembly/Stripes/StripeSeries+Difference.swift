extension StripeSeries {
  /// How far one stripe lies from another.
  struct Shift: Equatable, Sendable {
    var x: Int
    var y: Int
  }

  /// The difference of two stripes for a shift, scaled to the area of a stripe; nil where they do
  /// not overlap.
  ///
  /// Rows 0... of `first` lie over rows `shift.y`... of `second`; to the right by `shift.x`, 0 <=
  /// `shift.y`.
  func difference(_ first: Int, _ second: Int, _ shift: Shift) -> Int? {
    let columns = width - abs(shift.x)
    let rows = height - shift.y
    guard columns > 0, rows > 0 else { return nil }
    let start = first * area + max(shift.x, 0)
    let otherStart = second * area + shift.y * width + max(-shift.x, 0)
    var sum: UInt64 = 0
    let all = pixels.span
    for row in 0..<rows {
      let line = all.extracting(start + row * width..<start + row * width + columns)
      let other = all.extracting(otherStart + row * width..<otherStart + row * width + columns)
      sum += UInt64(Self.difference(line, other, count: columns))
    }
    // At most 255 · 2²⁴ · 2²⁴. libfprint computes in 32 bits, which wrap around where large stripes
    // differ much, and then takes a bad fit for the best one; where it does not, the result is the
    // same.
    return Int(sum * UInt64(area) / UInt64(columns * rows))
  }

  @inline(__always)
  private static func difference(_ line: Span<UInt8>, _ other: Span<UInt8>, count: Int) -> UInt32 {
    var sum: UInt32 = 0
    for x in 0..<count {
      // Unchecked, or it is not vectorized; both spans were cut to `count` above.
      let step = unsafe Int32(line[unchecked: x]) &- Int32(other[unchecked: x])
      sum &+= step.magnitude
    }
    return sum
  }

  /// The shift with the smallest difference, and that difference. The first of equals wins.
  func bestShift(_ first: Int, _ second: Int, rows: ClosedRange<Int>)
    -> (shift: Shift, difference: Int)
  {
    var best = (shift: Shift(x: 0, y: 0), difference: 255 * area)
    for y in rows {
      for x in -8...7 {
        let shift = Shift(x: x, y: y)
        guard let difference = difference(first, second, shift) else { continue }
        if difference < best.difference {
          best = (Shift(x: -x, y: y), difference)
        }
      }
    }
    return best
  }
}
