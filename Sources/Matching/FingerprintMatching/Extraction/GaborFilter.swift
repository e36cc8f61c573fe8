internal import Glibc

/// The Gaussian envelope of the filters, along one axis.
struct GaborEnvelope: Sendable {
  /// Width of the Gaussian, in pixels.
  static let sigma: Float = 3.6
  /// Pixels from the middle of the filters to their ends.
  static let reach = 7
  /// The same at half resolution, in samples.
  static let halvedReach = 4

  /// Weights by the distance from the middle; 0 beyond the reach.
  let weights: SIMD8<Float>
  /// The sum of the weights on both sides.
  let total: Float

  static var full: GaborEnvelope { GaborEnvelope(sigma: sigma, reach: reach) }
  static var halved: GaborEnvelope { GaborEnvelope(sigma: sigma / 2, reach: halvedReach) }

  private init(sigma: Float, reach: Int) {
    var weights = SIMD8<Float>.zero
    for k in 0...reach { weights[k] = expf(-Float(k * k) / (2 * sigma * sigma)) }
    var total = weights[0]
    for k in 1...reach { total += 2 * weights[k] }
    (self.weights, self.total) = (weights, total)
  }
}

/// The pair is even (cosine, no response to a constant) and odd (sine), scaled so that a cosine of
/// amplitude 1 at the filter's own orientation and period gets a response of length 1 (Hong, Wan
/// and Jain 1998, section 2.5; the pair as in Daugman 1985). As one complex kernel with a round
/// envelope, g(x) g(y) exp(i (kx x + ky y)), it is the product of a kernel along x and one along y.
/// So a response takes 2 n steps and not n² (Areekul et al., "Separable Gabor filter realization
/// for fast fingerprint enhancement", 2005).
struct GaborFilter {
  /// The response of the pair at four neighboring pixels.
  struct Answers {
    var even: SIMD4<Float>
    var odd: SIMD4<Float>
  }

  /// One kernel along one axis, by the distance from the middle. Each value is there four times,
  /// ready to multiply four samples.
  private struct Kernel {
    let cosines: InlineArray<8, SIMD4<Float>>
    let sines: InlineArray<8, SIMD4<Float>>
    /// The even response to a constant 1.
    let constant: Float

    /// - `advance`: Of the phase from sample to sample, in radians.
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

  /// The part of the even response that a constant 1 causes. The caller subtracts it times the
  /// blurred image.
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

  /// Filters `count` rows of four samples along x.
  ///
  /// Samples at the same distance on both sides are added first, since the cosine is the same there
  /// and the sine the opposite.
  ///
  /// - `corner`: The index of the sample `reach` left of the first row's first one.
  /// - `stride`: Samples from one row to the next.
  /// - `reach`: That of the envelope; a literal, so that the loop is unrolled.
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

  /// Filters the result of ``alongRows(of:from:stride:reach:)`` along y: `count` rows from `reach`
  /// more on each side. Does not subtract ``offset``.
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
