/// A plane with a margin repeated from its edge, filtered eight pixels of a row at a time.
///
/// The one place of the matcher with pointers: filtering is most of its time, and eight samples
/// are loaded at once here. Every load is inside the margin, which `init` sizes and `answers`
/// checks.
struct PaddedRows: Sendable {
  private let reach: Int
  private let width: Int
  private let height: Int
  private let samples: [Float]

  /// - Parameters:
  ///   - plane: The samples.
  ///   - reach: Width of the margin on each side.
  ///   - step: Rows are prolonged so that the width is a multiple of it.
  init(_ plane: Plane, reach: Int, paddedTo step: Int) {
    self.reach = reach
    width = (plane.width + step - 1) / step * step + 2 * reach
    height = plane.height + 2 * reach
    var samples = [Float](repeating: 0, count: width * height)
    for y in 0..<height {
      for x in 0..<width { samples[y * width + x] = plane.clamped(x - reach, y - reach) }
    }
    self.samples = samples
  }

  /// The answers of two square kernels at the eight pixels of row `y` from `x` on.
  func answers(
    at x: Int, _ y: Int, kernels: ([Float], [Float]), side: Int
  ) -> (SIMD8<Float>, SIMD8<Float>) {
    precondition(x >= 0 && y >= 0 && side == 2 * reach + 1)
    precondition(x + side - 1 + 8 <= width && y + side <= height)
    precondition(kernels.0.count == side * side && kernels.1.count == side * side)
    var first = SIMD8<Float>.zero
    var second = SIMD8<Float>.zero
    // The preconditions keep every index below inside the three buffers.
    unsafe samples.withUnsafeBufferPointer { samples in
      unsafe kernels.0.withUnsafeBufferPointer { cosine in
        unsafe kernels.1.withUnsafeBufferPointer { sine in
          guard let base = unsafe UnsafeRawPointer(samples.baseAddress) else { return }
          var kernel = 0
          for row in y..<y + side {
            for column in x..<x + side {
              let offset = (row * width + column) &* MemoryLayout<Float>.stride
              let eight = unsafe base.loadUnaligned(
                fromByteOffset: offset, as: SIMD8<Float>.self)
              unsafe first += cosine[kernel] * eight
              unsafe second += sine[kernel] * eight
              kernel &+= 1
            }
          }
        }
      }
    }
    return (first, second)
  }
}
