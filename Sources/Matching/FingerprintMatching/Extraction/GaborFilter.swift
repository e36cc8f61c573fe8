internal import Glibc

/// The Gaussian envelope of the filters, along one axis.
struct GaborEnvelope: Sendable {
  /// Width of the Gaussian, in pixels.
  static let sigma: Float = 3.6
  /// The filters reach this many pixels from their middle.
  static let reach = 7
  /// The filters at half resolution reach this many samples from their middle.
  static let halvedReach = 4

  /// Weights by the distance from the middle; 0 beyond the reach.
  let weights: SIMD8<Float>
  /// The sum of the weights on both sides.
  let total: Float

  /// For the image itself.
  static var full: GaborEnvelope { GaborEnvelope(sigma: sigma, reach: reach) }
  /// For the image at half resolution.
  static var halved: GaborEnvelope { GaborEnvelope(sigma: sigma / 2, reach: halvedReach) }

  private init(sigma: Float, reach: Int) {
    var weights = SIMD8<Float>.zero
    for k in 0...reach { weights[k] = expf(-Float(k * k) / (2 * sigma * sigma)) }
    var total = weights[0]
    for k in 1...reach { total += 2 * weights[k] }
    (self.weights, self.total) = (weights, total)
  }
}

/// A pair of Gabor filters for ridges of one orientation and period.
///
/// The pair is even (cosine, no answer to a constant) and odd (sine), scaled so that a cosine of
/// amplitude 1 at the filter's own orientation and period gets an answer of length 1 (Hong, Wan
/// and Jain 1998, section 2.5; the pair as in Daugman 1985). Taken as one complex kernel with a
/// round envelope, g(x) g(y) exp(i (kx x + ky y)), it is the product of one kernel along x and one
/// along y, so that an answer takes 2 n steps and not n² (Areekul et al., "Separable Gabor filter
/// realization for fast fingerprint enhancement", 2005).
struct GaborFilter {
  /// What the pair answers at four neighboring pixels.
  struct Answers {
    var even: SIMD4<Float>
    var odd: SIMD4<Float>
  }

  /// One kernel along one axis, by the distance from the middle; each value is there four times,
  /// ready to multiply four samples.
  private struct Kernel {
    let cosines: InlineArray<8, SIMD4<Float>>
    let sines: InlineArray<8, SIMD4<Float>>
    /// The even answer to a constant 1.
    let constant: Float

    /// - Parameters:
    ///   - advance: Of the phase from sample to sample, in radians.
    ///   - scale: A factor for all values.
    ///   - envelope: The Gaussian that the wave is multiplied with.
    init(advance: Float, scale: Float, envelope: GaborEnvelope) {
      let (stepCosine, stepSine) = (cosf(advance), sinf(advance))
      var (cosine, sine) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
      (cosine[0], sine[0]) = (scale, 0)
      for k in 1..<8 {
        cosine[k] = cosine[k - 1] * stepCosine - sine[k - 1] * stepSine
        sine[k] = cosine[k - 1] * stepSine + sine[k - 1] * stepCosine
      }
      cosine *= envelope.weights
      sine *= envelope.weights
      constant = 2 * cosine.sum() - cosine[0]
      cosines = InlineArray { SIMD4(repeating: cosine[$0]) }
      sines = InlineArray { SIMD4(repeating: sine[$0]) }
    }
  }

  private let across: Kernel
  private let down: Kernel

  /// What of the even answer is that to a constant: to be taken away, times the blurred image.
  var offset: Float { across.constant * down.constant }

  /// - Parameters:
  ///   - orientation: Along the ridges, radians.
  ///   - period: From ridge to ridge, in samples.
  ///   - envelope: The Gaussian of the samples' resolution.
  init(orientation: Float, period: Float, envelope: GaborEnvelope) {
    let advance = 2 * Float.pi / period
    let scale = 2 / (envelope.total * envelope.total)
    across = Kernel(advance: -advance * sinf(orientation), scale: 1, envelope: envelope)
    down = Kernel(advance: advance * cosf(orientation), scale: scale, envelope: envelope)
  }

  /// Filters rows of four samples along x.
  ///
  /// Samples at the same distance on both sides are added up first, since the cosine is the same
  /// there and the sine the opposite.
  ///
  /// - Parameters:
  ///   - samples: The image.
  ///   - corner: The index of the sample `reach` left of the first row's first one.
  ///   - stride: Samples from one row to the next.
  ///   - reach: That of the envelope; a literal, so that the loop is unrolled.
  /// - Returns: The answers to `count` rows.
  @inline(__always)
  func alongRows<let count: Int>(
    of samples: Span<Float>, from corner: Int, stride: Int, reach: Int
  ) -> InlineArray<count, Answers> {
    let (cosines, sines) = (across.cosines.span, across.sines.span)
    return InlineArray { row in
      let window = samples.window(from: corner &+ row &* stride, length: 2 * reach + 4)
      var even = cosines[0] * window.four(at: reach)
      var odd = SIMD4<Float>.zero
      for k in 1..<reach + 1 {
        let (left, right) = (window.four(at: reach - k), window.four(at: reach + k))
        even += cosines[k] * (right + left)
        odd += sines[k] * (right - left)
      }
      return Answers(even: even, odd: odd)
    }
  }

  /// Filters what ``alongRows(of:from:stride:reach:)`` gave along y, to `count` rows from `reach`
  /// more on each side; ``offset`` is still to be seen to.
  @inline(__always)
  func alongColumns<let within: Int, let count: Int>(
    of rows: InlineArray<within, Answers>, reach: Int
  ) -> InlineArray<count, Answers> {
    precondition(count + 2 * reach <= within)
    let (cosines, sines) = (down.cosines.span, down.sines.span)
    let all = rows.span
    return InlineArray { row in
      let window = all.window(from: row, length: 2 * reach + 1)
      var even = cosines[0] * window[reach].even
      var odd = cosines[0] * window[reach].odd
      for k in 1..<reach + 1 {
        let (above, below) = (window[reach - k], window[reach + k])
        even += cosines[k] * (below.even + above.even) - sines[k] * (below.odd - above.odd)
        odd += cosines[k] * (below.odd + above.odd) + sines[k] * (below.even - above.even)
      }
      return Answers(even: even, odd: odd)
    }
  }
}
