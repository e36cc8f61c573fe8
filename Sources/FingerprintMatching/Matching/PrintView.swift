/// One impression made ready for comparing: minutiae with what surrounds them, and ridge flow.
struct PrintView: Sendable {
  /// More minutiae than this are noise; the clearest are kept.
  static let mostMinutiae = 100

  let minutiae: [Minutia]
  let flow: RidgeFlow
  let descriptors: [MinutiaDescriptor]

  init(minutiae: [Minutia], flow: RidgeFlow) {
    let kept = Array(minutiae.sorted { $0.quality > $1.quality }.prefix(Self.mostMinutiae))
    self.minutiae = kept
    self.flow = flow
    descriptors = kept.indices.map { MinutiaDescriptor(of: $0, among: kept, flow: flow) }
  }
}
