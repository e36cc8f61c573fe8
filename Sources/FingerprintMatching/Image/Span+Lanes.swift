/// Vectors of neighbouring samples, read and written at any index.
///
/// The one place of image processing with unsafe code: the standard library moves a vector to and
/// from a span at an unaligned place only through raw bytes. Each index is checked first; where
/// the span is a window of a size known at compile time, the optimiser removes the check.
extension Span where Element == Float {
  /// The four samples from `index` on.
  @inline(__always)
  func four(at index: Int) -> SIMD4<Float> {
    precondition(index >= 0 && index &+ 4 <= count)
    // Inside the span, as just checked; every pattern of bits is a vector of floats.
    return unsafe bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: index &* MemoryLayout<Float>.stride, as: SIMD4<Float>.self)
  }

  /// The eight samples from `index` on.
  @inline(__always)
  func eight(at index: Int) -> SIMD8<Float> {
    SIMD8(lowHalf: four(at: index), highHalf: four(at: index &+ 4))
  }
}

extension Span where Element == UInt8 {
  /// The eight grey levels from `index` on.
  @inline(__always)
  func eightLevels(at index: Int) -> SIMD8<UInt8> {
    precondition(index >= 0 && index &+ 8 <= count)
    // Inside the span, as just checked; every pattern of bits is a vector of bytes.
    return unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: SIMD8<UInt8>.self)
  }
}

extension Span {
  /// The `length` elements from `start` on, which can then be read without further checks.
  @inline(__always)
  @_lifetime(copy self)
  func window(from start: Int, length: Int) -> Span<Element> {
    precondition(start >= 0 && start &+ length <= count)
    // Inside the span, as just checked.
    return unsafe extracting(unchecked: Range(uncheckedBounds: (start, start &+ length)))
  }
}

extension MutableSpan where Element == Float {
  /// Writes four samples from `index` on.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func setFour(_ samples: SIMD4<Float>, at index: Int) {
    precondition(index >= 0 && index &+ 4 <= count)
    // Inside the span, as just checked; every pattern of bits is four floats.
    var raw = unsafe mutableBytes
    raw.storeBytes(
      of: samples, toByteOffset: index &* MemoryLayout<Float>.stride, as: SIMD4<Float>.self)
  }

  /// Writes eight samples from `index` on.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func setEight(_ samples: SIMD8<Float>, at index: Int) {
    setFour(samples.lowHalf, at: index)
    setFour(samples.highHalf, at: index &+ 4)
  }
}

extension Span where Element == SIMD4<Float> {
  /// The sum of `kernel` times the elements from `index` on that are `step` apart.
  @inline(__always)
  func weighed(by kernel: Span<SIMD4<Float>>, from index: Int, step: Int) -> SIMD4<Float> {
    precondition(index >= 0 && step > 0 && index + (kernel.count - 1) * step < count)
    var sum = SIMD4<Float>.zero
    var at = index
    for k in kernel.indices {
      // At most the last index, as checked at the start.
      unsafe sum += kernel[unchecked: k] * self[unchecked: at]
      at &+= step
    }
    return sum
  }
}
