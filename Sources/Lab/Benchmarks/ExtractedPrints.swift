import FingerprintMatching

/// Extracts the images of a folder, and notes how long it took and which show no ridges.
struct ExtractedPrints {
  private let folder: String
  private let pixelsPerInch: Int
  private let extractor = FeatureExtractor()

  /// The images that were extracted, and those of them without ridges.
  private(set) var names: Set<String> = []
  private(set) var failed: Set<String> = []
  /// How long each extraction took.
  private(set) var milliseconds: [Double] = []

  init(folder: String, pixelsPerInch: Int) {
    (self.folder, self.pixelsPerInch) = (folder, pixelsPerInch)
  }

  /// What an image shows; nothing of it is kept.
  ///
  /// - Throws: ``BenchmarkFailure`` for an image that cannot be read.
  mutating func features(of name: String) throws(BenchmarkFailure) -> PrintFeatures {
    let image = try BenchmarkFile("\(folder)/\(name)").fingerprint(pixelsPerInch: pixelsPerInch)
    let clock = ContinuousClock()
    let start = clock.now
    let features = extractor.features(of: image)
    milliseconds.append((clock.now - start) / .milliseconds(1))
    names.insert(name)
    if !features.hasRidges { failed.insert(name) }
    return features
  }
}
