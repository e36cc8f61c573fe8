import Glibc
import LinuxSystem
import PluginHosting
import Protocol
import Synchronization

/// The core: it knows clients, prompts and drivers, and never sees a key, a print or a frame.
///
/// It connects clients with the engines: the enclave in a process of its own, keychain and policy
/// in this one.
final class Core: Sendable {
  private struct State: Sendable {
    var clients = SeatedClients()
    var arrivals: UInt64 = 0
    var isEnding = false
    /// When the owner last proved to be present, or else when the core started; nanoseconds since
    /// boot.
    var lastProof: UInt64
    /// The connections that were open when the core ended. They stay open until the process is
    /// gone, for clients that wait for that.
    var heldOpen: [ClientConnection] = []
  }

  /// The absolute path of the state folder.
  let home: String
  /// Whether this is a core of the machine's service.
  let isService: Bool
  /// The rights that this process could not give up at its start.
  let hardeningLacks: [String]
  let limits: CoreLimits
  let clock: BootClock
  /// Seconds that replace what the owner has set (`--lock-after`).
  private let statedLockAfter: UInt32?
  /// Says when a screen of the user is locked; nil if nothing watches.
  private let screens: ScreenWatch?
  let process = UInt32(getpid())
  /// Numbers contexts and sessions.
  let names = SerialNumbers()
  let applications: any ApplicationNaming
  private let parts: Parts
  private let devices: SharedDevices
  /// The service that this core belongs to; nil for a core on demand.
  let service: ServiceMembership?
  let user: UInt32
  /// The agents that show prompts for clients that cannot.
  let agents: PromptAgents
  /// Decides which client may ask a person; nil if each client says so itself.
  let foreground: Foreground?
  /// What the owner of this core turned down lately.
  let refusals = Mutex(PromptRefusals())
  private let state: Guarded<State>
  /// Not part of `state`, so that those who wait for a change do not wake for every request.
  private let lastActivity: Atomic<UInt64>

  /// How long requests may take to end.
  static let endGrace: UInt64 = 3_000_000_000

