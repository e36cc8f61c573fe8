import LinuxSystem
import Protocol
import Synchronization

/// One running request: who asked, what it uses, and the inbox of its events.
final class Call: Sendable {
  let core: Core
  let link: ClientLink
  let sensors: SensorSource
  let inbox: RequestInbox
  /// The contexts that its client opened.
  let contexts: ClientContexts
  /// The enclave that the request asks.
  let enclave: RequestEnclave
  private let request: QueuedRequest
  /// Its place among the running requests; nil for one that waits for nothing.
  private let turn: RequestTurns.Turn?
  /// Numbers its prompts.
  let prompts = SerialNumbers()
  /// How the owner's presence was proved so far.
  private let proof = Mutex<ProvedBy?>(nil)
  private let startedAt: UInt64

  /// `turn` is nil for a request that waits for nothing.
  init(
    _ connection: ClientConnection, _ request: QueuedRequest, _ inbox: RequestInbox,
    _ enclave: EnclaveClient, _ turn: RequestTurns.Turn?
  ) {
    core = connection.core
    link = connection.link
    sensors = connection.sensors
    contexts = connection.contexts
    self.inbox = inbox
    self.request = request
    self.enclave = RequestEnclave(enclave, inbox)
    self.turn = turn
    startedAt = core.clock.now()
  }

  var identifier: UInt32 { request.identifier }
  /// Whether the kernel says which process speaks.
  var hasKnownWriter: Bool { request.hasKnownWriter }

  /// Takes locked memory for a reply of `count` bytes until it has been sent.
  /// - Throws: `busy` if the client, or all together, hold too much.
  func holdMemory(forReply count: Int) throws(Failure) {
    guard let share = core.secrets.room(forReply: count, of: link.peer) else {
      throw SecretLedger.full
    }
    request.hold(share)
  }

  /// Gives up its place before it waits for a person, so that others run.
  /// - Throws: `busy` if too many wait already.
  func attend() throws(Failure) { try turn?.attend() }

  /// The time since the request began to run.
  var seconds: Double { Double(core.clock.now() &- startedAt) / 1e9 }

  /// Sends a message of the request that is not its reply.
  func send(_ message: borrowing some WireMessage & ~Copyable) throws(Failure) {
    guard link.send(ClientEnvelope.encode(message, request: identifier)) else {
      throw Failure(.systemCancel, "the client is gone")
    }
  }

  // MARK: State

  func enclaveStatus() throws(Failure) -> EnclaveStatus {
    try enclave.askAtOnce(GetEnclaveStatus())
  }

  /// The policy's next step. `told` is the enclave's status if it was just told; else the enclave
  /// is asked.
  func policyStep(
    for moment: PolicyMoment, _ told: EnclaveStatus? = nil
  ) throws(Failure) -> PolicyStep.Action {
    let status = if let told { told } else { try enclaveStatus() }
    var device = DeviceState()
    let sensor = moment.isSensorLost ? nil : sensors.present
    device.hasSensor = sensor != nil
    device.isPasscodeSet = status.isPasscodeSet
    device.fingers = matchableFingers(status, sensor)
    device.isLockedOut = status.isLockedOut
    device.isFirstUnlocked = status.isFirstUnlocked
    device.isLocked = status.isLocked
    device.isBiometricUnlockArmed = status.isBiometricUnlockArmed
    var client = moment.client
    client.mayTouch = sensor.map { moment.touch.allows($0) } ?? true
    return try core.policy.step(
      PolicyQuestion(
        request: moment.request, device: device, client: client,
        progress: moment.progress), for: inbox)
  }

