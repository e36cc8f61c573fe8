/// The patch of skin that a synthetic finger has, in pixels at 500 ppi, and the coarser grid on
/// which its ridges are grown.
enum FingerCanvas {
  static let width = 352
  static let height = 480

  /// Pixels for each point of the coarse grid. A ridge and its valley still span four points there.
  static let coarseStep = 2
  static let coarseWidth = width / coarseStep
  static let coarseHeight = height / coarseStep

  /// A point of the canvas as seen from its middle: x to the right, y up, in pixels.
  static func centered(coarseX x: Int, coarseY y: Int) -> (x: Double, y: Double) {
    (Double(x * coarseStep - width / 2), Double(height / 2 - y * coarseStep))
  }
}
