internal import Glibc

/// One impression made ready for comparing: minutiae with what surrounds them, and ridge flow.
struct PrintView: Sendable {
  /// More minutiae than this are noise; the clearest are kept.
  static let mostMinutiae = 100

  let minutiae: [Minutia]
  /// The minutiae as comparing needs them.
  let points: [OrientedPoint]
  let flow: RidgeFlow
  let descriptors: [MinutiaDescriptor]

  init(minutiae: [Minutia], flow: RidgeFlow) {
    let kept = Array(minutiae.sorted { $0.quality > $1.quality }.prefix(Self.mostMinutiae))
    self.minutiae = kept
    self.flow = flow
    points = kept.map {
      OrientedPoint(
        place: SIMD2($0.x, $0.y), direction: SIMD2(cosf($0.direction), sinf($0.direction)))
    }
    descriptors = kept.indices.map { MinutiaDescriptor(of: $0, among: kept, flow: flow) }
  }
}
