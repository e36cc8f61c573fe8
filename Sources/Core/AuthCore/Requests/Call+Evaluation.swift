import LinuxSystem
import Protocol
import Synchronization

extension EvaluatedPolicy {
  fileprivate var request: PolicyRequest {
    switch self {
    case .biometrics: .biometrics
    case .owner: .owner
    }
  }
}

extension Call {
  /// Whether ``evaluate(_:)`` could prompt: the policy's first step is no failure.
  func canEvaluate(_ request: CanEvaluate) throws(Failure) -> Done {
    let moment = PolicyMoment(request: request.policy.request)
    if case .fail(let failure) = try policyStep(for: moment) { throw failure }
    return Done()
  }

  func evaluate(_ request: Evaluate) throws(Failure) -> Evaluated {
    let reuseSeconds = request.reuseSeconds
    guard reuseSeconds <= longestReuse else {
      throw Failure(
        .usage, "a touch can be reused for \(longestReuse) seconds at most, not \(reuseSeconds)")
    }
    return try withContext(request.context) { (context) throws(Failure) in
      let held: ContextEvidence =
        if request.context != noContext {
          try evidence(inNamed: context.number, reuseSeconds: reuseSeconds)
        } else if reuseSeconds > 0 {
          try enclave.ask(GetContextEvidence(context: context, reuseSeconds: reuseSeconds))
        } else {
          ContextEvidence(evidence: [], finger: nil)
        }
      var moment = moment(request.policy.request, request.options)
      moment.client.hasReason = request.options.reason.hasVisibleCharacters
      let conclusion = try evaluate(
        moment, about: PromptSubject(.presence), context: context, options: request.options,
        held: held.evidence)
      guard conclusion.wasHeld else {
        return Evaluated(evidence: conclusion.evidence, finger: conclusion.finger, seconds: seconds)
      }
      let isMatch = conclusion.evidence == .biometry
      return Evaluated(
        evidence: conclusion.evidence, finger: isMatch ? held.finger : nil, seconds: seconds,
        age: (isMatch ? held.matchAge : held.passcodeAge) ?? 0)
    }
  }
}

extension Call {
  /// What the policy is told when a request with these options begins.
  func moment(_ request: PolicyRequest, _ options: PromptOptions) -> PolicyMoment {
    var moment = PolicyMoment(request: request)
    moment.note(options)
    moment.client.hidesFallback = options.fallbackTitle == ""
    return moment
  }

  private func milliseconds(_ options: PromptOptions) -> UInt32 {
    options.timeoutMilliseconds == 0
      ? core.limits.touchMilliseconds
      : min(options.timeoutMilliseconds, PromptOptions.longestTimeoutMilliseconds)
  }

  /// Has the person prove what the policy wants. The evidence goes into `context`, which held
  /// `held` before.
  func evaluate(
    _ moment: PolicyMoment, about subject: PromptSubject, context: ContextName,
    options: PromptOptions,
    goal: EvaluationMachine.Goal = .authentication, held: EvidenceSet = [],
    unlocksDevice: Bool = false
  ) throws(Failure) -> EvaluationMachine.Conclusion {
    let request = moment.request
    do throws(Failure) {
      return try asking(options, subject) { (prompter) throws(Failure) in
        if subject.unlocks {
          guard prompter.options.reachesPerson else { throw Self.nobodyToAsk }
          try attend()
          try prompter.begin()
          // Another request may have unlocked it while this one waited for its turn.
          guard try isDeviceLocked() else { return EvaluationMachine.Conclusion() }
        }
        let runner = MachineRunner(self, prompter) { [self] (passcode) throws(Failure) in
          try enclave.tell(
            VerifyPasscode(
              context: context, unlocksDevice: unlocksDevice, mayErase: passcode.mayErase,
              passcode: passcode.take(), asTyped: passcode.takeTyped()))
        } giveAppPassword: { [self] (password) throws(Failure) in
          try give(password.take(), to: context)
        } begin: { (session, channel) throws(Failure) in
          BeginMatch(
            session: session, channel: channel, context: context,
            requiresStrictMatch: request.requiresStrictMatch,
            tellsScore: goal == .oneComparison, opensItem: request.asksForFinger)
        }
        return try evaluate(moment, prompter.options, goal, held, runner)
      }
    } catch {
      forgetEvidence(in: context)
      throw error
    }
  }

  /// Asks for the passcode, which `use` gives to the enclave.
  func takePasscode(
    _ options: PromptOptions, _ matter: PromptMatter, use: @escaping MachineRunner.Verify
  ) throws(Failure) {
    try asking(options, PromptSubject(matter)) { (prompter) throws(Failure) in
      let runner = MachineRunner(self, prompter) { (passcode) throws(Failure) in
        guard passcode.mayErase else {
          throw Failure(.usage, "a passcode that shall do no harm unlocks and authenticates only")
        }
        try use(passcode)
      } begin: { (_, _) throws(Failure) in
        throw Failure(
          .engineFailed, "the policy engine wants a touch where only the passcode will do")
      }
      let moment = moment(.passcodeOnly, prompter.options)
      _ = try evaluate(moment, prompter.options, .passcodeTaken, [], runner)
    }
  }

