import Glibc
package import LinuxSystem
import PluginHosting
package import Protocol
import Synchronization

/// The core: it knows clients, prompts and drivers, and never sees a key, a print or a frame.
///
/// It brokers between its clients and the engines: the enclave in a process of its own, keychain
/// and policy in this one.
package final class Core: Sendable {
  private struct State: Sendable {
    var clients = SeatedClients()
    /// How many clients have been served.
    var arrivals: UInt64 = 0
    var isEnding = false
    /// When the owner was last proved to be there, in nanoseconds since boot; when the core
    /// started, where never.
    var lastProof: UInt64
    /// Those that were open when the core ended: a client that waits for the end gets it when the
    /// process is gone.
    var heldOpen: [ClientConnection] = []
  }

  /// The state folder, absolute.
  package let home: String
  /// Whether this is one of the cores of the machine's service.
  package let isService: Bool
  /// What this process could not give up at its start.
  package let hardeningLacks: [String]
  package let limits: CoreLimits
  package let clock: BootClock
  /// Seconds that stand in place of what the owner has set (`--lock-after`).
  private let statedLockAfter: UInt32?
  /// Says when a screen of the user's is locked; nil: nobody does.
  private let screens: ScreenWatch?
  let process = UInt32(getpid())
  /// Names for contexts and sessions.
  let names = SerialNumbers()
  private let applications: any ApplicationNaming
  private let parts: Parts
  /// What the cores of this process share.
  private let devices: SharedDevices
  /// The service that this core is a part of.
  let service: ServiceMembership?
  /// Whose core it is.
  let user: UInt32
  /// Who shows prompts for clients that cannot.
  let agents: PromptAgents
  /// Says who may ask a person; nil: each client says so of itself.
  let foreground: Foreground?
  /// How often applications were turned down, where that is looked at.
  let promptRate = Mutex(PromptRate())
  /// Whose prompts to unlock the owner has cancelled.
  let unlockPause = Mutex(UnlockPause())
  private let state: Guarded<State>
  /// Not part of `state`: whoever waits for a change there need not wake for every request.
  private let lastActivity: Atomic<UInt64>

  /// How long requests may take to come to their end.
  package static let patienceWithOthers: UInt64 = 3_000_000_000

  /// A core without clients.
  /// - Parameters:
  ///   - parts: what it is made of.
  ///   - home: its state folder, absolute.
  ///   - service: the service of the machine that it is a part of; nil: it is a process of its own.
  ///   - hardeningLacks: what this process could not give up at its start.
  ///   - limits: what it puts up with.
  ///   - clock: what time it is.
  ///   - lockAfter: seconds without proof of the owner after which it locks the device; nil: as the owner
  ///     has set.
  ///   - agentProgram: the path of the program that shows prompts for others, where that is not
  ///     `authcore-agent` beside this one.
  ///   - foreground: says who may ask a person; nil: each client says so of itself.
  ///   - screens: says when a screen of the user's is locked; nil: nobody does.
  package init(
    _ parts: Parts, home: String, of service: ServiceMembership? = nil,
    hardeningLacks: [String] = [], limits: CoreLimits = CoreLimits(), clock: BootClock = .system,
    lockAfter: UInt32? = nil, agentProgram: [UInt8]? = nil, foreground: Foreground? = nil,
    screens: ScreenWatch? = nil
  ) {
    self.parts = parts
    self.foreground = foreground
    applications =
      service?.naming ?? ApplicationNames(beside: .ofThisProcess(), agent: agentProgram)
    agents = PromptAgents(limits)
    devices =
      service?.devices
      ?? SharedDevices(parts, preferenceFile: home + "/reader", secrets: limits.secrets)
    self.service = service
    user = service?.user ?? geteuid()
    self.home = home
    isService = service != nil
    self.hardeningLacks = hardeningLacks
    self.limits = limits
    self.clock = clock
    statedLockAfter = lockAfter
    self.screens = screens
    state = Guarded(State(lastProof: clock.now()))
    lastActivity = Atomic(clock.now())
  }

  /// The readers of this machine.
  var readers: Readers { devices.readers }
  /// Which request waits for a touch.
  var touchTurn: TouchTurn { devices.touchTurn }
  /// The wrong passcodes that the TPM remembers; nil: this core serves one user alone.
  var tpmTries: TPMTryLedger? { isService ? devices.tpmTries : nil }
  /// The locked memory that clients hold.
  var secrets: SecretLedger { devices.secrets }
  /// What reads from clients and runs their requests.
  var connections: ConnectionServer { parts.connections }
  var enclaves: EnclaveSupervisor { parts.enclaves }
  var keychain: KeychainClient { parts.keychain }
  var policy: PolicyAdvice { parts.policy }
  var findDriver: @Sendable (String) throws(Failure) -> InstalledDriver { parts.findDriver }
  var startDriver: SensorSource.Start { parts.startDriver }

  /// What the enclave is told of the frames of a driver.
  func frameSource(of choice: DriverChoice) -> FrameSource {
    choice.frameSource(in: parts.installation)
  }

  /// Opens what stands behind a driver; a recording was opened by the client.
  func openDevice(_ source: DeviceSource, _ recording: Int32?) throws(Failure) -> OpenedDevice {
    if case .recording(_, let text) = source, let recording {
      return try OpenedDevice(recording: recording, text: text)
    }
    return try OpenedDevice(source, in: parts.installation)
  }

  /// Takes no more clients and ends the connections of all but one.
  /// - Returns: whether they have ended.
  /// - Throws: `systemCancel` where this core is ending already: whoever ends it waits for no adoption,
  ///   and of two clients that move a state at the same time one does.
  func closeForAdoption(but link: ClientLink) throws(Failure) -> Bool {
    let others = state.update { state -> [ClientConnection]? in
      guard !state.isEnding else { return nil }
      state.isEnding = true
      return state.clients.all.filter { $0.link !== link }
    }
    guard let others else { throw Self.ending }
    for connection in others { connection.close(Self.ending) }
    return state.wait(nanoseconds: Self.patienceWithOthers) { state in
      state.clients.all.allSatisfy { $0.link === link } ? true : nil
    } ?? false
  }

  // MARK: Clients

  /// Serves a client from here on, or refuses it.
  package func serve(_ socket: consuming Descriptor, peer: PeerCredentials) {
    serve(socket, peer: peer, after: Greeting())
  }

  /// The same for one that has introduced itself so far.
  /// - Parameters:
  ///   - socket: the client's.
  ///   - peer: who it is.
  ///   - greeting: how far it has introduced itself.
  ///   - place: what is given back when the socket is closed.
  func serve(
    _ socket: consuming Descriptor, peer: PeerCredentials, after greeting: Greeting,
    in place: UserLedger.Account? = nil
  ) {
    let link = ClientLink(
      socket, peer: peer, names: applications, by: connections, limits: limits,
      holding: place)
    guard isService || peer.user == geteuid() else {
      return refuse(
        link, Failure(.errSecMissingEntitlement, "this core serves user \(geteuid()) only"))
    }
    let connection = ClientConnection(core: self, link: link, after: greeting)
    if let refusal = seat(connection) { return refuse(link, refusal) }
    noteActivity()
    connection.start()
  }

  /// Finds a place for a connection.
  /// - Returns: why it gets none.
  private func seat(_ connection: ClientConnection) -> Failure? {
    let rules = limits.admission
    return state.update { state -> Failure? in
      if state.isEnding { return Self.ending }
      let decision = state.clients.decide(
        connection.link.peer.process, by: rules, at: clock.now()
      ) { $0.giveWay(Self.displaced) }
      switch decision {
      case .admit, .replace:
        state.clients.insert(connection)
        state.arrivals += 1
        return nil
      case .full:
        return Failure(
          .busy,
          "\(state.clients.count) clients are connected, and each is in the middle of something",
          hint: "wait for one of them to finish, or end it, and try again")
      case .processIsFull:
        return Failure(
          .busy,
          "this program has \(rules.placesOfProcess) requests under way on as many connections",
          hint: "wait for one of them to finish, and try again")
      }
    }
  }

  private static var displaced: Failure {
    Failure(
      .busy, "the core gave the place of this idle connection to another client",
      hint: "connect again")
  }

  /// Ends the connections that have said no `Hello` in their time.
  /// - Returns: nanoseconds until the next one is due; nil where none is awaited.
  func closeSilent() -> UInt64? {
    let (rules, now) = (limits.admission, clock.now())
    let awaited = state.update { $0.clients.awaited(by: rules) }
    for (connection, due) in awaited where due <= now {
      _ = connection.giveWay(
        Failure(
          .usage,
          "no Hello came within \(rules.helloNanoseconds / 1_000_000_000) s of the connection",
          hint: "the client may be of another version than the core"))
    }
    return awaited.map(\.due).filter { $0 > now }.min().map { $0 - now }
  }

  private func refuse(_ link: ClientLink, _ failure: Failure) {
    _ = link.send(ClientEnvelope.encode(failure, request: 0))
    link.disconnect()
  }

  /// A connection has ended.
  func forget(_ connection: ClientConnection) {
    state.update { $0.clients.forget(connection) }
  }

  /// Waits until no client is connected.
  func waitUntilIdle() { state.wait { $0.clients.isEmpty ? () : nil } }

  // MARK: Lifetime

  /// What a request is answered with that comes when the core is about to go.
  package static var ending: Failure {
    Failure(.systemCancel, "the core is ending", hint: "run the command again")
  }

  /// A client did something. That keeps an on-demand core from ending, and prolongs nothing else.
  func noteActivity() { lastActivity.store(clock.now(), ordering: .relaxed) }

  /// The enclave has taken a match or a correct passcode: the owner is there, and the time until
  /// the device locks begins anew.
  func noteProof() {
    let now = clock.now()
    state.update { $0.lastProof = max($0.lastProof, now) }
    // From here on there is something to lock.
    screens?.begin { [weak self] in self?.lock() }
  }

  /// Seconds without proof of the owner after which the device locks, as things are at this moment.
  var lockAfter: UInt32 {
    let rule = enclaves.running?.lockNotice?.rule ?? .standard
    return min(
      statedLockAfter ?? rule.seconds(isKeptOpen: screens?.keepsOpen ?? false),
      LockRule.longestSeconds)
  }

  /// What ``IdleRules`` look at.
  var activity: IdleRules.Activity {
    let lastActivity = lastActivity.load(ordering: .relaxed)
    // Agents wait for what clients want, and want nothing themselves. That of a session would only
    // bring back a core that the service ended.
    let agents = isService ? 0 : agents.count
    let lockAfter = lockAfter
    return state.update { state in
      IdleRules.Activity(
        lastProof: state.lastProof, lastActivity: lastActivity,
        hasClients: state.clients.count > agents, lockAfter: lockAfter,
        arrivals: state.arrivals)
    }
  }

  /// Whether ending the core loses nothing: before first unlock, locked with biometric unlock not
  /// armed, or no passcode set.
  package var holdsNothing: Bool {
    guard let enclave = enclaves.running else { return true }
    do throws(Failure) {
      let status: EnclaveStatus = try enclave.ask(GetEnclaveStatus())
      return !status.isPasscodeSet || !status.isFirstUnlocked
        || (status.isLocked && !status.isBiometricUnlockArmed)
    } catch {
      // An enclave that does not answer is gone, and with it what it held.
      return true
    }
  }

  /// Locks the device where there is something to lock.
  package func lock() {
    guard let enclave = enclaves.running else { return }
    do throws(Failure) {
      try enclave.tell(LockDevice())
    } catch {
      // Without a passcode nothing can be locked, and an enclave that has ended holds nothing.
    }
  }

  /// Asks for the end of the core; whoever runs it hears of it through
  /// ``waitForEnd(nanoseconds:)``.
  package func requestEnd() {
    if let service { return service.endProcess() }
    state.update { $0.isEnding = true }
  }

  /// Takes no more clients, unless one is there, or somebody else has closed it and ends it.
  /// - Returns: whether it is for the caller to end it.
  func closeUnlessUsed() -> Bool {
    state.update { state in
      guard state.clients.isEmpty, !state.isEnding else { return false }
      state.isEnding = true
      return true
    }
  }

  /// Waits until the end is asked for.
  /// - Returns: false when `nanoseconds` have passed before that.
  package func waitForEnd(nanoseconds: UInt64) -> Bool {
    state.wait(nanoseconds: nanoseconds) { $0.isEnding ? true : nil } ?? false
  }

  /// What the idle loop wakes for.
  enum Wake: Equatable {
    case end
    /// The owner was proved to be there, or a client came.
    case change
    /// The time has passed.
    case time
  }

  /// Waits for the end, or for a proof of the owner or a client later than what `activity` knows
  /// of.
  func wait(nanoseconds: UInt64, after activity: IdleRules.Activity) -> Wake {
    state.wait(nanoseconds: nanoseconds) { state in
      if state.isEnding { return .end }
      let isKnown =
        state.lastProof == activity.lastProof && state.arrivals == activity.arrivals
      return isKnown ? nil : .change
    } ?? .time
  }

  /// Interrupts every request, waits for the connections to end, and ends the hosts.
  /// - Parameter nanoseconds: how long requests may take to come to their end.
  package func end(within nanoseconds: UInt64 = patienceWithOthers) {
    let connections = state.update { state in
      state.isEnding = true
      state.heldOpen = state.clients.all
      return state.heldOpen
    }
    screens?.end()
    for connection in connections { connection.close(Self.ending) }
    _ = state.wait(nanoseconds: nanoseconds) { $0.clients.isEmpty ? true : nil }
    for connection in connections { connection.sensors.end() }
    if !isService { readers.end() }
    enclaves.end()
  }
}
