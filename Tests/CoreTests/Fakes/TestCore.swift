import Glibc
import LinuxSystem
import PolicyEngine
import Protocol
import Synchronization
import TestSupport

@testable import AuthCore
@testable import PluginHosting

/// A core whose enclave, keychain and driver are fakes, and whose policy is the real one.
struct TestCore {
  let enclave: FakeEnclave
  let keychain: FakeKeychain
  let driver: FakeDriver
  let devices: FakeDevices
  let core: Core
  /// Whose clients it serves.
  let user: UInt32

  /// A core without clients; the driver `fake` plays `touches`.
  init(
    _ touches: [FakeDriver.Touch] = [], home: String = "/fake/home", clock: BootClock = .system,
    agentProgram: [UInt8]? = RunningExecutable.ofThisProcess()?.path,
    foreground: Foreground? = nil, naming: (any ApplicationNaming)? = nil,
    turns: TurnOrder.Limits = TurnOrder.Limits(),
    unsent: UserBudget = ServiceBudget.unsent, servesUsers: Bool = false,
    beside other: TestCore? = nil, user: UInt32 = Self.serviceUser,
    journal: Guarded<[AuditRecord]>? = nil, forbiddenDoors: Guarded<Set<Door>>? = nil,
    _ change: (inout CoreLimits) -> Void = { _ in },
    policy: @escaping @Sendable (borrowing SecretBytes) throws(Failure) -> SecretBytes = {
      PolicyEngine.answer($0.bytes)
    }
  ) {
    let enclave = FakeEnclave()
    let keychain = FakeKeychain(enclave)
    let driver = FakeDriver(touches, enclave: enclave)
    let fakeDevices = FakeDevices()
    var changed = CoreLimits()
    changed.sensorGraceNanoseconds = 200_000_000
    changed.deathNanoseconds = 1_000_000
    changed.promptMilliseconds = 0
    change(&changed)
    let limits = changed
    let parts =
      Core.Parts(
        connections: other?.core.connections
          ?? Self.made { () throws(Failure) in
            try ConnectionServer(turns, unsent: unsent, servesUsers: servesUsers)
          },
        enclaves: EnclaveSupervisor(limits: limits) { enclave.start() },
        keychain: KeychainClient(
          path: "/fake/keychain.so", link: keychain.link,
          engine: Self.made { () throws(Failure) in
            try keychain.engine(milliseconds: limits.keychainCallMilliseconds)
          }),
        policy: PolicyAdvice(
          path: "/fake/policy.so",
          engine: Self.made { () throws(Failure) in
            try EngineThread(
              name: "policy", milliseconds: limits.policyCallMilliseconds, whenLate: .startAnother
            ) { () throws(Failure) in policy }
          }),
        findDriver: { (name) throws(Failure) in
          if let driver = fakeDevices.drivers.first(where: { $0.description.name == name }) {
            return driver
          }
          return try Self.find(name)
        },
        allDrivers: { fakeDevices.drivers },
        startDriver: { (_, _) throws(Failure) in
          StartedDriver(host: driver.start(), frames: try SocketPair().takeNear())
        },
        watchDevices: { () throws(Failure) in fakeDevices.start() },
        installation: Installation(executableFolder: "/fake", sandboxSetting: "off"),
        isReplayDriver: { $0.description.name == "fake" },
        productName: { fakeDevices.name(of: $0) })
    let isService = foreground != nil || naming != nil
    self.user = isService ? user : geteuid()
    let devices =
      other?.core.service?.devices
      ?? SharedDevices(parts, preferenceFile: home + "/reader", secrets: limits.secrets)
    var audit: (@Sendable (AuditRecord) -> Void)?
    if let journal { audit = { record in journal.update { $0.append(record) } } }
    let membership = ServiceMembership(
      user: user, devices: devices, naming: naming,
      audit: audit, forbiddenDoors: { forbiddenDoors?.read { $0 } ?? [] },
      adoption: StateAdoption(folder: home), troubles: { [] }, endCore: {}, endProcess: {})
    core = Core(
      parts, home: home, of: isService ? membership : nil,
      limits: limits, clock: clock, agentProgram: agentProgram, foreground: foreground)
    self.enclave = enclave
    self.keychain = keychain
    self.driver = driver
    self.devices = fakeDevices
  }

  /// Who asks where it is one of the service's cores; not root, whoever runs the tests.
  static let serviceUser: UInt32 = 4242

  /// Something with a thread; only a test process without descriptors gets none.
  private static func made<Made>(_ make: () throws(Failure) -> Made) -> Made {
    do throws(Failure) {
      return try make()
    } catch {
      preconditionFailure("no thread: \(error)")
    }
  }

