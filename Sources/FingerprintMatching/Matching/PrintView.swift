internal import Glibc

/// A touch, or joined touches, made ready for comparing.
struct PrintView: Sendable {
  /// More minutiae than this are noise; the clearest are kept.
  static let mostMinutiae = 100

  let minutiae: [Minutia]
  /// The minutiae as comparing needs them.
  let points: [OrientedPoint]
  let flow: RidgeFlow
  /// Where the ridges lie; nil where only minutiae and flow are compared.
  let sheet: RidgeSheet?
  let descriptors: [MinutiaDescriptor]

  init(minutiae: [Minutia], flow: RidgeFlow, sheet: RidgeSheet?) {
    self.sheet = sheet
    let kept = Array(minutiae.sorted { $0.quality > $1.quality }.prefix(Self.mostMinutiae))
    self.minutiae = kept
    self.flow = flow
    points = kept.map {
      OrientedPoint(
        place: SIMD2($0.x, $0.y), direction: SIMD2(cosf($0.direction), sinf($0.direction)))
    }
    descriptors = kept.indices.map { MinutiaDescriptor(of: $0, among: kept, flow: flow) }
  }

  /// The same without where the ridges lie.
  var withoutSheet: PrintView { PrintView(self, sheet: nil) }

  private init(_ view: PrintView, sheet: RidgeSheet?) {
    minutiae = view.minutiae
    points = view.points
    flow = view.flow
    descriptors = view.descriptors
    self.sheet = sheet
  }
}
