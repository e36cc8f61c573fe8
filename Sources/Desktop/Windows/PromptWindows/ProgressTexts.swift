package import Protocol
import WindowContents

/// What happens while a touch is awaited, in the person's language.
package enum ProgressTexts {
  /// A sentence, or nil where there is nothing to say.
  ///
  /// `countsTries`: whether a miss leaves further tries to speak of.
  package static func text(_ event: Progress.Event, countsTries: Bool = true) -> String? {
    switch event {
    case .awaitingTouch: nil
    case .retry(let reason): retry(reason)
    case .missed(let left):
      countsTries && left > 0
        ? localized(
          "Not recognized; %s more try.", "Not recognized; %s more tries.", count: Int(left))
        : localized("Not recognized.")
    case .matched(let finger): localized("%s recognized.", finger.withoutSteering)
    case .taken(let touch):
      touch.advice.map(advice)
        ?? (touch.coverage < 1
          ? localized("Good. Lift the finger and touch again.") : localized("Good."))
    case .refused(let advice): self.advice(advice)
    case .sensorLost(let message):
      localized("The reader is gone: %s", message.withoutSteering)
    }
  }

  /// The sensor's reasons to ask for another touch (`AC_RETRY_…` of include/authcore/common.h).
  private static func retry(_ reason: Int32) -> String {
    switch reason {
    case 2: advice(.tooDry)
    case 3: advice(.tooWet)
    case 4: localized("Too short: leave the finger on the reader a little longer.")
    case 5: localized("Too fast: swipe more slowly.")
    case 6: localized("Too slow: swipe a little faster.")
    case 7: localized("Not centered: put the finger on the middle of the reader.")
    case 8: advice(.lift)
    case 9: localized("Too skewed: put the finger straight.")
    default: localized("That touch could not be read; touch again.")
    }
  }

  /// What to do about the next touch.
  private static func advice(_ advice: EnrollmentAdvice) -> String {
    switch advice {
    case .noRidges: localized("There was no finger to see; touch again.")
    case .tooDry: localized("Too dry: press a little harder, or moisten the finger.")
    case .tooWet: localized("Too wet: dry the finger.")
    case .tooSmall: localized("Too little of the finger; lay it flat.")
    case .poorQuality: localized("Not clear enough; touch again.")
    case .moveLeft: localized("Move a little to the left.")
    case .moveRight: localized("Move a little to the right.")
    case .moveUp: localized("Move a little up.")
    case .moveDown: localized("Move a little down.")
    case .differentPart: localized("Touch with another part of the finger.")
    case .notTheSameFinger: localized("That does not look like the same finger; touch again.")
    case .lift: localized("Lift the finger, then touch again.")
    case .joinsNothing:
      localized("That joins nothing seen so far; touch nearer to where you touched before.")
    }
  }
}
