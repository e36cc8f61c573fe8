import ClientProtocol
import EngineKit
import Wire

extension Evaluation {
  /// Prompts for the passcode and waits for an answer.
  mutating func awaitPasscode() throws(Failure) -> CallProgress.Event {
    pauseSession()
    try board.askForPasscode(refusedPasscodes: progress.refusedPasscodes)
    while true {
      switch try call.inbox.next() {
      case .passcodeGiven(let passcode): return try submit(passcode)
      case .noPasscode: return .noPasscode
      case .cancelPressed: return .cancelled
      case .fallbackChosen: return .fallbackChosen
      case .shown, .touch, .sensorEnded, nil: continue
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
