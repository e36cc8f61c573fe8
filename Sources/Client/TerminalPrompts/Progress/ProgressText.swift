package import Protocol

/// What happens while a touch is awaited, in words.
package enum ProgressText {
  /// A sentence, or nil where there is nothing to say.
  package static func text(_ event: Progress.Event, countsTries: Bool = true) -> String? {
    switch event {
    case .awaitingTouch: nil
    case .retry(let reason): retry(reason)
    case .missed(let left):
      switch countsTries ? left : 0 {
      case 0: "Not recognized."
      case 1: "Not recognized; one more try."
      default: "Not recognized; \(left) more tries."
      }
    case .matched(let finger): "\(finger.printable) recognized."
    case .taken(let touch):
      touch.advice.map(advice)
        ?? (touch.coverage < 1 ? "Good. Lift the finger and touch again." : "Good.")
    case .refused(let advice): self.advice(advice)
    case .sensorLost(let message): "The sensor is gone: \(message.printable)"
    }
  }

  /// In which color it is said.
  package static func role(_ event: Progress.Event) -> Paint.Role {
    switch event {
    case .awaitingTouch: .faint
    case .retry, .refused: .doubtful
    case .missed, .sensorLost: .bad
    case .matched: .good
    case .taken(let touch): touch.advice == nil ? .good : .doubtful
    }
  }

  /// The sensor's reasons to ask for another touch (`AC_RETRY_…` of include/authcore/common.h).
  package static func retry(_ reason: Int32) -> String {
    switch reason {
    case 2: "Too dry: press a little harder, or moisten the finger."
    case 3: "Too wet: dry the finger."
    case 4: "Too short: leave the finger on the sensor a little longer."
    case 5: "Too fast: swipe more slowly."
    case 6: "Too slow: swipe a little faster."
    case 7: "Not centered: put the finger on the middle of the sensor."
    case 8: "Lift the finger, then touch again."
    case 9: "Too skewed: put the finger straight."
    default: "That touch could not be read; touch again."
    }
  }

  /// What to do about the next touch of an enrollment.
  private static func advice(_ advice: EnrollmentAdvice) -> String {
    switch advice {
    case .noRidges: "There was no finger to see; touch again."
    case .tooDry: "Too dry: press a little harder, or moisten the finger."
    case .tooWet: "Too wet: dry the finger."
    case .tooSmall: "Too little of the finger; lay it flat."
    case .poorQuality: "Not clear enough; touch again."
    case .moveLeft: "Move a little to the left."
    case .moveRight: "Move a little to the right."
    case .moveUp: "Move a little up."
    case .moveDown: "Move a little down."
    case .differentPart: "Touch with another part of the finger."
    case .notTheSameFinger: "That does not look like the same finger; touch again."
    case .lift: "Lift the finger, then touch again."
    case .joinsNothing: "That joins nothing seen so far; touch nearer to where you touched before."
    }
  }
}
