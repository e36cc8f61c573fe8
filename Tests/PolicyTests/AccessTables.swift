import Protocol

// What is still missing for an item behind access control, and the table that follows from it. Only
// what the context holds counts: that a finger has matched or a passcode was right is an event like
// any other here (E4).

/// The context holds enough; only a call that has been ended fails.
private let satisfied = DecisionTable(
  """
  event
  cancelled                       => userCancel
  interrupted                     => appCancel
  timedOut                        => timedOut
  !cancelled|interrupted|timedOut => succeed
  """)

/// Either proof will do (`presence`, or biometry *or* the passcode).
private let either = DecisionTable(
  """
  passcode event misses wrong biometry prompt giver button
  *     cancelled                                                       *     *      *      *   *   *      => userCancel
  *     interrupted                                                     *     *      *      *   *   *      => appCancel
  *     timedOut                                                        *     *      *      *   *   *      => timedOut
  unset !cancelled|interrupted|timedOut                                 *     *      *      *   *   *      => passcodeNotSet
  set   !cancelled|interrupted|timedOut                                 three *      *      *   *   *      => authenticationFailed
  set   !cancelled|interrupted|timedOut                                 few   three  *      *   *   *      => authenticationFailed
  set   fallback                                                        few   !three !ready *   *   *      => userFallback
  set   fallback                                                        few   !three ready  *   *   hidden => userFallback
  set   fallback                                                        few   !three ready  no  *   shown  => notInteractive
  set   fallback                                                        few   !three ready  yes yes shown  => passcode
  set   fallback                                                        few   none   ready  yes no  shown  => notInteractive
  set   fallback                                                        few   few    ready  yes no  shown  => authenticationFailed
  set   none|given|matched|missed|accepted|refused|lost|exhausted             few   !three *      no  *   *      => notInteractive
  set   none|given|matched|missed|accepted                                    few   !three ready  yes *   shown  => touch/passcode
  set   none|given|matched|missed|accepted                                    few   !three ready  yes *   hidden => touch/hidden
  set   none|given|matched|missed|accepted                                    few   !three !ready yes yes *      => passcode
  set   none|given|matched|missed|accepted                                    few   none   !ready yes no  *      => notInteractive
  set   none|given|matched|missed|accepted                                    few   few    !ready yes no  *      => authenticationFailed
  set   refused|lost                                                    few   !three *      yes yes *      => passcode
  set   refused|lost                                                    few   none   *      yes no  *      => notInteractive
  set   refused|lost                                                    few   few    *      yes no  *      => authenticationFailed
  set   exhausted                                                       few   none   *      yes *   *      => notInteractive
  set   exhausted                                                       few   few    *      yes *   *      => authenticationFailed
  """)

/// A touch is missing, and nothing stands in for it.
private let touchOnly = DecisionTable(
  """
  event misses wrong lockout biometry prompt
  cancelled                                                 *     *      *   *          *   => userCancel
  interrupted                                               *     *      *   *          *   => appCancel
  timedOut                                                  *     *      *   *          *   => timedOut
  !cancelled|interrupted|timedOut                           three *      yes *          *   => biometryLockout
  !cancelled|interrupted|timedOut                           three *      no  *          *   => authenticationFailed
  !cancelled|interrupted|timedOut                           few   three  *   *          *   => authenticationFailed
  lost                                                      few   !three *   *          *   => biometryDisconnected
  fallback                                                  few   !three *   *          *   => userFallback
  none|given|matched|missed|accepted|refused|exhausted            few   !three *   absent     *   => biometryNotAvailable
  none|given|matched|missed|accepted|refused|exhausted            few   !three *   unenrolled *   => biometryNotEnrolled
  none|given|matched|missed|accepted|refused|exhausted            few   !three *   lockout    *   => biometryLockout
  none|given|matched|missed|accepted|refused|exhausted            few   !three *   unseen     *   => notInteractive
  none|given|matched|missed|accepted|refused|exhausted            few   !three *   ready      no  => notInteractive
  none|given|matched|missed|accepted|refused|exhausted            few   !three *   ready      yes => touch/hidden
  """)

