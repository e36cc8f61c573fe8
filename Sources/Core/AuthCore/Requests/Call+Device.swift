import Glibc
import LinuxSystem
import PluginHosting
import Protocol
import Sandbox

extension Call {
  /// What `authcore status` shows. Opens no device.
  func status(_: GetStatus) throws(Failure) -> CoreStatus {
    let status = try enclaveStatus()
    let sensor = sensors.present
    let driver = (sensor?.choice ?? sensors.named)?.driver
    return CoreStatus(
      isService: core.isService, driverName: driver?.description.name,
      driverPath: driver?.path, device: sensor.flatMap(device),
      sensor: sensor.map(facts),
      absence: sensor == nil
        ? sensors.absence(hasRealFingers: status.fingers > status.syntheticFingers) : nil,
      enclavePath: enclave.client.host.path,
      keychainPath: core.keychain.path, policyPath: core.policy.path,
      isPasscodeSet: status.isPasscodeSet, passcodeDelay: status.passcodeDelay,
      eraseAfter: status.eraseAfter, wrongPasscodes: status.wrongPasscodes,
      fingers: status.fingers,
      matchableFingers: matchableFingers(status, sensor), isLocked: status.isLocked,
      isFirstUnlocked: status.isFirstUnlocked, isLockedOut: status.isLockedOut,
      misses: status.misses, isBiometricUnlockArmed: status.isBiometricUnlockArmed,
      rootKey: status.rootKey, domainState: status.domainState,
      isMemoryLocked: status.isMemoryLocked && SecretArena.isLocked,
      isRollbackDetected: status.isRollbackDetected, sandboxes: sandboxes, home: core.home,
      lockAfterSeconds: core.lockAfter, lockRule: status.lockRule,
      doors: core.runningDoors,
      isKeychainMissing: status.hasKeychain && !hasKeychainFile)
  }

  /// Whether there is something in the keychain's file.
  private var hasKeychainFile: Bool {
    var status = stat()
    let path = core.home + "/keychain/keychain.sqlite"
    return unsafe stat(path, &status) == 0 && status.st_size > 0
  }

  func serviceTroubles(_: GetServiceTroubles) -> ServiceTroubles { core.serviceTroubles() }

  /// The device's text. A tape says that its frames may repeat.
  private func device(_ sensor: SelectedSensor) -> String? {
    sensor.choice.frameSource.mayRepeat ? CoreStatus.repeatingDevice : sensor.source?.text
  }

  /// What the open device is, if its driver told, or else what the driver's description says.
  private func facts(_ sensor: SelectedSensor) -> SensorFacts {
    let description = sensor.choice.driver.description
    let identity =
      sensors.identity(of: sensor)
      ?? SensorIdentity(
        scanType: description.scanType, width: description.width, height: description.height,
        pixelsPerInch: description.pixelsPerInch)
    return SensorFacts(
      kind: identity.scanType == .swipe ? "swipe" : "press", width: identity.width,
      height: identity.height, pixelsPerInch: identity.pixelsPerInch,
      compares: sensor.matchesOnChip ? .chip : .image,
      isBuiltIn: sensor.matchesOnChip && (sensor.isPlayed || sensor.device?.place == .builtIn))
  }

  private var sandboxes: [SandboxFacts] {
    var facts = [Self.facts("enclave", enclave.client.host.ready.report)]
    if let ready = sensors.ready { facts.append(Self.facts("driver", ready.report)) }
    var lacks = core.hardeningLacks
    if SecretArena.hasSpilled { lacks.append("a secret lay in memory that could not be locked") }
    if !lacks.isEmpty {
      facts.append(
        SandboxFacts(process: "core", lacking: lacks.joined(separator: ", "), isOff: false))
    }
    return facts
  }

  private static func facts(_ process: String, _ report: SandboxReport) -> SandboxFacts {
    SandboxFacts(
      process: process, lacking: String(report.lacks.joined(separator: ", ").prefix(4000)),
      isOff: !report.isOn)
  }

  func setPasscode(_ request: consuming SetPasscode) throws(Failure) -> Done {
    try enclave.tell(request)
    core.noteProof()
    return Done()
  }

  /// Replaces the passcode. The enclave verifies the current one itself; no evidence replaces it.
  func changePasscode(_ request: consuming ChangePasscode) throws(Failure) -> Done {
    let replacement = SharedSecret(request.replacement.shared())
    let eraseAfter = request.eraseAfter
    try takePasscode(request.options, .passcode) { [self] (current) throws(Failure) in
      try enclave.tell(
        ReplacePasscode(
          current: current.take(), asTyped: current.takeTyped(),
          replacement: replacement.shared(), eraseAfter: eraseAfter))
    }
    return Done()
  }

  /// Removes the passcode at the enclave, then the rows of the items that depended on it.
  func removePasscode(_ request: RemovePasscode) throws(Failure) -> ItemsChanged {
    try takePasscode(request.options, .passcode) { [self] (current) throws(Failure) in
      try enclave.tell(ErasePasscode(current: current.take(), asTyped: current.takeTyped()))
    }
    return try core.keychain.ask(RemovePasscodeBoundItems(), for: self)
  }

