package import Protocol

/// What happens while a touch is awaited, and what to do about the next one: on a terminal, in a
/// window and in the settings.
package enum ProgressTexts {
  /// How something that happened is to be taken.
  package enum Tone: Sendable {
    case neutral
    case good
    /// Another touch is wanted.
    case doubtful
    case bad
  }

  /// What is said of an event; nothing if there is nothing to say.
  ///
  /// `countsTries`: whether a miss leaves further tries to speak of.
  package static func text(_ event: Progress.Event, countsTries: Bool = true) -> Phrase? {
    switch event {
    case .awaitingTouch: nil
    case .retry(let reason): retry(reason)
    case .missed(let left):
      countsTries && left > 0
        ? Phrase("Not recognized; %s more try.", "Not recognized; %s more tries.", count: Int(left))
        : Phrase("Not recognized.")
    case .matched(let finger): Phrase("%s recognized.", finger.withoutSteering)
    case .taken(let touch):
      touch.advice.map(advice)
        ?? (touch.coverage < 1
          ? Phrase("Good. Lift the finger and touch again.") : Phrase("Good."))
    case .refused(let advice): self.advice(advice)
    case .sensorLost(let message): Phrase("The reader is gone: %s", message.withoutSteering)
    }
  }

  /// How it is to be taken.
  package static func tone(of event: Progress.Event) -> Tone {
    switch event {
    case .awaitingTouch: .neutral
    case .retry, .refused: .doubtful
    case .missed, .sensorLost: .bad
    case .matched: .good
    case .taken(let touch): touch.advice == nil ? .good : .doubtful
    }
  }

  /// A sensor's reason to ask for another touch (`AC_RETRY_…` of include/authcore/common.h).
  package static func retry(_ reason: Int32) -> Phrase {
    switch reason {
    case 2: advice(.tooDry)
    case 3: advice(.tooWet)
    case 4: Phrase("Too short: leave the finger on the reader a little longer.")
    case 5: Phrase("Too fast: swipe more slowly.")
    case 6: Phrase("Too slow: swipe a little faster.")
    case 7: Phrase("Not centered: put the finger on the middle of the reader.")
    case 8: advice(.lift)
    case 9: Phrase("Too skewed: put the finger straight.")
    default: Phrase("That touch could not be read; touch again.")
    }
  }

  /// What to do about the next touch.
  private static func advice(_ advice: EnrollmentAdvice) -> Phrase {
    switch advice {
    case .noRidges: Phrase("There was no finger to see; touch again.")
    case .tooDry: Phrase("Too dry: press a little harder, or moisten the finger.")
    case .tooWet: Phrase("Too wet: dry the finger.")
    case .tooSmall: Phrase("Too little of the finger; lay it flat.")
    case .poorQuality: Phrase("Not clear enough; touch again.")
    case .moveLeft: Phrase("Move a little to the left.")
    case .moveRight: Phrase("Move a little to the right.")
    case .moveUp: Phrase("Move a little up.")
    case .moveDown: Phrase("Move a little down.")
    case .differentPart: Phrase("Touch with another part of the finger.")
    case .notTheSameFinger: Phrase("That does not look like the same finger; touch again.")
    case .lift: Phrase("Lift the finger, then touch again.")
    case .joinsNothing:
      Phrase("That joins nothing seen so far; touch nearer to where you touched before.")
    }
  }
}