  /// A core without clients.
  /// - Parameters:
  ///   - parts: what it is made of.
  ///   - home: its state folder, absolute.
  ///   - service: the service it belongs to; nil for a process of its own.
  ///   - hardeningLacks: the rights that this process could not give up.
  ///   - limits: its limits.
  ///   - clock: tells the time.
  ///   - lockAfter: seconds without proof of the owner after which the device locks; nil to use
  ///     what the owner has set.
  ///   - agentProgram: the path of the agent if it is not `authcore-agent` beside this program.
  ///   - foreground: decides which client may ask a person; nil if each client says so itself.
  ///   - screens: says when a screen of the user is locked; nil if nothing watches.
  init(
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

  var readers: Readers { devices.readers }
  var touchTurn: TouchTurn { devices.touchTurn }
  /// The wrong passcodes that the TPM remembers; nil if this core is not the service's.
  var tpmTries: TPMTryLedger? { isService ? devices.tpmTries : nil }
  var secrets: SecretLedger { devices.secrets }
  var connections: ConnectionServer { parts.connections }
  var enclaves: EnclaveSupervisor { parts.enclaves }
  var keychain: KeychainClient { parts.keychain }
  var policy: PolicyAdvice { parts.policy }
  var findDriver: @Sendable (String) throws(Failure) -> InstalledDriver { parts.findDriver }
  var startDriver: SensorSource.Start { parts.startDriver }

  var isReplayDriver: @Sendable (InstalledDriver) -> Bool { parts.isReplayDriver }

  /// Opens a driver's device. A recording was opened by the client.
  func openDevice(_ source: DeviceSource, _ recording: Int32?) throws(Failure) -> OpenedDevice {
    if case .recording(_, let text) = source, let recording {
      return try OpenedDevice(recording: recording, text: text)
    }
    return try OpenedDevice(source, in: parts.installation)
  }

  /// Takes no more clients and ends all connections but one.
  /// - Returns: whether they have ended.
  /// - Throws: `systemCancel` if this core is ending already. Of two clients that move a state at
  ///   the same time only one succeeds.
  func closeForAdoption(but link: ClientLink) throws(Failure) -> Bool {
    let others = state.update { state -> [ClientConnection]? in
      guard !state.isEnding else { return nil }
      state.isEnding = true
      return state.clients.all.filter { $0.link !== link }
    }
    guard let others else { throw Self.ending }
    for connection in others { connection.close(Self.ending) }
    return state.wait(nanoseconds: Self.endGrace) { state in
      state.clients.all.allSatisfy { $0.link === link } ? true : nil
    } ?? false
  }

  // MARK: Clients

  /// Serves or refuses a client.
  func serve(_ socket: consuming Descriptor, peer: PeerCredentials) {
    serve(socket, peer: peer, after: .awaited)
  }

  /// Serves or refuses a client that has introduced itself so far.
  /// - Parameters:
  ///   - socket: the client's.
  ///   - peer: the client's process.
  ///   - greeting: how far it has introduced itself.
  func serve(_ socket: consuming Descriptor, peer: PeerCredentials, after greeting: Greeting) {
    let link = ClientLink(
      socket, peer: peer, names: applications, by: connections, limits: limits)
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

  /// Ends the connections that have not said `Hello` in time.
  /// - Returns: nanoseconds until the next one is due; nil if none is awaited.
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

  var links: [ClientLink] { state.read { $0.clients.all.map(\.link) } }

  func forget(_ connection: ClientConnection) { state.update { $0.clients.forget(connection) } }
  func waitUntilIdle() { state.wait { $0.clients.isEmpty ? () : nil } }

  // MARK: Lifetime

  /// The answer to a request that comes when the core is ending.
  static var ending: Failure {
    Failure(.systemCancel, "the core is ending", hint: "run the command again")
  }

  /// Notes that a client did something, which keeps a core on demand from ending, and nothing else.
  func noteActivity() { lastActivity.store(clock.now(), ordering: .relaxed) }

  /// Notes that the enclave took a match or a correct passcode. The time until the device locks
  /// starts anew.
  func noteProof() {
    let now = clock.now()
    state.update { $0.lastProof = max($0.lastProof, now) }
    // Only now is there something to lock.
    screens?.begin { [weak self] in self?.enclaves.lock() }
  }

  /// Seconds without proof of the owner after which the device locks, as of this moment.
  var lockAfter: UInt32 {
    let rule = enclaves.running?.lockNotice?.rule ?? .standard
    return min(
      statedLockAfter ?? rule.seconds(isKeptOpen: screens?.keepsOpen ?? false),
      LockRule.longestSeconds)
  }

  var activity: IdleRules.Activity {
    let lastActivity = lastActivity.load(ordering: .relaxed)
    // Agents want nothing themselves. A session's agent would only bring back a core that the
    // service ended.
    let agents = isService ? 0 : agents.count
    let lockAfter = lockAfter
    return state.update { state in
      IdleRules.Activity(
        lastProof: state.lastProof, lastActivity: lastActivity,
        hasClients: state.clients.count > agents, lockAfter: lockAfter,
        arrivals: state.arrivals)
    }
  }

  /// Asks for the end of the core; ``waitForEnd(nanoseconds:)`` returns then.
  func requestEnd() {
    if let service { return service.endProcess() }
    state.update { $0.isEnding = true }
  }

  /// Takes no more clients, unless one is connected or the core is ending already.
  /// - Returns: whether the caller has to end it.
  func closeUnlessUsed() -> Bool {
    state.update { state in
      guard state.clients.isEmpty, !state.isEnding else { return false }
      state.isEnding = true
      return true
    }
  }

  /// Waits until the end is requested.
  /// - Returns: false if `nanoseconds` have passed before.
  func waitForEnd(nanoseconds: UInt64) -> Bool {
    state.wait(nanoseconds: nanoseconds) { $0.isEnding ? true : nil } ?? false
  }

  enum Wake: Equatable {
    case end
    /// The owner proved to be present, or a client came.
    case change
    /// The time has passed.
    case time
  }

  /// Waits for the end, or for a proof of the owner or a client that `activity` does not know.
  func wait(nanoseconds: UInt64, after activity: IdleRules.Activity) -> Wake {
    state.wait(nanoseconds: nanoseconds) { state in
      if state.isEnding { return .end }
      let isKnown = state.lastProof == activity.lastProof && state.arrivals == activity.arrivals
      return isKnown ? nil : .change
    } ?? .time
  }

  /// Interrupts every request, waits for the connections to end, and ends the hosts.
  /// - Parameter nanoseconds: how long requests may take to end.
  func end(within nanoseconds: UInt64 = endGrace) {
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
