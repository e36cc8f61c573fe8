import LinuxSystem
import Protocol
import Synchronization

/// One request that runs: who asked, what it uses, and where it hears of what happens meanwhile.
final class Call: Sendable {
  let core: Core
  let link: ClientLink
  let sensors: SensorSource
  let inbox: RequestInbox
  /// The contexts its client opened, and who that is.
  let contexts: ClientContexts
  let request: QueuedRequest
  /// The one enclave of this request: when it ends, so does the request.
  let enclave: EnclaveClient
  /// Its place among the requests that run; nil for one that waits for nobody.
  private let turn: RequestTurns.Turn?
  /// Numbers of its prompts.
  let prompts = SerialNumbers()
  /// The context of this request, while the enclave has not been told of it: that goes with the next
  /// question.
  private let owed = Mutex<OpenContext?>(nil)
  /// How the owner's presence was proved while it ran.
  let proof = Mutex<ProvedBy?>(nil)
  private let startedAt: UInt64

  init(
    core: Core, link: ClientLink, sensors: SensorSource, contexts: ClientContexts,
    inbox: RequestInbox, request: QueuedRequest, enclave: EnclaveClient,
    turn: RequestTurns.Turn?
  ) {
    self.core = core
    self.link = link
    self.sensors = sensors
    self.contexts = contexts
    self.inbox = inbox
    self.request = request
    self.enclave = enclave
    self.turn = turn
    startedAt = core.clock.now()
  }

  /// The client's name for it.
  var identifier: UInt32 { request.identifier }

  /// Takes locked memory for a reply of `count` bytes, until that has been sent.
  /// - Throws: `busy` where the client, or all together, hold too much.
  func holdMemory(forReply count: Int) throws(Failure) {
    guard let share = core.secrets.room(forReply: count, of: link.peer) else {
      throw SecretLedger.full
    }
    request.hold(share)
  }

  /// Gives up its place before it waits for a person; others run meanwhile.
  /// - Throws: `busy` where too many wait already.
  func attend() throws(Failure) { try turn?.attend() }

  /// The same for a connection that serves as an agent, of which there are few.
  func attendAsAgent() { turn?.leave() }

  /// Since the request began to run.
  var seconds: Double { Double(core.clock.now() &- startedAt) / 1e9 }

  /// Sends what belongs to the request and is not its reply.
  func send(_ message: borrowing some WireMessage & ~Copyable) throws(Failure) {
    guard link.send(ClientEnvelope.encode(message, request: identifier)) else {
      throw Failure(.systemCancel, "the client is gone")
    }
  }

  // MARK: The enclave

  /// Asks the enclave for a reply of this kind; leaves soon when the request is interrupted.
  func ask<Reply: WireMessage & ~Copyable>(
    _ request: borrowing some WireMessage & ~Copyable, reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    try openOwed()
    return try enclave.ask(request, for: inbox)
  }

  /// Tells the enclave what it answers with ``Protocol/Done``.
  func tell(_ request: borrowing some WireMessage & ~Copyable) throws(Failure) {
    try openOwed()
    try enclave.tell(request, for: inbox)
  }

  /// Asks what holds no secret together with what the enclave is owed.
  private func askAtOnce<Reply: WireMessage>(_ request: some WireMessage) throws(Failure) -> Reply {
    guard let owed = takeOwed() else { return try enclave.ask(request, for: inbox) }
    return try enclave.ask([owed], then: request, for: inbox)
  }

  /// Has the enclave open a context before it is asked anything more.
  func owe(_ context: OpenContext) { owed.withLock { $0 = context } }

  /// The context that the enclave has not been told of, which nobody tells it of any more.
  func takeOwed() -> OpenContext? { owed.withLock { $0.take() } }

  /// Opens the context that the enclave has not been told of.
  func openOwed() throws(Failure) {
    if let owed = takeOwed() { try enclave.tell(owed, for: inbox) }
  }

  // MARK: State

  /// What the enclave says of the device.
  func enclaveStatus() throws(Failure) -> EnclaveStatus {
    try askAtOnce(GetEnclaveStatus())
  }

  /// What the policy advises next, on a device of which the enclave has just said this; nil: it is
  /// asked.
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
  /// - Throws: `notInteractive` where the client may not wait for one of this sensor, `busy` while
  ///   another request waits for a touch, and what opening it fails with.
  func sensor(_ touch: AwaitedTouch) throws(Failure) -> RunningSensor {
    let selected = try sensors.selected()
    guard touch.allows(selected) else {
      throw Failure(
        .notInteractive, "a touch of the reader is awaited only where a person sees the prompt",
        hint: "run it in the foreground of a terminal of this machine; without one, --unattended "
          + "waits")
    }
    if !selected.isPlayed {
      try core.touchTurn.take(
        for: inbox, unattended: touch == .unattended, at: core.clock.now())
    }
    return try sensors.sensor(for: enclave)
  }

  /// - Throws: `refusedByService` where the client would wait for a touch that nobody sees a prompt
  ///   for.
  func checkAttendance(_ touch: AwaitedTouch) throws(Failure) {
    guard touch == .unattended, core.isService else { return }
    throw Failure(
      .refusedByService, "the service waits for no touch without a person who is asked for it",
      hint: "leave --unattended out, and run it at a terminal")
  }

  /// The enrolled fingers that frames of a sensor can match.
  func matchableFingers(_ status: EnclaveStatus, _ sensor: SelectedSensor?) -> UInt32 {
    sensor.map { status.fingers(from: core.frameSource(of: $0.choice).origin) } ?? 0
  }
}

/// Numbers from 1, none given twice: a late event cannot meet another's session. Any thread.
final class SerialNumbers: Sendable {
  private let last = Atomic<UInt64>(0)

  func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

extension AwaitedTouch {
  /// Whether a touch of this sensor may be awaited.
  func allows(_ sensor: SelectedSensor) -> Bool {
    switch self {
    case .none: false
    case .played: sensor.isPlayed
    case .person, .unattended: true
    }
  }
}