/// A touch and the passcode are missing: the touch comes first.
private let touchThenPasscode = DecisionTable(
  """
  passcode event misses wrong lockout biometry prompt
  *     cancelled                                           *     *      *   *          *   => userCancel
  *     interrupted                                         *     *      *   *          *   => appCancel
  *     timedOut                                            *     *      *   *          *   => timedOut
  unset !cancelled|interrupted|timedOut                     *     *      *   *          *   => passcodeNotSet
  set   !cancelled|interrupted|timedOut                     three *      yes *          *   => biometryLockout
  set   !cancelled|interrupted|timedOut                     three *      no  *          *   => authenticationFailed
  set   !cancelled|interrupted|timedOut                     few   three  *   *          *   => authenticationFailed
  set   lost                                                few   !three *   *          *   => biometryDisconnected
  set   fallback                                            few   !three *   *          *   => userFallback
  set   none|given|matched|missed|accepted|refused|exhausted      few   !three *   absent     *   => biometryNotAvailable
  set   none|given|matched|missed|accepted|refused|exhausted      few   !three *   unenrolled *   => biometryNotEnrolled
  set   none|given|matched|missed|accepted|refused|exhausted      few   !three *   lockout    *   => biometryLockout
  set   none|given|matched|missed|accepted|refused|exhausted      few   !three *   unseen     *   => notInteractive
  set   none|given|matched|missed|accepted|refused|exhausted      few   !three *   ready      no  => notInteractive
  set   none|given|matched|missed|accepted|refused|exhausted      few   !three *   ready      yes => touch/hidden
  """)

/// The passcode is missing.
private let passcodeMissing = DecisionTable(
  """
  passcode event misses wrong prompt giver
  *     cancelled                                              *     *      *   *   => userCancel
  *     interrupted                                            *     *      *   *   => appCancel
  *     timedOut                                               *     *      *   *   => timedOut
  unset !cancelled|interrupted|timedOut                        *     *      *   *   => passcodeNotSet
  set   !cancelled|interrupted|timedOut                        three *      *   *   => authenticationFailed
  set   !cancelled|interrupted|timedOut                        few   three  *   *   => authenticationFailed
  set   fallback                                               few   !three *   *   => userFallback
  set   none|given|matched|missed|accepted|refused|lost|exhausted    few   !three no  *   => notInteractive
  set   none|given|matched|missed|accepted|refused|lost              few   !three yes yes => passcode
  set   none|given|matched|missed|accepted|refused|lost              few   none   yes no  => notInteractive
  set   none|given|matched|missed|accepted|refused|lost              few   few    yes no  => authenticationFailed
  set   exhausted                                              few   none   yes *   => notInteractive
  set   exhausted                                              few   few    yes *   => authenticationFailed
  """)

/// Presence is proved, and an application password is missing.
let appPasswordMissing = DecisionTable(
  """
  event wrongOwn prompt
  cancelled                                              *      *   => userCancel
  interrupted                                            *      *   => appCancel
  timedOut                                               *      *   => timedOut
  !cancelled|interrupted|timedOut                        three  *   => errSecAuthFailed
  fallback                                               !three *   => userFallback
  none|given|matched|missed|accepted|refused|lost        !three no  => notInteractive
  none|given|matched|missed|accepted|refused|lost        !three yes => appPassword
  exhausted                                              none   *   => notInteractive
  exhausted                                              few    no  => notInteractive
  exhausted                                              few    yes => errSecAuthFailed
  """)

/// An application password and nothing else: whatever is held of the owner's presence.
let appPasswordAlone: [TabledRequest] = (0..<16).compactMap { bits in
  guard let control = try? AccessControl([], with: .appPassword) else { return nil }
  let held = EvidenceSet(rawValue: UInt8(bits))
  return TabledRequest(
    name: "app-password, held \(bits)", request: .access(control, held: held),
    table: held.contains(.appPassword) ? satisfied : appPasswordMissing)
}

/// A control as `--access` takes it, and the table for a context that holds nothing, a match, the
/// passcode, both.
let accessTables: [(control: String, byHeld: [DecisionTable])] = [
  ("presence", [either, satisfied, satisfied, satisfied]),
  ("biometry-any", [touchOnly, satisfied, touchOnly, satisfied]),
  ("biometry-current", [touchOnly, satisfied, touchOnly, satisfied]),
  ("passcode", [passcodeMissing, passcodeMissing, satisfied, satisfied]),
  ("biometry-any or passcode", [either, satisfied, satisfied, satisfied]),
  ("biometry-current or passcode", [either, satisfied, satisfied, satisfied]),
  ("biometry-any and passcode", [touchThenPasscode, passcodeMissing, touchOnly, satisfied]),
  ("biometry-current and passcode", [touchThenPasscode, passcodeMissing, touchOnly, satisfied]),
]
