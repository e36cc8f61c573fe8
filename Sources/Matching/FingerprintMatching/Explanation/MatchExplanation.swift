/// What a comparison of two images rests on, for people to look at.
package struct MatchExplanation: Sendable {
  /// A figure that the score is made of, and its meaning in one line.
  package struct Part: Hashable, Sendable {
    package let name: String
    package let value: Double
    package let meaning: String
  }

  package let probe: PrintExplanation
  package let gallery: PrintExplanation
  /// Where the probe lies on the gallery print, or nil if nothing was alike enough to try.
  package let alignment: PrintAlignment?
  /// How the probe's ridges lie on those of the gallery print, or nil if their place is unknown.
  package let ridges: RidgeAlignment?
  /// The score of the probe against a finger enrolled from the gallery image alone.
  package let score: Double

  /// Compares two images as the product does.
  package init(probe: FingerprintImage, gallery: FingerprintImage) {
    let (a, b) = (PrintExplanation(probe), PrintExplanation(gallery))
    alignment = PrintAlignment(probe: a.features, gallery: b.features, cells: b.clarity)
    ridges = RidgeAlignment(probe: a.features, gallery: b.features)
    var enrollment = Enrollment()
    _ = enrollment.add(b.features)
    let finger = enrollment.template()
    score =
      finger.map { PrintMatcher().score(probe: a.features, against: $0) }
      ?? PrintMatcher.lowestScore
    self.probe = a
    self.gallery = b
  }
}

/// Every step from an image to its features, for people to look at. As secret as the print.
///
/// Pixels are those of the working image, 1/500 inch; cells are squares of ``cellSide`` pixels.
package struct PrintExplanation: Sendable {
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
  /// The response of the filters tuned to each cell: the ridges, about -1.5...1.5, positive on a
  /// ridge.
  package let even: SampleField
  /// The same, a quarter of a period further. The phase is the angle of (even, odd).
  package let odd: SampleField
  package let features: PrintFeatures

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

/// A rectangle of numbers, one for each pixel or cell, row-major.
package struct SampleField: Hashable, Sendable {
  package let width: Int
  package let height: Int
  package let samples: [Float]

  package init(width: Int, height: Int, samples: [Float]) {
    precondition(samples.count == width * height, "\(samples.count) samples for \(width)x\(height)")
    (self.width, self.height, self.samples) = (width, height, samples)
  }

  init(_ plane: Plane) {
    self.init(width: plane.width, height: plane.height, samples: plane.samples)
  }

  init(_ samples: [Float], of grid: CellGrid) {
    self.init(width: grid.columns, height: grid.rows, samples: samples)
  }

  package subscript(x: Int, y: Int) -> Float { samples[y * width + x] }

  /// The bilinear interpolation at a place, or 0 outside the middles of the samples. The first
  /// sample's middle is at (0.5, 0.5).
  package func value(at x: Float, _ y: Float) -> Float {
    let (left, top) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
    guard left >= 0, top >= 0, left < Float(width - 1), top < Float(height - 1) else { return 0 }
    let (u, v) = (x - 0.5 - left, y - 0.5 - top)
    let at = Int(top) * width + Int(left)
    let above = samples[at] * (1 - u) + samples[at + 1] * u
    let below = samples[at + width] * (1 - u) + samples[at + width + 1] * u
    return above * (1 - v) + below * v
  }
}
