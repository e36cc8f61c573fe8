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
