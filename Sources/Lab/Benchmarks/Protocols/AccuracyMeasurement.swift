/// The scores of all protocols on some sets of prints.
struct AccuracyMeasurement: Sendable {
  let sets: [ImageSet]
  /// Each print against each before it in its set.
  let singlePrints: ScoredComparisons
  /// Probes against fingers enrolled from five prints, across the sets too.
  let enrolledFingers: ScoredComparisons
  /// The same with patches, within the sets; in the order of ``SampledFinger/patchSizes``.
  let patches: [(size: Int, scores: ScoredComparisons)]

  /// Measures.
  ///
  /// - Parameters:
  ///   - sets: The prints.
  ///   - report: Told what is being done.
  /// - Throws: ``BenchmarkFailure`` for a picture that cannot be read or used.
  init(_ sets: [ImageSet], report: (String) -> Void) async throws {
    self.sets = sets
    var fingers: [SampledFinger] = []
    for (number, set) in sets.enumerated() {
      report("extracting \(set.fingers.count) fingers of \(set.name)")
      fingers += try await concurrentMap(set.fingers) {
        try SampledFinger($0, of: set, number: number)
      }
    }
    report("comparing one print with one")
    singlePrints = try await ComparisonProtocol.singlePrints(of: fingers).scores()
    report("comparing prints with fingers enrolled from five")
    enrolledFingers = try await ComparisonProtocol.enrolledFingers(fingers).scores()
    var patches: [(size: Int, scores: ScoredComparisons)] = []
    for size in SampledFinger.patchSizes {
      report("comparing patches of \(size) pixels")
      patches.append((size, try await ComparisonProtocol.patches(of: size, fingers).scores()))
    }
    self.patches = patches
  }
}
