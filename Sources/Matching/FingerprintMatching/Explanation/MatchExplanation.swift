/// What a comparison of two images rests on, for people to look at.
package struct MatchExplanation: Sendable {
  /// A number that the score is made of.
  package struct Part: Hashable, Sendable {
    package let name: String
    package let value: Double
    /// What it says, one line.
    package let meaning: String
  }

  package let probe: PrintExplanation
  package let gallery: PrintExplanation
  /// Where the probe comes to lie on the gallery print; nil where nothing was alike enough to try.
  package let alignment: PrintAlignment?
  /// How the probe's ridges lie on those of the gallery print; nil where nothing says where they
  /// do.
  package let ridges: RidgeAlignment?
  /// The score of the probe against a finger enrolled from the gallery image alone.
  package let score: Double

  /// Compares two images as the product does.
  ///
  /// - Parameters:
  ///   - probe: The touch.
  ///   - gallery: The image that a finger is enrolled from.
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
