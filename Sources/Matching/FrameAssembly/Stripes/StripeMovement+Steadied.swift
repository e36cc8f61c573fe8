extension StripeMovement {
  /// The movement once more, in its direction, with two rules of our own.
  ///
  /// A stripe that lies less than 2 rows from the last one kept is left out, so a finger that
  /// stands does not stretch the image. A stripe that fits nowhere moves by the median of those
  /// that do.
  func steadied(for stripes: StripeSeries) -> StripeMovement {
    let sign = isReverse ? -1 : 1
    let contrast = stripes.contrast
    var result = self
    result.isLeftOut = Array(repeating: false, count: stripes.count)
    var isUnusable = Array(repeating: false, count: stripes.count)
    var kept = 0
    for index in 1..<max(stripes.count, 1) {
      let (first, second) = sign > 0 ? (index, kept) : (kept, index)
      let best = stripes.bestShift(first, second, rows: 0...stripes.height - 1)
      result.shifts[index] = StripeSeries.Shift(x: sign * best.shift.x, y: sign * best.shift.y)
      result.differences[index - 1] = best.difference
      isUnusable[index] = Self.fitsNowhere(
        Self.relative(best.difference, to: contrast, of: stripes), along: best.shift.y,
        of: stripes.height)
      if best.shift.y < 2 && !isUnusable[index] {
        result.shifts[index] = StripeSeries.Shift(x: 0, y: 0)
        result.isLeftOut[index] = true
      } else {
        kept = index
      }
    }
    let moving = result.shifts.indices.dropFirst().filter {
      !isUnusable[$0] && !result.isLeftOut[$0]
    }
    let steps = moving.map { result.shifts[$0].y }.sorted()
    let median = steps.isEmpty ? 0 : steps[steps.count / 2]
    for index in isUnusable.indices where isUnusable[index] {
      result.shifts[index] = StripeSeries.Shift(x: 0, y: median)
    }
    return result
  }
}
