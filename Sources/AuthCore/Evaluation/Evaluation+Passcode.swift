import ClientProtocol
import EngineKit
import Wire

extension Evaluation {
  /// Prompts for the passcode and waits for an answer.
  mutating func awaitPasscode() throws(Failure) -> CallProgress.Event {
    pauseSession()
    try board.askForPasscode(refusedPasscodes: progress.refusedPasscodes)
    while true {
      // A person may take their time; a client that does not even show the prompt may not.
      let patience = board.isShown ? nil : board.showMilliseconds
      guard let occurrence = try call.inbox.next(within: patience) else { return .timedOut }
      switch occurrence {
      case .shown: board.markShown()
      case .passcodeGiven(let passcode): return try submit(passcode)
      case .noPasscode: return .noPasscode
      case .cancelPressed: return .cancelled
      case .fallbackChosen: return .fallbackChosen
      case .touch, .sensorEnded: continue
      }
    }
  }

  /// Hands the passcode to the enclave.
  func submit(_ passcode: SharedSecret) throws(Failure) -> CallProgress.Event {
    do throws(Failure) {
      try verifyPasscode(passcode.take())
      return .passcodeAccepted
    } catch  where error.code == .authenticationFailed {
      return .passcodeRefused
    }
  }
}
