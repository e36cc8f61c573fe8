internal import Glibc

/// A touch, or joined touches, made ready for comparing.
struct PrintView: Sendable {
  /// More minutiae than this are noise; the clearest are kept.
  static let mostMinutiae = 100

  let minutiae: [Minutia]
  /// The minutiae as comparing needs them.
  let points: [OrientedPoint]
  /// The distance of the ridges around each minutia, in pixels; 0 where it is not known.
  let periods: [Float]
  let flow: OrientationField
  /// Where the ridges lie; nil where only minutiae and flow are compared.
  let sheet: PhaseField?
  /// What surrounds each minutia: the flow, and other minutiae.
  let signatures: [FlowSignature]
  let cylinders: [MinutiaCylinder]
  /// The minutiae's places, four by four and by where they are.
  let places: [OpenMinutiae.Places]
  let minutiaPlaces: MinutiaPlaces

  init(minutiae: [Minutia], flow: OrientationField, sheet: PhaseField?) {
    self.sheet = sheet
    let kept = Array(minutiae.sorted { $0.quality > $1.quality }.prefix(Self.mostMinutiae))
    self.minutiae = kept
    self.flow = flow
    points = kept.map {
      OrientedPoint(
        place: SIMD2($0.x, $0.y), direction: SIMD2(cosf($0.direction), sinf($0.direction)))
    }
    periods = kept.map(\.period)
    signatures = kept.map { FlowSignature(of: $0, in: flow) }
    cylinders = kept.indices.map { MinutiaCylinder(of: $0, among: kept, flow: flow) }
    places = OpenMinutiae.places(of: points)
    minutiaPlaces = MinutiaPlaces(points)
  }

  /// How alike the surroundings of a minutia and of one of another print are, 0...1.
  func similarity(of index: Int, to other: Int, in gallery: PrintView) -> Float {
    Self.similarity(
      flow: signatures[index].similarity(to: gallery.signatures[other]),
      minutiae: cylinders[index].similarity(to: gallery.cylinders[other]))
  }

  /// How alike surroundings are, from how alike the flow and the minutiae around are.
  @inline(__always)
  static func similarity(flow: Float, minutiae: Float) -> Float {
    flow * (0.35 + 0.65 * minutiae)
  }

  /// The same without where the ridges lie.
  var withoutSheet: PrintView { PrintView(self, sheet: nil) }

  private init(_ view: PrintView, sheet: PhaseField?) {
    minutiae = view.minutiae
    points = view.points
    periods = view.periods
    flow = view.flow
    signatures = view.signatures
    cylinders = view.cylinders
    places = view.places
    minutiaPlaces = view.minutiaPlaces
    self.sheet = sheet
  }
}
