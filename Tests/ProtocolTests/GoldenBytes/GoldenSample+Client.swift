import Protocol

// Made-up messages between a client and the core.

extension GoldenSample {
  static var client: [GoldenSample] {
    [
      GoldenSample(Hello(protocolVersion: 2, softwareVersion: "0.1")),
      GoldenSample(
        Welcome(protocolVersion: 2, softwareVersion: "0.2", isService: true, process: 4711)),
      GoldenSample(Quit(unlessUnlocked: true)),
      GoldenSample(ServeUser(user: 1000)),
      GoldenSample(GiveStateBytes(bytes: [1, 2, 3])),
      GoldenSample(GiveStateFile(part: .keychain, name: "keychain.sqlite")),
      GoldenSample(AdoptState()),
      GoldenSample(GetServiceTroubles()),
      GoldenSample(
        ServiceTroubles([
          ServiceTrouble(
            subject: "logind", text: "it is away", remedy: "start it", isProblem: true)
        ])),
      GoldenSample(CoreReady(process: 4712, wasRunning: true)),
      GoldenSample(
        ResolvedDriver(
          driver: "/usr/lib/authcore/drivers/replay.so",
          options: [DriverOption(name: "tape", value: "/t.tape", hasDescriptor: true)],
          files: ["/t.tape"], isSynthetic: false)),
      GoldenSample(
        UseDriver(
          driver: "replay",
          options: [
            DriverOption(name: "tape", value: "/tmp/a.tape", hasDescriptor: true),
            DriverOption(name: "pace", value: "1", hasDescriptor: false),
          ])),
      GoldenSample(
        EngineRequest(
          engine: .enclave, context: 60, options: prompting, interaction: .forbidden,
          message: ListFingers().encoded())),
      GoldenSample(
        Evaluate(policy: .owner, reuseSeconds: 300, context: 65, options: prompting)),
      GoldenSample(CanEvaluate(policy: .biometrics)),
      GoldenSample(Evaluated(evidence: .biometry, finger: "thumb", seconds: 0.5, age: 61)),
      GoldenSample(NewContext()),
      GoldenSample(ContextOpened(context: 63)),
      GoldenSample(InvalidateContext(context: 64)),
      GoldenSample(
        EnrollFinger(
          name: "thumb", touches: 7, isRelaxed: true,
          consent: ChipConsent(opensItems: false, acceptsPlug: true), options: .none)),
      GoldenSample(WorkOnReader(work: .clear, options: .none)),
      GoldenSample(
        ReaderReport(
          contents: ReaderContents(own: 1, leftovers: 2, others: 3, capacity: 10))),
      GoldenSample(TestFinger(options: prompting)),
      GoldenSample(FingerTested(isMatch: true, finger: "thumb", score: 31.5, threshold: 14)),
      GoldenSample(
        ChangePasscode(replacement: sampleSecret("battery"), eraseAfter: 10, options: prompting)),
      GoldenSample(RemovePasscode(options: prompting)),
      GoldenSample(MigrateRootKey(to: .tpm, options: prompting)),
      GoldenSample(RootKeyMigrated(place: .file, didMove: true)),
      GoldenSample(AbandonLostDevice()),
      GoldenSample(UnlockDevice(options: prompting)),
      GoldenSample(
        Prompt(
          prompt: 2, awaitsTouch: true, fallback: .passcode, fallbackTitle: "Use passcode",
          cancelTitle: nil, reason: "open the vault", refusedPasscodes: 1, secret: .appPassword,
          matter: .key,
          item: "vault", unlocks: true, application: "/usr/bin/chores", nameProtects: true,
          claimedName: "Chores", door: .docker)),
      GoldenSample(PromptAnswer(prompt: 3, kind: .shown), "shown"),
      GoldenSample(
        PromptAnswer(
          prompt: 4, kind: .passcode, passcode: sampleSecret("staple"),
          asTyped: sampleSecret("stáple")),
        "a passcode"),
      GoldenSample(
        PromptAnswer(prompt: 5, kind: .harmlessPasscode, passcode: sampleSecret("pin")),
        "a passcode that erases nothing"),
      GoldenSample(Cancel()),
      GoldenSample(BecomeAgent()),
      GoldenSample(AgentPromptEnded(prompt: 7, outcome: .refused)),
      GoldenSample(ActFor(program: ProgramFile(device: 80, inode: 81))),
      GoldenSample(ActingFor(program: ProgramFile(device: 82, inode: 83))),
      GoldenSample(GetStatus()),
      GoldenSample(status),
    ] + progress
  }

  private static var progress: [GoldenSample] {
    let picture = CoveragePicture(columns: 2, times: [1, 2, 0, 15], clarity: [9, 0, 3, 15])
    return [
      GoldenSample(Progress(.awaitingTouch), "awaiting touch"),
      GoldenSample(Progress(.retry(reason: 3)), "try again"),
      GoldenSample(Progress(.missed(left: 2)), "missed"),
      GoldenSample(Progress(.matched(finger: "thumb")), "matched"),
      GoldenSample(
        Progress(
          .taken(
            TakenTouch(
              touches: 4, coverage: 0.25, isComplete: true, advice: .moveUp, picture: picture))),
        "touch taken"),
      GoldenSample(Progress(.refused(.joinsNothing)), "touch refused"),
      GoldenSample(Progress(.sensorLost(message: "unplugged")), "sensor lost"),
    ]
  }

  private static let prompting = PromptOptions(
    reason: "read the mail", fallbackTitle: "", cancelTitle: "No", timeoutMilliseconds: 30_000,
    mayPrompt: true, touch: .unattended, canGivePasscode: false, prefersPasscode: true,
    mayUseAgent: true, applicationName: "Mail")

  private static let status = CoreStatus(
    isService: false, driverName: "replay", driverPath: "/lib/replay.so", device: nil,
    sensor: SensorFacts(kind: "press", width: 160, height: 161, pixelsPerInch: 500),
    absence: .unpaired, enclavePath: "/lib/enclave.so", keychainPath: "/lib/keychain.so",
    policyPath: "/lib/policy.so", isPasscodeSet: true, passcodeDelay: 60,
    eraseAfter: 10, wrongPasscodes: 5, fingers: 3, matchableFingers: 2,
    isLocked: false, isFirstUnlocked: true, isLockedOut: false, misses: 4,
    isBiometricUnlockArmed: true, rootKey: "file", domainState: [1, 2, 3], isMemoryLocked: false,
    isRollbackDetected: true,
    sandboxes: [SandboxFacts(process: "driver", lacking: "landlock", isOff: false)],
    home: "/home/ann/.local/state/authcore", lockAfterSeconds: 900, lockRule: .screen,
    doors: [RunningDoor(door: .age, caller: "/usr/bin/age")], isKeychainMissing: true)
}
