import ClientProtocol

/// What happens while a touch is awaited, in words.
enum ProgressText {
  /// A sentence, or nil where there is nothing to say.
  static func text(_ event: Progress.Event, countsTries: Bool = true) -> String? {
    switch event {
    case .awaitingTouch: nil
    case .retry(let reason): retry(reason)
    case .missed(let left):
      switch countsTries ? left : 0 {
      case 0: "Not recognised."
      case 1: "Not recognised; one more try."
      default: "Not recognised; \(left) more tries."
      }
    case .matched(let finger): "\(finger.printable) recognised."
    case .taken(_, let coverage, let advice, _):
      self.advice(advice) ?? (coverage < 1 ? "Good. Lift the finger and touch again." : "Good.")
    case .refused(let advice): self.advice(advice) ?? "This touch cannot be used."
    case .sensorLost(let message): "The sensor is gone: \(message.printable)"
    }
  }

  /// In which colour it is said.
  static func role(_ event: Progress.Event) -> Paint.Role {
    switch event {
    case .awaitingTouch: .faint
    case .retry, .refused: .doubtful
    case .missed, .sensorLost: .bad
    case .matched: .good
    case .taken(_, _, let advice, _): advice == 0 ? .good : .doubtful
    }
  }

  /// The sensor's reasons to ask for another touch (`AC_RETRY_…` of include/authcore/common.h).
  static func retry(_ reason: Int32) -> String {
    switch reason {
    case 2: "Too dry: press a little harder, or moisten the finger."
    case 3: "Too wet: dry the finger."
    case 4: "Too short: leave the finger on the sensor a little longer."
    case 5: "Too fast: swipe more slowly."
    case 6: "Too slow: swipe a little faster."
    case 7: "Not centred: put the finger on the middle of the sensor."
    case 8: "Lift the finger, then touch again."
    case 9: "Too skewed: put the finger straight."
    default: "That touch could not be read; touch again."
    }
  }

  /// The enclave's advice for the next touch of an enrolment (`EnrolmentAdvice` of EngineKit), 0 for none.
  private static func advice(_ number: UInt8) -> String? {
    switch number {
    case 1: "There was no finger to see; touch again."
    case 2: "Too dry: press a little harder, or moisten the finger."
    case 3: "Too wet: dry the finger."
    case 4: "Too little of the finger; lay it flat."
    case 5: "Not clear enough; touch again."
    case 6: "Move a little to the left."
    case 7: "Move a little to the right."
    case 8: "Move a little up."
    case 9: "Move a little down."
    case 10: "Touch with another part of the finger."
    case 11: "That does not look like the same finger; touch again."
    case 12: "Lift the finger, then touch again."
    case 13: "That joins nothing seen so far; touch nearer to where you touched before."
    default: nil
    }
  }
}
