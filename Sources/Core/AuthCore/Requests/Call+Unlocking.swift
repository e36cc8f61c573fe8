import Protocol
import Synchronization

extension Call {
  /// Unlocks it with the passcode, or with a match while biometric unlock is armed. Of a device that
  /// was not locked nothing is written down: a login asks so before it asks anybody to prove anything.
  func unlock(_ request: UnlockDevice) throws(Failure) -> Evaluated {
    try withContext { (context) throws(Failure) in
      let conclusion = try unlock(
        in: context, request.options, PromptSubject(.unlocking), isReusable: true)
      return Evaluated(
        evidence: conclusion.evidence, finger: conclusion.finger, seconds: seconds)
    }
  }

  /// Whether the device is locked, as the enclave has said; it is asked before it has said anything.
  func isDeviceLocked() throws(Failure) -> Bool {
    if let notice = enclave.lockNotice { return notice.isLocked }
    return try enclaveStatus().isLocked
  }

  /// Has the owner unlock the device for a request, if a person can be asked. What is proved goes into
  /// the context of that request.
  /// - Returns: whether it is unlocked; false: nobody could be asked.
  /// - Throws: why it is not although somebody was, or could have been, asked.
  func unlockOnDemand(
    in context: ContextName, _ options: PromptOptions, _ subject: PromptSubject
  ) throws(Failure) -> Bool {
    let program = programToPause(options)
    if let program,
      let objection = core.unlockPause.withLock({ $0.objection(to: program, at: core.clock.now()) })
    {
      throw objection
    }
    var subject = subject
    subject.unlocks = true
    do throws(Failure) {
      _ = try unlock(in: context, options, subject, isReusable: false)
      return true
    } catch  where error.code == .notInteractive {
      return false
    } catch {
      if error.code == .userCancel, let program {
        core.unlockPause.withLock { $0.note(program, at: core.clock.now()) }
      }
      throw error
    }
  }

  /// Who is not asked about again for a while after a Cancel; nil: a command that is typed. The parts of
  /// the command that act for other programs say how those are called.
  private func programToPause(_ options: PromptOptions) -> String? {
    guard link.application == commandApplication else { return link.application }
    if let name = options.applicationName { return commandApplication + " " + name }
    return options.canGivePasscode ? nil : commandApplication
  }

  private func unlock(
    in context: ContextName, _ options: PromptOptions, _ subject: PromptSubject, isReusable: Bool
  ) throws(Failure) -> EvaluationMachine.Conclusion {
    do throws(Failure) {
      let conclusion = try unlockDevice(
        in: context, options, subject, isReusable: isReusable)
      if conclusion.evidence != .nothing { note(.unlock) }
      core.unlockPause.withLock { $0 = UnlockPause() }
      return conclusion
    } catch {
      // A request that found nobody to ask has tried nothing.
      if !subject.unlocks || error.code != .notInteractive {
        note(.unlock, outcome: error.code.rawValue)
      }
      throw error
    }
  }

  private func unlockDevice(
    in context: ContextName, _ options: PromptOptions, _ subject: PromptSubject, isReusable: Bool
  ) throws(Failure) -> EvaluationMachine.Conclusion {
    let conclusion = try evaluate(
      moment(.unlock(prefersPasscode: subject.unlocks ? false : options.prefersPasscode), options),
      about: subject, context: context, options: options, unlocksDevice: true)
    if conclusion.evidence == .biometry {
      try tell(UnlockWithMatch(context: context, isReusable: isReusable))
    }
    if conclusion.evidence == .nothing, try enclaveStatus().isLocked {
      throw Failure(
        .engineFailed, "the policy engine says that the device is unlocked, and it is locked",
        hint: "see authcore status for the engine that is in use")
    }
    return conclusion
  }
}

extension PromptOptions {
  /// Whether a person sees the prompt, or is told otherwise that a touch is awaited. A tape is nobody.
  var reachesPerson: Bool { touch == .person || touch == .unattended || canGivePasscode }
}
