/// The inner loop of ridge growth: one filter laid over one place of a grid.
///
/// The only unsafe code of this module: reading sixteen neighbors as one vector has no
/// bounds-checked form, and with single reads growing a finger takes several times as long.
enum FilterSum {
  /// The sum of `weights` times the grid under them.
  ///
  /// - Precondition: `GaborBank.filterLength` weights follow `weightStart`, and below `gridStart`
  ///   lie `GaborBank.side` rows, `stride` apart, with `GaborBank.rowLength` values each.
  @inline(__always)
  static func sum(
    weights: Span<Float>, weightStart: Int, grid: Span<Float>, gridStart: Int, stride: Int
  ) -> Float {
    precondition(weightStart >= 0 && weightStart + GaborBank.filterLength <= weights.count)
    let gridEnd = gridStart + (GaborBank.side - 1) * stride + GaborBank.rowLength
    precondition(gridStart >= 0 && stride >= 0 && gridEnd <= grid.count)
    // Safe: both preconditions cover every read, and the pointers do not outlive the closures.
    return unsafe weights.withUnsafeBufferPointer { weights in
      unsafe grid.withUnsafeBufferPointer { grid in
        guard let weight = weights.baseAddress, let value = grid.baseAddress else {
          return 0
        }
        var sums = SIMD16<Float>.zero
        for row in 0..<GaborBank.side {
          let weightRow = unsafe UnsafeRawPointer(weight + weightStart + row * GaborBank.rowLength)
          let valueRow = unsafe UnsafeRawPointer(value + gridStart + row * stride)
          sums +=
            unsafe weightRow.loadUnaligned(as: SIMD16<Float>.self)
            * valueRow.loadUnaligned(as: SIMD16<Float>.self)
        }
        return total(of: sums)
      }
    }
  }

  /// Adds in a fixed order, so that every processor rounds alike.
  @inline(__always)
  private static func total(of sums: SIMD16<Float>) -> Float {
    let eight = sums.lowHalf + sums.highHalf
    let four = eight.lowHalf + eight.highHalf
    let two = four.lowHalf + four.highHalf
    return two.x + two.y
  }
}