  /// A connected client that has said nothing.
  /// - Parameters:
  ///   - process: who it is.
  ///   - room: bytes that its socket holds of what it has not read, nearly; nil: as many as usual.
  ///   - peer: the user it is; nil: the one whose core this is.
  ///   - begin: what it does before it is accepted.
  /// - Returns: the client.
  /// - Throws: where there is no socket for it.
  func connect(
    from process: Int32 = getpid(), room: Int32? = nil, as peer: UInt32? = nil,
    _ begin: (FakeClient) throws -> Void = { _ in }
  ) throws -> FakeClient {
    var ends: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      throw SystemCallError("socketpair")
    }
    let peer = PeerCredentials(process: process, user: peer ?? user)
    let served = Descriptor(
      owning: ends[0], closedBy: core.connections.line(ofSocket: peer))
    UnixSocket.takeUrgentBytes(from: served)
    if var room {
      unsafe setsockopt(
        served.number, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    }
    // As the socket that clients find does for those it accepts.
    try MessageWriter.receive(on: served)
    let client = FakeClient(Descriptor(owning: ends[1]))
    try begin(client)
    core.serve(served, peer: peer)
    return client
  }

  /// A client that has greeted and been welcomed.
  func greetedClient(
    from process: Int32 = getpid(), room: Int32? = nil, as peer: UInt32? = nil
  ) throws -> FakeClient {
    let client = try connect(from: process, room: room, as: peer)
    try client.send(Hello(protocolVersion: ClientEnvelope.version, softwareVersion: "test"))
    _ = try client.receive(Welcome.self)
    return client
  }

  /// A client that serves as an agent, with the id it does so under.
  func agent(from process: Int32 = getpid()) throws -> (client: FakeClient, request: UInt32) {
    let before = core.agents.count
    let client = try greetedClient(from: process)
    let request = try client.send(BecomeAgent())
    core.agents.waitUntil { $0 > before }
    return (client, request)
  }

  /// A client that uses the driver `fake`.
  func clientWithSensor() throws -> FakeClient {
    let client = try greetedClient()
    try client.send(UseDriver(driver: "fake", options: []))
    _ = try client.receive(Done.self)
    return client
  }

  /// A core whose sensor waits for a touch that a client asked for, whose prompt is on view.
  static func awaitingTouch(
    _ request: some WireMessage
  ) throws -> (test: TestCore, client: FakeClient, id: UInt32, prompt: Prompt) {
    let test = TestCore([.wait])
    let client = try test.clientWithSensor()
    let id = try client.send(request)
    let prompt = try client.receive(Prompt.self)
    try client.answer(prompt, .shown, request: id)
    test.driver.waitForCapture()
    return (test, client, id, prompt)
  }

  private static func find(_ name: String) throws(Failure) -> InstalledDriver {
    guard name == "fake" else { throw Failure(.driverNotFound, "there is no driver \(name)") }
    return InstalledDriver(
      file: try TrustedFile(checking: "/bin/true"),
      description: DriverDescription(
        abiVersion: 1 << 16, name: "fake", fullName: "Fake", version: "1", usbMatches: [],
        scanType: .press, width: 100, height: 120, pixelsPerInch: 500, flags: .synthetic,
        options: [.init(name: "tape", kind: .file, summary: "a tape")], realOption: "tape"))
  }
}

extension PromptOptions {
  /// As a command on a terminal asks.
  static func test(
    reason: String = "to test", fallbackTitle: String? = nil, timeout: UInt32 = 600_000,
    mayPrompt: Bool = true, touch: AwaitedTouch = .person, canGivePasscode: Bool = true,
    prefersPasscode: Bool = false, mayUseAgent: Bool = true, applicationName: String? = nil
  ) -> PromptOptions {
    PromptOptions(
      reason: reason, fallbackTitle: fallbackTitle, cancelTitle: nil, timeoutMilliseconds: timeout,
      mayPrompt: mayPrompt, touch: touch, canGivePasscode: canGivePasscode,
      prefersPasscode: prefersPasscode, mayUseAgent: mayUseAgent, applicationName: applicationName)
  }
}

/// A clock that stands still until a test moves it.
final class TestClock: Sendable {
  private let nanoseconds = Atomic<UInt64>(1_000_000_000_000)

  /// The clock, as a core reads it.
  var boot: BootClock { BootClock { [self] in nanoseconds.load(ordering: .relaxed) } }

  func advance(seconds: UInt64) {
    nanoseconds.wrappingAdd(seconds * 1_000_000_000, ordering: .relaxed)
  }
}

/// Makes a folder for `body` and removes it with all that is in it.
func withTemporaryFolder(_ body: (String) throws -> Void) throws {
  let folder = try TemporaryFolder()
  try withExtendedLifetime(folder) { try body(folder.path) }
}