  /// Moves the root key. If a passcode is set the enclave verifies it itself; no evidence replaces
  /// it.
  func migrateRootKey(_ request: MigrateRootKey) throws(Failure) -> RootKeyMigrated {
    let status = try enclaveStatus()
    let present: RootKeyPlace = status.rootKey == RootKeyPlace.tpm.name ? .tpm : .file
    let place = request.place ?? (present == .tpm ? .file : .tpm)
    guard place != present else { return RootKeyMigrated(place: place, didMove: false) }
    do throws(Failure) {
      if status.isPasscodeSet {
        try takePasscode(request.options, .rootKey) { [self] (passcode) throws(Failure) in
          try enclave.tell(
            MoveRootKey(to: place, passcode: passcode.take(), asTyped: passcode.takeTyped()))
        }
      } else {
        try enclave.tell(MoveRootKey(to: place, passcode: SecretBytes(count: 0)))
      }
    } catch  where error.code == .errSecNotAvailable && core.isService {
      throw Failure(
        error.code, error.message,
        hint:
          "see authcore doctor; once there is a TPM that the user authcore may use (group tss): "
          + "sudo systemctl restart authcored")
    }
    return RootKeyMigrated(place: place, didMove: true)
  }

  func abandonLostDevice(_: AbandonLostDevice) throws(Failure) -> Done {
    try enclave.tell(SetStateAside())
    return Done()
  }

  /// Has a reader that matches on the chip count or remove its templates.
  func workOnReader(_ request: WorkOnReader) throws(Failure) -> ReaderReport {
    let touch = request.options.touch
    return try withContext { (context) throws(Failure) in
      if request.work == .clear {
        try checkOthers(on: touch, context)
        _ = try evaluate(
          moment(.passcodeOnly, request.options), about: PromptSubject(.fingers), context: context,
          options: request.options)
        // Another user may have enrolled while the passcode was typed.
        try checkOthers(on: touch, context)
      }
      return ReaderReport(contents: try readerContents(request.work, context, touch))
    }
  }

  /// - Throws: `refusedByService` if the reader holds what only root may clear.
  private func checkOthers(on touch: AwaitedTouch, _ context: ContextName) throws(Failure) {
    guard core.isService, link.peer.user != 0,
      try readerContents(.list, context, touch).others > 0
    else { return }
    throw Failure(
      .refusedByService,
      "the reader holds templates of other users or of another system; only root clears those",
      hint: "sudo authcore finger clear-reader, or remove your own: authcore finger remove")
  }

  private func readerContents(
    _ work: ChipWork, _ context: ContextName, _ touch: AwaitedTouch
  ) throws(Failure) -> ReaderContents {
    let touches = try RequestTouches(
      self, sensor: try sensor(touch), isAwaiting: false
    ) { (session, channel) throws(Failure) in
      BeginChipWork(session: session, channel: channel, context: context, work: work)
    }
    defer { touches.end() }
    while true {
      switch try touches.next(within: 30_000, onStart: {}) {
      case .outcome(.chip(let contents, let isLast), _):
        if isLast { return contents }
      case .outcome(.failed(let failure), _), .lost(let failure): throw failure
      case .outcome(.ended(_, let message), _):
        throw Failure(
          .driverFailed, "the reader did not do it: \(message)",
          hint: "unplug it and plug it in again, or restart the machine if it is built in")
      case .outcome: throw EngineAnswer.unreadable("enclave", reason: "an event of a touch")
      case .answer: continue
      }
    }
  }

  func enrollFinger(_ request: EnrollFinger) throws(Failure) -> EnrolledFinger {
    let moment = moment(.passcodeOnly, request.options)
    if case .fail(let failure) = try policyStep(for: PolicyMoment(request: .passcodeOnly)) {
      throw failure
    }
    // Fails before the passcode is asked for if the rest cannot work.
    try checkAttendance(request.options.touch)
    _ = try sensor(request.options.touch)
    guard try enclaveStatus().isFirstUnlocked else {
      throw Failure(
        .errSecInteractionNotAllowed, "no finger can be enrolled before the first unlock",
        hint: "unlock the device: authcore unlock")
    }
    return try withContext { (context) throws(Failure) in
      _ = try evaluate(
        moment, about: PromptSubject(.fingers), context: context, options: request.options)
      return try enroll(request, context: context)
    }
  }

  /// Compares one touch. The evidence is dropped with its context.
  func testFinger(_ request: TestFinger) throws(Failure) -> FingerTested {
    try withContext { (context) throws(Failure) in
      var moment = moment(.biometrics, request.options)
      moment.client.hidesFallback = true
      let conclusion = try evaluate(
        moment, about: PromptSubject(.trial), context: context, options: request.options,
        goal: .oneComparison)
      return FingerTested(
        isMatch: conclusion.isMatch, finger: conclusion.finger, score: conclusion.score,
        threshold: conclusion.threshold)
    }
  }
}
