// The rules of CLI.md as tables, written by hand from the documents and not from the engine.

import PolicyEngine
import Protocol
import Testing

@Suite("Policy tables")
struct PolicyTableTests {
  /// The first few questions that are answered otherwise than the table says, or with a failure
  /// that helps nobody.
  private func mistakes(in tabled: TabledRequest) -> [String] {
    var mistakes: [String] = []
    for (device, client) in everySituation {
      for progress in everyProgress {
        let question = PolicyQuestion(
          request: tabled.request, device: device, client: client, progress: progress)
        let expected = tabled.table.outcome(of: Facts(question))
        let action = PolicyEngine.decide(question)
        guard action.text != expected || !isHelpful(action) else { continue }
        mistakes.append("\(action), not \(expected), for \(question)")
        if mistakes.count == 3 { return mistakes }
      }
    }
    return mistakes
  }

  /// A failure names its thing in a sentence and says the way out, unless somebody wanted the end.
  private func isHelpful(_ action: PolicyStep.Action) -> Bool {
    guard case .fail(let failure) = action else { return true }
    let isSentence = failure.message.contains(" ") && !failure.message.hasSuffix(".")
    return isSentence
      && (failure.hint != nil || failure.code == .userCancel || failure.code == .appCancel)
  }

  @Test(
    "L1, L3, L4, L6, L8, L10, A4, A6: every state, event and client leads where the table says",
    arguments: plainRequests)
  func policies(_ request: TabledRequest) {
    #expect(mistakes(in: request) == [])
  }

  @Test(
    "A1, A2, A3, A4, E4: an item asks for what its context has not proved, in every state",
    arguments: accessRequests)
  func accessControls(_ request: TabledRequest) {
    #expect(mistakes(in: request) == [])
  }

  @Test("every access control and every held evidence has a table")
  func coverage() throws {
    #expect(accessRequests.count == 32 * 4 + 16)
    var possible = 0
    for bits in UInt8(1)...15 {
      for junction in [AccessControl.Junction.and, .or] {
        guard
          let control = try? AccessControl(
            AccessControl.Constraints(rawValue: bits), joinedBy: junction)
        else { continue }
        // A single constraint is one control, whatever joins it.
        guard control.junction == junction else { continue }
        possible += 1
        #expect(accessTables.contains { $0.control == control.text }, "\(control.text)")
      }
    }
    #expect(possible == accessTables.count)
  }
}

