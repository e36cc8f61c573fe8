/// Vectors of neighboring samples, read and written at any index.
///
/// The only unsafe code of image processing: the standard library moves a vector to and from a span
/// at an unaligned place only through raw bytes. Each index is checked first; the optimizer removes
/// the check if the span is a window of a size known at compile time.
extension Span where Element: SIMDScalar & BitwiseCopyable {
  @inline(__always)
  fileprivate func vector<Lanes: SIMD & BitwiseCopyable>(at index: Int) -> Lanes
  where Lanes.Scalar == Element {
    precondition(index >= 0 && index <= count - Lanes.scalarCount)
    // Inside the span, as just checked; every pattern of bits is a vector of such numbers.
    return unsafe bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: index &* MemoryLayout<Element>.stride, as: Lanes.self)
  }
}

extension MutableSpan where Element: SIMDScalar & BitwiseCopyable {
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func set<Lanes: SIMD & BitwiseCopyable>(_ lanes: Lanes, at index: Int)
  where Lanes.Scalar == Element {
    precondition(index >= 0 && index <= count - Lanes.scalarCount)
    var raw = unsafe mutableBytes
    // Inside the span, as just checked; every pattern of bits is such numbers.
    unsafe raw.storeBytes(
      of: lanes, toUncheckedByteOffset: index &* MemoryLayout<Element>.stride, as: Lanes.self)
  }
}

extension Span where Element == Float {
  @inline(__always)
  func four(at index: Int) -> SIMD4<Float> { vector(at: index) }

  @inline(__always)
  func eight(at index: Int) -> SIMD8<Float> {
    let window = window(from: index, length: 8)
    return SIMD8(lowHalf: window.four(at: 0), highHalf: window.four(at: 4))
  }
}

extension Span where Element == UInt8 {
  @inline(__always)
  func eightLevels(at index: Int) -> SIMD8<UInt8> { vector(at: index) }

  @inline(__always)
  func sixteenLevels(at index: Int) -> SIMD16<UInt8> { vector(at: index) }
}

extension SIMD16<UInt8> {
  /// The greater of each two lanes; lane by lane because the instruction has no name in Swift.
  @inline(__always)
  func greater(_ other: Self) -> Self {
    var result = self
    for lane in 0..<16 { result[lane] = Swift.max(self[lane], other[lane]) }
    return result
  }
}

extension Span {
  /// The `length` elements from `start` on, which can then be read without further checks.
  @inline(__always)
  @_lifetime(copy self)
  func window(from start: Int, length: Int) -> Span<Element> {
    precondition(start >= 0 && length >= 0 && start <= count - length)
    // Inside the span, as just checked.
    return unsafe extracting(unchecked: Range(uncheckedBounds: (start, start &+ length)))
  }
}

extension MutableSpan where Element == SIMD4<Float> {
  /// Fills `range` with sums of `kernel` times elements of `source` that are `step` apart; the
  /// first sum starts at the first element, the next at the next.
  @_lifetime(self: copy self)
  mutating func fill(
    _ range: Range<Int>, weighing source: Span<SIMD4<Float>>, step: Int,
    by kernel: Span<SIMD4<Float>>
  ) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count && step > 0)
    precondition(range.count + (kernel.count - 1) * step <= source.count)
    for index in 0..<range.count {
      var sum = SIMD4<Float>.zero
      var at = index
      for k in kernel.indices {
        // At most the last index of the source, as checked at the start.
        unsafe sum += kernel[unchecked: k] * source[unchecked: at]
        at &+= step
      }
      // Inside the range, which is inside the span.
      unsafe self[unchecked: range.lowerBound &+ index] = sum
    }
  }
}
