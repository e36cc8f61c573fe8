import PolicyEngine
import Protocol
import Testing

@Suite("What a refusal tells its reader")
struct RefusalTextTests {
  /// What a request fails with; nil where it does not.
  private func failure(
    _ request: PolicyRequest, _ change: (inout PolicyQuestion) -> Void
  ) -> Failure? {
    var device = DeviceState()
    device.hasSensor = true
    var question = PolicyQuestion(request: request, device: device)
    change(&question)
    guard case .fail(let failure) = PolicyEngine.decide(question) else { return nil }
    return failure
  }

  @Test("L2, L10: who has no passcode either is told to set one before enrolling a finger")
  func noFinger() {
    let bare = failure(.biometrics) { _ in }
    #expect(bare?.hint?.contains("authcore passcode set, authcore finger enroll") == true)
    let withPasscode = failure(.biometrics) { $0.device.isPasscodeSet = true }
    #expect(withPasscode?.code == bare?.code)
    #expect(withPasscode?.hint?.contains("authcore finger enroll") == true)
    #expect(withPasscode?.hint?.contains("passcode set") == false)
  }

  @Test("L10: a reader that went away is given as the reason why the passcode is needed")
  func lostReader() {
    for (event, isLost) in [(.sensorLost, true), (.noPasscode, false), (.none, false)]
      as [(CallProgress.Event, Bool)]
    {
      let refused = failure(.owner) {
        $0.device.isPasscodeSet = true
        $0.client.canGivePasscode = false
        $0.progress.lastEvent = event
      }
      #expect(refused?.code == .notInteractive)
      #expect(refused?.message.contains("disconnected") == isLost, "\(event)")
    }
  }
}
