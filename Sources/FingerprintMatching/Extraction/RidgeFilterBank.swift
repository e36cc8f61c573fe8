internal import Glibc

/// Gabor filters for every orientation and period of ridges.
///
/// Each is a pair, even (cosine, no answer to a constant) and odd (sine), scaled so that a cosine
/// of amplitude 1 at the filter's own orientation and period gets an answer of length 1 (Hong, Wan
/// and Jain 1998, section 2.5; the pair as in Daugman 1985).
struct RidgeFilterBank: Sendable {
  /// The filters reach this many pixels from their middle.
  static let reach = 7
  static let side = 2 * reach + 1
  /// Filters for half a turn; neighbours are 5.6 degrees apart.
  static let orientations = 32
  /// Periods rise by this factor from filter to filter.
  static let periodStep: Float = 1.15
  static let periods = 10
  /// Width of the Gaussian envelope, in pixels.
  static let sigma: Float = 3.6

  /// The one bank: about 740 kB, made at first use.
  static let shared = RidgeFilterBank()

  private let even: [[Float]]
  private let odd: [[Float]]

  private init() {
    var even: [[Float]] = []
    var odd: [[Float]] = []
    for orientation in 0..<Self.orientations {
      let angle = Float(orientation) * .pi / Float(Self.orientations)
      // Across the ridges.
      let (nx, ny) = (-sinf(angle), cosf(angle))
      for index in 0..<Self.periods {
        let period = RidgeWave.periods.lowerBound * powf(Self.periodStep, Float(index))
        let (cosine, sine) = Self.pair(nx: nx, ny: ny, period: period)
        even.append(cosine)
        odd.append(sine)
      }
    }
    self.even = even
    self.odd = odd
  }

  private static func pair(nx: Float, ny: Float, period: Float) -> ([Float], [Float]) {
    var envelope: [Float] = []
    var cosine: [Float] = []
    var sine: [Float] = []
    for y in -reach...reach {
      for x in -reach...reach {
        let weight = expf(-Float(x * x + y * y) / (2 * sigma * sigma))
        let phase = 2 * .pi * (Float(x) * nx + Float(y) * ny) / period
        envelope.append(weight)
        cosine.append(weight * cosf(phase))
        sine.append(weight * sinf(phase))
      }
    }
    let offset = cosine.reduce(0, +) / envelope.reduce(0, +)
    for k in cosine.indices { cosine[k] -= offset * envelope[k] }
    let scale = 2 / envelope.reduce(0, +)
    return (cosine.map { $0 * scale }, sine.map { $0 * scale })
  }

  /// The number of the filter for ridges of an orientation (radians) and a period (pixels).
  func index(orientation: Float, period: Float) -> Int {
    let angle = Int((orientation / .pi * Float(Self.orientations)).rounded()) % Self.orientations
    let step = (logf(period / RidgeWave.periods.lowerBound) / logf(Self.periodStep)).rounded()
    return max(angle, 0) * Self.periods + min(max(Int(step), 0), Self.periods - 1)
  }

  /// The orientation of a filter, radians in 0..<π.
  static func orientation(of index: Int) -> Float {
    Float(index / periods) * .pi / Float(orientations)
  }

  /// The kernels of a filter, row-major, ``side`` by ``side``.
  func kernels(_ index: Int) -> (even: [Float], odd: [Float]) {
    (even[index], odd[index])
  }
}