@Suite("What a refusal tells its reader")
struct RefusalTextTests {
  /// The failure of a request, or nil.
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

/// A finger and nothing else (L4): the application has its own fallback.
let biometricsTable = DecisionTable(
  """
  reason event misses wrong lockout biometry prompt button
  no  *                                              *     *     *   *          *   *      => invalidReason
  yes cancelled                                      *     *     *   *          *   *      => userCancel
  yes interrupted                                    *     *     *   *          *   *      => appCancel
  yes timedOut                                       *     *     *   *          *   *      => timedOut
  yes matched                                        *     *     *   *          *   *      => succeed
  yes !cancelled|interrupted|timedOut|matched        three *     yes *          *   *      => biometryLockout
  yes !cancelled|interrupted|timedOut|matched        three *     no  *          *   *      => authenticationFailed
  yes !cancelled|interrupted|timedOut|matched        few   three *   *          *   *      => authenticationFailed
  yes lost                                           few   !three *  *          *   *      => biometryDisconnected
  yes fallback                                       few   !three *  *          *   *      => userFallback
  yes none|given|missed|accepted|refused|exhausted         few   !three *  absent     *   *      => biometryNotAvailable
  yes none|given|missed|accepted|refused|exhausted         few   !three *  unenrolled *   *      => biometryNotEnrolled
  yes none|given|missed|accepted|refused|exhausted         few   !three *  lockout    *   *      => biometryLockout
  yes none|given|missed|accepted|refused|exhausted         few   !three *  unseen     *   *      => notInteractive
  yes none|given|missed|accepted|refused|exhausted         few   !three *  ready      no  *      => notInteractive
  yes none|given|missed|accepted|refused|exhausted         few   !three *  ready      yes shown  => touch/application
  yes none|given|missed|accepted|refused|exhausted         few   !three *  ready      yes hidden => touch/hidden
  """)

/// A finger if possible, else the passcode (A4, L4).
let ownerTable = DecisionTable(
  """
  reason passcode event misses wrong biometry prompt giver button
  no  *     *                                            *     *      *      *   *   *      => invalidReason
  yes unset *                                            *     *      *      *   *   *      => passcodeNotSet
  yes set   cancelled                                    *     *      *      *   *   *      => userCancel
  yes set   interrupted                                  *     *      *      *   *   *      => appCancel
  yes set   timedOut                                     *     *      *      *   *   *      => timedOut
  yes set   matched|accepted                             *     *      *      *   *   *      => succeed
  yes set   none|given|missed|refused|fallback|lost|exhausted  three *      *      *   *   *      => authenticationFailed
  yes set   none|given|missed|refused|fallback|lost|exhausted  few   three  *      *   *   *      => authenticationFailed
  yes set   fallback                                     few   !three !ready *   *   *      => userFallback
  yes set   fallback                                     few   !three ready  *   *   hidden => userFallback
  yes set   fallback                                     few   !three ready  no  *   shown  => notInteractive
  yes set   fallback                                     few   !three ready  yes yes shown  => passcode
  yes set   fallback                                     few   none   ready  yes no  shown  => notInteractive
  yes set   fallback                                     few   few    ready  yes no  shown  => authenticationFailed
  yes set   none|given|missed|refused|lost|exhausted           few   !three *      no  *   *      => notInteractive
  yes set   none|given|missed                                  few   !three ready  yes *   shown  => touch/passcode
  yes set   none|given|missed                                  few   !three ready  yes *   hidden => touch/hidden
  yes set   none|given|missed                                  few   !three !ready yes yes *      => passcode
  yes set   none|given|missed                                  few   none   !ready yes no  *      => notInteractive
  yes set   none|given|missed                                  few   few    !ready yes no  *      => authenticationFailed
  yes set   refused|lost                                 few   !three *      yes yes *      => passcode
  yes set   refused|lost                                 few   none   *      yes no  *      => notInteractive
  yes set   refused|lost                                 few   few    *      yes no  *      => authenticationFailed
  yes set   exhausted                                    few   none   *      yes *   *      => notInteractive
  yes set   exhausted                                    few   few    *      yes *   *      => authenticationFailed
  """)

/// Only the passcode will do.
let passcodeOnlyTable = DecisionTable(
  """
  passcode event misses wrong prompt giver
  unset *                                                            *     *      *   *   => passcodeNotSet
  set   cancelled                                                    *     *      *   *   => userCancel
  set   interrupted                                                  *     *      *   *   => appCancel
  set   timedOut                                                     *     *      *   *   => timedOut
  set   accepted                                                     *     *      *   *   => succeed
  set   none|given|matched|missed|refused|fallback|lost|exhausted          three *      *   *   => authenticationFailed
  set   none|given|matched|missed|refused|fallback|lost|exhausted          few   three  *   *   => authenticationFailed
  set   fallback                                                     few   !three *   *   => userFallback
  set   none|given|matched|missed|refused|lost|exhausted                   few   !three no  *   => notInteractive
  set   none|given|matched|missed|refused|lost                             few   !three yes yes => passcode
  set   none|given|matched|missed|refused|lost                             few   none   yes no  => notInteractive
  set   none|given|matched|missed|refused|lost                             few   few    yes no  => authenticationFailed
  set   exhausted                                                    few   none   yes *   => notInteractive
  set   exhausted                                                    few   few    yes *   => authenticationFailed
  """)

/// `unlock` without a passcode to be used at once. What is unlocked stays so without asking.
let unlockTable = DecisionTable(
  """
  passcode event device armed misses wrong biometry prompt giver button
  unset *                                                *        *   *     *      *      *   *   *      => passcodeNotSet
  set   cancelled                                        *        *   *     *      *      *   *   *      => userCancel
  set   interrupted                                      *        *   *     *      *      *   *   *      => appCancel
  set   timedOut                                         *        *   *     *      *      *   *   *      => timedOut
  set   accepted                                         *        *   *     *      *      *   *   *      => succeed
  set   !cancelled|interrupted|timedOut|accepted         unlocked *   *     *      *      *   *   *      => succeed
  set   matched                                          locked   yes *     *      *      *   *   *      => succeed
  set   matched                                          locked   no  three *      *      *   *   *      => authenticationFailed
  set   none|given|missed|refused|fallback|lost|exhausted      locked   *   three *      *      *   *   *      => authenticationFailed
  set   matched                                          locked   no  few   three  *      *   *   *      => authenticationFailed
  set   none|given|missed|refused|fallback|lost|exhausted      locked   *   few   three  *      *   *   *      => authenticationFailed
  set   fallback                                         locked   no  few   !three *      *   *   *      => userFallback
  set   fallback                                         locked   yes few   !three !ready *   *   *      => userFallback
  set   fallback                                         locked   yes few   !three ready  *   *   hidden => userFallback
  set   fallback                                         locked   yes few   !three ready  no  *   shown  => notInteractive
  set   fallback                                         locked   yes few   !three ready  yes yes shown  => passcode
  set   fallback                                         locked   yes few   none   ready  yes no  shown  => notInteractive
  set   fallback                                         locked   yes few   few    ready  yes no  shown  => authenticationFailed
  set   matched                                          locked   no  few   !three *      no  *   *      => notInteractive
  set   none|given|missed|refused|lost|exhausted               locked   *   few   !three *      no  *   *      => notInteractive
  set   none|given|missed                                      locked   yes few   !three ready  yes *   shown  => touch/passcode
  set   none|given|missed                                      locked   yes few   !three ready  yes *   hidden => touch/hidden
  set   none|given|missed                                      locked   yes few   !three !ready yes yes *      => passcode
  set   none|given|missed                                      locked   yes few   none   !ready yes no  *      => notInteractive
  set   none|given|missed                                      locked   yes few   few    !ready yes no  *      => authenticationFailed
  set   none|given|missed|matched                              locked   no  few   !three *      yes yes *      => passcode
  set   none|given|missed|matched                              locked   no  few   none   *      yes no  *      => notInteractive
  set   none|given|missed|matched                              locked   no  few   few    *      yes no  *      => authenticationFailed
  set   refused|lost                                     locked   *   few   !three *      yes yes *      => passcode
  set   refused|lost                                     locked   *   few   none   *      yes no  *      => notInteractive
  set   refused|lost                                     locked   *   few   few    *      yes no  *      => authenticationFailed
  set   exhausted                                        locked   *   few   none   *      yes *   *      => notInteractive
  set   exhausted                                        locked   *   few   few    *      yes *   *      => authenticationFailed
  """)
