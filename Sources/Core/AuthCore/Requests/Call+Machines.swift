import LinuxSystem
import Protocol
import Synchronization

extension Call {
  /// What the policy is told at the beginning of a request with these options.
  func moment(_ request: PolicyRequest, _ options: PromptOptions) -> PolicyMoment {
    var moment = PolicyMoment(request: request)
    moment.note(options)
    moment.client.hidesFallback = options.fallbackTitle == ""
    return moment
  }

  /// How long a touch is waited for, in milliseconds.
  private func milliseconds(_ options: PromptOptions) -> UInt32 {
    options.timeoutMilliseconds == 0
      ? core.limits.touchMilliseconds
      : min(options.timeoutMilliseconds, PromptOptions.longestTimeoutMilliseconds)
  }

  /// Has the person prove what the policy wants; the evidence goes into `context`. What that held
  /// before is `held`.
  func evaluate(
    _ moment: PolicyMoment, about subject: PromptSubject, context: ContextName,
    options: PromptOptions,
    goal: EvaluationMachine.Goal = .authentication, held: EvidenceSet = [],
    unlocksDevice: Bool = false
  ) throws(Failure) -> EvaluationMachine.Conclusion {
    let isStrict = moment.request.requiresStrictMatch
    do throws(Failure) {
      return try asking(options, subject) { (prompter) throws(Failure) in
        if subject.unlocks {
          guard prompter.options.reachesPerson else { throw Self.nobodyToAsk }
          try attend()
          try prompter.begin()
          // Another request may have had it unlocked while this one waited for its turn.
          guard try isDeviceLocked() else { return EvaluationMachine.Conclusion() }
        }
        let runner = MachineRunner(self, prompter) { [self] (passcode) throws(Failure) in
          try tell(
            VerifyPasscode(
              context: context, unlocksDevice: unlocksDevice, mayErase: passcode.mayErase,
              passcode: passcode.take(), asTyped: passcode.takeTyped()))
        } giveAppPassword: { [self] (password) throws(Failure) in
          try give(password.take(), to: context)
        } begin: { (session, channel) throws(Failure) in
          BeginMatch(
            session: session, channel: channel, context: context, requiresStrictMatch: isStrict,
            tellsScore: goal == .oneComparison)
        }
        return try evaluate(moment, prompter.options, goal, held, runner)
      }
    } catch {
      forgetEvidence(in: context)
      throw error
    }
  }

  /// Asks for the passcode where the request itself takes it to the enclave: `use` does.
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

  /// Has the enclave judge a passcode, within what this user may cost the TPM of the machine.
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
    proof.withLock { $0 = machine.conclusion.evidence }
    return machine.conclusion
  }

  /// Takes the touches of a finger, and makes them one.
  func enroll(_ request: EnrollFinger, context: ContextName) throws(Failure) -> EnrolledFinger {
    try asking(request.options, PromptSubject(.fingers)) { (prompter) throws(Failure) in
      let runner = MachineRunner(self, prompter) { (session, channel) throws(Failure) in
        BeginEnrollment(
          session: session, channel: channel, context: context, name: request.name,
          isRelaxed: request.isRelaxed)
      }
      defer { runner.end() }
      var machine = EnrollmentMachine(
        wanted: request.touches, milliseconds: milliseconds(request.options),
        mostRetries: core.limits.retriesInARow, pause: core.limits.pause(prompter.options.touch))
      try runner.run(&machine)
      return try ask(CommitEnrollment(session: try runner.openSession().identifier))
    }
  }
}

extension PolicyMoment {
  /// What can be asked of a person, by whoever shows the prompts.
  fileprivate mutating func note(_ options: PromptOptions) {
    client.mayPrompt = options.mayPrompt
    touch = options.touch
    client.canGivePasscode = options.canGivePasscode
  }
}