  private static let nobodyToAsk = Failure(
    .notInteractive, "the device is locked, and nobody can be asked to unlock it",
    hint: "unlock it: authcore unlock")

  /// Has the enclave judge a passcode, within the tries that this user has at the machine's TPM.
  func judgingPasscode(_ judge: () throws(Failure) -> Void) throws(Failure) {
    guard let tries = core.tpmTries, try enclaveStatus().rootKey == RootKeyPlace.tpm.name else {
      return try judge()
    }
    try tries.judging(core.user, isRoot: core.user == 0 || link.peer.user == 0, core.clock, judge)
  }

  private func evaluate(
    _ moment: PolicyMoment, _ options: PromptOptions, _ goal: EvaluationMachine.Goal,
    _ held: EvidenceSet, _ runner: MachineRunner
  ) throws(Failure) -> EvaluationMachine.Conclusion {
    try checkAttendance(options.touch)
    var moment = moment
    moment.note(options)
    var machine = EvaluationMachine(
      moment, goal: goal, held: held, milliseconds: milliseconds(options), limits: core.limits)
    defer { runner.end() }
    try runner.run(&machine)
    keepProof(machine.conclusion.evidence)
    return machine.conclusion
  }

  /// Takes the touches of a finger and enrolls it.
  func enroll(_ request: EnrollFinger, context: ContextName) throws(Failure) -> EnrolledFinger {
    try asking(request.options, PromptSubject(.fingers)) { (prompter) throws(Failure) in
      let runner = MachineRunner(self, prompter) { (session, channel) throws(Failure) in
        BeginEnrollment(
          session: session, channel: channel, context: context, name: request.name,
          isRelaxed: request.isRelaxed, consent: request.consent)
      }
      defer { runner.end() }
      var machine = EnrollmentMachine(
        wanted: request.touches, milliseconds: milliseconds(request.options),
        mostRetries: core.limits.retriesInARow, pause: core.limits.pause(prompter.options.touch))
      try runner.run(&machine)
      return try enclave.ask(CommitEnrollment(session: try runner.openSession().identifier))
    }
  }
}

extension PolicyMoment {
  /// Notes what the prompter can ask of a person.
  fileprivate mutating func note(_ options: PromptOptions) {
    client.mayPrompt = options.mayPrompt
    touch = options.touch
    client.canGivePasscode = options.canGivePasscode
  }
}

extension Call {
  /// Unlocks the device with the passcode, or with a match while biometric unlock is armed. If it
  /// was not locked nothing is written down: a login asks this before it asks for any proof.
  func unlock(_ request: UnlockDevice) throws(Failure) -> Evaluated {
    try withContext { (context) throws(Failure) in
      let conclusion = try unlock(
        in: context, request.options, PromptSubject(.unlocking), isReusable: true)
      return Evaluated(evidence: conclusion.evidence, finger: conclusion.finger, seconds: seconds)
    }
  }

  /// Whether the device is locked: the enclave's last notice, or else its answer.
  func isDeviceLocked() throws(Failure) -> Bool {
    if let notice = enclave.client.lockNotice { return notice.isLocked }
    return try enclaveStatus().isLocked
  }

  /// Has the owner unlock the device for a request, if a person can be asked. The proof goes into
  /// the request's context.
  /// - Returns: whether it is unlocked; false if no person could be asked.
  /// - Throws: why it is not, although a person was, or could have been, asked.
  func unlockOnDemand(
    in context: ContextName, _ options: PromptOptions, _ subject: PromptSubject
  ) throws(Failure) -> Bool {
    var subject = subject
    subject.unlocks = true
    do throws(Failure) {
      _ = try unlock(in: context, options, subject, isReusable: false)
      return true
    } catch  where error.code == .notInteractive {
      return false
    }
  }

  private func unlock(
    in context: ContextName, _ options: PromptOptions, _ subject: PromptSubject, isReusable: Bool
  ) throws(Failure) -> EvaluationMachine.Conclusion {
    do throws(Failure) {
      let conclusion = try unlockDevice(in: context, options, subject, isReusable: isReusable)
      // Unlocking an unlocked device takes no proof, so it takes back no Cancel.
      if conclusion.evidence != .nothing {
        note(.unlock)
        core.refusals.withLock { $0.noteUnlock() }
      }
      return conclusion
    } catch {
      // A request without a person to ask has tried nothing.
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
      try enclave.tell(UnlockWithMatch(context: context, isReusable: isReusable))
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
  /// Whether a person sees the prompt, or learns otherwise that a touch is awaited. A tape is no
  /// person.
  var reachesPerson: Bool { touch == .person || touch == .unattended || canGivePasscode }
}
