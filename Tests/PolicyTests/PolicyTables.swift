// The rules of CLI.md as tables, written by hand from the documents and not from the engine.

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

/// A finger where it can be had, else the passcode (A4, L4).
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
