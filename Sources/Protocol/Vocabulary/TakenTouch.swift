/// What an enrollment knows after a touch that it used.
package struct TakenTouch: Equatable, WireField {
  /// Touches used so far.
  package let touches: UInt32
  /// How much of the finger is known, 0…1.
  package let coverage: Double
  /// Whether more touches would add little.
  package let isComplete: Bool
  /// What the person should do next; nil where any touch will do.
  package let advice: EnrollmentAdvice?
  /// Where the finger was seen.
  package let picture: CoveragePicture

  package init(
    touches: UInt32, coverage: Double, isComplete: Bool, advice: EnrollmentAdvice?,
    picture: CoveragePicture = .empty
  ) {
    self.touches = touches
    self.coverage = coverage
    self.isComplete = isComplete
    self.advice = advice
    self.picture = picture
  }

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(touches, coverage, isComplete, advice, picture)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (touches, coverage, isComplete, advice, picture) = try decoder.read()
  }
}

/// What the person can do about the next touch of an enrollment.
package enum EnrollmentAdvice: UInt8, CaseIterable, WireField {
  case noRidges = 1
  case tooDry = 2
  case tooWet = 3
  case tooSmall = 4
  case poorQuality = 5
  case moveLeft = 6
  case moveRight = 7
  case moveUp = 8
  case moveDown = 9
  case differentPart = 10
  case notTheSameFinger = 11
  case lift = 12
  case joinsNothing = 13
}