  /// The open sensor, for a request that waits for its touches.
  /// - Throws: `notInteractive` if the client may not wait for a touch of this sensor, `busy` while
  ///   another request waits for one, and what opening it fails with.
  func sensor(_ touch: AwaitedTouch) throws(Failure) -> RunningSensor {
    let selected = try sensors.selected()
    guard touch.allows(selected) else {
      throw Failure(
        .notInteractive, "a touch of the reader is awaited only where a person sees the prompt",
        hint: "run it in the foreground of a terminal of this machine; without one, --unattended "
          + "waits")
    }
    if !selected.isPlayed {
      try core.touchTurn.take(for: inbox, unattended: touch == .unattended, at: core.clock.now())
    }
    return try sensors.sensor(for: enclave.client)
  }

  /// - Throws: `refusedByService` if the client would wait for a touch without a visible prompt.
  func checkAttendance(_ touch: AwaitedTouch) throws(Failure) {
    guard touch == .unattended, core.isService else { return }
    throw Failure(
      .refusedByService, "the service waits for no touch without a person who is asked for it",
      hint: "leave --unattended out, and run it at a terminal")
  }

  /// How many enrolled fingers a sensor's frames can match.
  func matchableFingers(_ status: EnclaveStatus, _ sensor: SelectedSensor?) -> UInt32 {
    guard let sensor else { return 0 }
    return sensor.matchesOnChip
      ? status.chipFingers : status.fingers(from: sensor.choice.frameSource.origin)
  }

  // MARK: Auditing

  /// Keeps how the owner's presence was proved, for what is written down later.
  func keepProof(_ evidence: ProvedBy) { proof.withLock { $0 = evidence } }

  /// Writes down what happened for this request's client, and how the owner's presence was proved.
  /// A door's record has the name of the `subject`, too.
  func note(_ event: AuditRecord.Event, outcome: String = "done", subject: String? = nil) {
    guard let audit = core.audit(of: link) else { return }
    audit(
      AuditRecord(
        event: event, outcome: outcome, evidence: proof.withLock { $0 }?.auditName, user: core.user,
        application: link.application, process: link.peer.process, door: link.door,
        caller: link.caller?.name ?? "", subject: link.door == nil ? nil : subject))
  }

  private static var counted: String { "counted" }

  /// Writes down the result of a touch or a passcode.
  func note(_ event: MachineEvent) {
    switch event {
    case .outcome(.missed(_, _, _, let isLockedOut, _)),
      .stopped(.some(.missed(_, _, _, let isLockedOut, _))):
      note(.miss, outcome: Self.counted)
      if isLockedOut { note(.lockout, outcome: Self.counted) }
    case .verified(isRight: false): note(.wrongPasscode, outcome: Self.counted)
    default: break
    }
  }

  // MARK: Agents

  /// Makes the connection serve as an agent until the request is cancelled or the connection ends.
  /// - Throws: why it no longer does; it never returns.
  func serveAsAgent(_: BecomeAgent) throws(Failure) -> Done {
    // Not for root acting as the user: only that user sees the prompts.
    guard link.isAgentProgram, link.peer.user == core.user else {
      throw Failure(
        .errSecMissingEntitlement, "prompts of other programs are shown by authcore-agent only",
        hint: "the core takes the one that lies beside it")
    }
    let agent = ServingAgent(link, request: identifier)
    inbox.relayAnswers { [core] answer, prompt in
      core.agents.deliver(answer, to: prompt, from: agent)
    }
    try core.agents.add(agent)
    defer { core.agents.remove(agent) }
    turn?.leave()
    // Prompts and answers do not come here, only the end.
    while true { _ = try inbox.next() }
  }
}

/// Numbers from 1, none given twice, so that a late event cannot reach another session. Any thread.
final class SerialNumbers: Sendable {
  private let last = Atomic<UInt64>(0)

  func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

extension AwaitedTouch {
  func allows(_ sensor: SelectedSensor) -> Bool {
    switch self {
    case .none: false
    case .played: sensor.isPlayed
    case .person, .unattended: true
    }
  }
}

extension ProvedBy {
  /// The value of `AUTHCORE_EVIDENCE`; nil if nothing had to be proved.
  fileprivate var auditName: String? {
    switch self {
    case .biometry: "biometry"
    case .passcode: "passcode"
    case .nothing: nil
    }
  }
}
