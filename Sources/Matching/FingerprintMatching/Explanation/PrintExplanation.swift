/// Every step from an image to what is kept of it, for people to look at.
///
/// Pixels are those of the working image, 1/500 inch; cells are squares of ``cellSide`` pixels. As
/// secret as the print.
package struct PrintExplanation: Sendable {
  /// Pixels on a side of a cell.
  package static let cellSide = CellGrid.side

  /// Gray levels at 500 pixels per inch, 0...255.
  package let working: SampleField
  /// Local mean 0 and variance 1, -2.5...2.5, ridges positive.
  package let normalized: SampleField
  /// Direction along the ridges of each cell, radians in 0..<π from x towards y.
  package let orientation: SampleField
  /// Distance from ridge to ridge in each cell, pixels.
  package let period: SampleField
  /// How much of each cell is a plane wave of one direction, 0...1.
  package let clarity: SampleField
  /// 1 where a cell counts as ridges, else 0.
  package let ridgeMask: SampleField
  /// What the filters tuned to each cell answer: the ridges, about -1.5...1.5, positive on a ridge.
  package let even: SampleField
  /// The same a quarter of a period further; the phase is the angle of (even, odd).
  package let odd: SampleField
  /// What is kept of the image.
  package let features: PrintFeatures

  /// Takes the steps of ``FeatureExtractor``.
  ///
  /// - Parameter image: Any image.
  package init(_ image: FingerprintImage) {
    let stages = ExtractionStages(image)
    let grid = stages.map.grid
    working = SampleField(stages.working)
    normalized = SampleField(stages.normalized.plane)
    orientation = SampleField(stages.wave.orientation, of: grid)
    period = SampleField(stages.wave.period, of: grid)
    clarity = SampleField(stages.map.clarity, of: grid)
    ridgeMask = SampleField(stages.map.isRidges.map { $0 ? 1 : 0 }, of: grid)
    let (width, height) = (stages.response.width, stages.response.height)
    even = SampleField(width: width, height: height, samples: stages.response.even)
    odd = SampleField(width: width, height: height, samples: stages.response.odd)
    features = stages.features
  }
}
