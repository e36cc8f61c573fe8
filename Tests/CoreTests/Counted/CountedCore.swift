import EngineKit
import GRDB
import Glibc
import LinuxSystem
import PolicyEngine
import Protocol
import Synchronization

@testable import AuthCore
@testable import KeychainEngine
@testable import PluginHosting

/// A core with the real engines, in one process, that counts round trips to the enclave and searches
/// of the keychain. The driver alone is made up: it delivers the owner's finger.
struct CountedCore {
  let enclave: CountedEnclave
  let core: Core
  private let searches: Searches

  /// How often the keychain has looked for rows by what a query names.
  final class Searches: Sendable {
    private let count = Atomic<Int>(0)
    private let isWatching = Atomic<Bool>(false)
    /// Whether the database is watched for the first time.
    func begin() -> Bool { !isWatching.exchange(true, ordering: .relaxed) }
    func note() { count.add(1, ordering: .relaxed) }
    func take() -> Int { count.exchange(0, ordering: .relaxed) }
  }

  /// A core in an empty folder, with a passcode and a finger.
  init(home: String) throws {
    let (enclaveFolder, keychainFolder) = (home + "/enclave", home + "/keychain")
    for folder in [enclaveFolder, keychainFolder] { try Self.makeFolder(folder) }
    let enclave = CountedEnclave(folder: enclaveFolder)
    let (link, searches) = (KeychainEnclaveLink(), Searches())
    var changed = CoreLimits()
    changed.promptMilliseconds = 0
    let limits = changed
    let connections = try ConnectionServer(TurnOrder.Limits())
    let parts = Core.Parts(
      connections: connections,
      enclaves: EnclaveSupervisor(limits: limits) { () throws(Failure) in
        try enclave.start()
        return enclave
      },
      keychain: KeychainClient(
        path: "/real/keychain.so", link: link,
        engine: try EngineThread(
          name: "keychain", milliseconds: limits.keychainCallMilliseconds,
          whenLate: .waitForReturn
        ) { () throws(Failure) in try Self.keychain(keychainFolder, link, searches) }),
      policy: PolicyAdvice(
        path: "/real/policy.so",
        engine: try EngineThread(
          name: "policy", milliseconds: limits.policyCallMilliseconds, whenLate: .startAnother
        ) { () throws(Failure) in { PolicyEngine.answer($0.bytes) } }),
      findDriver: { (_) throws(Failure) in try Self.driver() },
      allDrivers: { [] },
      startDriver: { (_, _) throws(Failure) in
        let pair = try SocketPair()
        return StartedDriver(host: Self.sensor(of: enclave), frames: pair.takeNear())
      },
      watchDevices: { () throws(Failure) in FakeDevices().start() },
      installation: Installation(executableFolder: "/fake", sandboxSetting: "off"),
      isReplayDriver: { _ in true })
    core = Core(parts, home: home, limits: limits)
    _ = try parts.enclaves.enclave()
    try enclave.enroll()
    (self.enclave, self.searches) = (enclave, searches)
  }

  /// How often rows were looked for since the last time.
  func takeSearches() -> Int { searches.take() }

  private static func makeFolder(_ path: String) throws {
    guard unsafe mkdir(path, 0o700) == 0 else { throw SystemCallError("mkdir") }
  }

  /// The engine in earnest; SQLite tells of every statement it begins.
  private static func keychain(
    _ folder: String, _ link: KeychainEnclaveLink, _ searches: Searches
  ) throws(Failure) -> EngineThread.Body {
    let services = HostServices(
      folder: folder, log: { _, _ in }, enclave: { link.forward($0) }, owner: 4242)
    let engine = try KeychainEngine(
      services: unsafe EngineServices(host: UnsafePointer(services.table)))
    return { (request) throws(Failure) in
      // As an engine that is loaded hands it over.
      let reply = engine.handle(request.bytes)
      // The first request begins the keychain, which asks the enclave.
      if searches.begin() {
        try engine.items.keychain.queue().inDatabase { database in
          database.trace { event in
            if Self.isSearch("\(event)") { searches.note() }
          }
        }
      }
      return SecretBytes(copying: reply.bytes)
    }
  }

  /// Whether a statement looks for rows otherwise than by their place.
  private static func isSearch(_ statement: String) -> Bool {
    statement.contains("FROM items WHERE") && !statement.contains("WHERE sequence = ")
      && !statement.hasPrefix("SELECT 1 FROM items WHERE sharedWith IS NOT NULL")
  }

  private static func driver() throws(Failure) -> InstalledDriver {
    InstalledDriver(
      file: try TrustedFile(checking: "/bin/true"),
      description: DriverDescription(
        abiVersion: 1 << 16, name: "fake", fullName: "Fake", version: "1", usbMatches: [],
        scanType: .press, width: 400, height: 400, pixelsPerInch: 500, flags: .synthetic,
        options: [], realOption: nil))
  }

  private static func sensor(of enclave: CountedEnclave) -> FakeHost {
    FakeHost("driver", code: .driverFailed) { host, message in
      switch message.bytes[0] {
      case OpenSensorRequest.number: host.say(.opened(nil))
      case CaptureTouch.number:
        if let capture = try? CaptureTouch.decode(message.bytes) { enclave.touch(capture.session) }
      default: break
      }
    }
  }

  /// A client that has greeted, and uses the driver.
  func client() throws -> FakeClient {
    var ends: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      throw SystemCallError("socketpair")
    }
    let served = Descriptor(owning: ends[0])
    try MessageWriter.receive(on: served)
    let client = FakeClient(Descriptor(owning: ends[1]))
    core.serve(served, peer: PeerCredentials(process: getpid(), user: geteuid()))
    try client.send(Hello(protocolVersion: ClientEnvelope.version, softwareVersion: "test"))
    _ = try client.receive(Welcome.self)
    try client.send(UseDriver(driver: "fake", options: []))
    _ = try client.receive(Done.self)
    return client
  }
}

#if DEBUG
  import LinuxSystem
  import Synchronization

  @testable import Protocol

  /// Counts the blocks of secret memory of this process in which a secret lay, as they are wiped. One
  /// at a time: a secret of its own tells them from those of other tests.
  final class CountedBuffers {
    private let found = Guarded([Int]())

    init(of secret: [UInt8]) {
      let found = found
      unsafe SecretMemory.witness.withLock { witness in
        unsafe witness = { block in
          if unsafe Self.contains(block, secret) { found.update { $0.append(block.count) } }
        }
      }
    }

    deinit { unsafe SecretMemory.witness.withLock { unsafe $0 = nil } }

    /// How long each was that was wiped since the last time.
    func take() -> [Int] {
      found.update { found in
        defer { found = [] }
        return found
      }
    }

    @unsafe private static func contains(_ block: UnsafeRawBufferPointer, _ part: [UInt8]) -> Bool {
      guard block.count >= part.count else { return false }
      return (0...block.count - part.count).contains { start in
        unsafe block[start] == part[0] && block[start..<start + part.count].elementsEqual(part)
      }
    }
  }
#endif
