extension Enrollment {
  /// What the person can do so that the next touch is better.
  package enum Guidance: Equatable, Sendable, CaseIterable {
    /// The frame shows no finger.
    case noRidges
    /// Ridges are faint or broken: breathe on the finger, or press a little harder.
    case tooDry
    /// Ridges run together: dry the finger, or press more lightly.
    case tooWet
    /// Too little of the finger touched: lay it flat.
    case tooSmall
    /// The ridges are unclear for another reason: clean finger and sensor, hold still.
    case poorQuality
    /// Move the finger to the person's left.
    case moveLeft
    /// Move the finger to the person's right.
    case moveRight
    /// Move the finger away from the person.
    case moveUp
    /// Move the finger towards the person.
    case moveDown
    /// The touch adds nothing new: touch with another part of the finger.
    case differentPart
    /// The touch would overlap what is known, were it of the finger that touched before.
    case notTheSameFinger
    /// The touch joins nothing that is known: touch nearer to where the finger touched before.
    case joinsNothing
    /// The finger was not lifted since the last touch, so that nothing new is seen.
    case lift
  }

  /// What became of a touch.
  package enum Outcome: Equatable, Sendable {
    /// The touch is used. `coverage` is what is known of the finger, 0...1; `advice` says how the
    /// next touch can add most, nil when anything will.
    case accepted(coverage: Double, advice: Guidance?)
    /// The touch is no part of the finger, and becomes one only if a later touch joins both.
    case waiting(Guidance)
    /// The touch is not used and nothing has changed.
    case refused(Guidance)
  }
}
