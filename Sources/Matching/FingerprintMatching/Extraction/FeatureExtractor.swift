/// Makes features of an image: the ridges as a wave, and the places where that wave has a spiral.
package struct FeatureExtractor: Sendable {
  /// Width of the neighborhood in which gradients are averaged, in cells of 8 pixels.
  static let gradientSigma: Float = 1.5
  /// Width of the neighborhood in which the advance of the phase is averaged, in cells.
  static let phaseSigma: Float = 1

  /// An extractor; it has no state.
  package init() {}

  /// What an image shows of a finger.
  ///
  /// - Parameter image: Any image; one without ridges gives features without ridges.
  /// - Returns: Features in pixels of 1/500 inch.
  /// - Complexity: Linear in the pixels of the image, at most 1024 a side after resampling.
  package func features(of image: FingerprintImage) -> PrintFeatures {
    ExtractionStages(image).features
  }
}
