import LinuxSystem
import PluginHosting
import Protocol

extension HostProcess: PluginProcess {}

/// The real engines of a core, found, loaded and started.
struct CoreComposition: Sendable {
  let parts: Core.Parts
  private let keychain: EngineThread
  private let policy: EngineThread

  /// Finds all three engines, then loads keychain and policy into this process while the enclave
  /// starts in one of its own.
  ///
  /// - Parameters:
  ///   - connections: serves the clients.
  ///   - home: the state folder, absolute.
  ///   - keychainFolder: lies in it and exists.
  ///   - user: whose items are kept there.
  ///   - catalog: the known drivers.
  ///   - installation: where the programs lie.
  ///   - limits: of the core.
  ///   - machinePolicy: the current policy of the machine.
  /// - Throws: which engine cannot be used, and why.
  init(
    connections: ConnectionServer, home: String, keychainFolder: String, of user: UInt32,
    drivers catalog: DriverCatalog, in installation: Installation, limits: CoreLimits,
    policy machinePolicy: @escaping @Sendable () -> MachinePolicy = { .none }
  ) throws(Failure) {
    let enclaveFile = try installation.search.engine(.enclave)
    let keychainFile = try installation.search.engine(.keychain)
    let policyFile = try installation.search.engine(.policy)
    let enclaves = EnclaveSupervisor(
      limits: limits, rules: { machinePolicy().rules }
    ) { () throws(Failure) in
      try HostProcess.startEnclave(enclaveFile, folder: home + "/enclave", in: installation)
    }
    let link = KeychainEnclaveLink()
    keychain = try EngineThread(
      name: EngineKind.keychain.name, milliseconds: limits.keychainCallMilliseconds,
      whenLate: .waitForReturn
    ) { () throws(Failure) in
      try Self.load(
        keychainFile, .keychain, folder: keychainFolder, enclave: { link.forward($0) }, owner: user)
    }
    policy = try EngineThread(
      name: EngineKind.policy.name, milliseconds: limits.policyCallMilliseconds,
      whenLate: .startAnother
    ) { () throws(Failure) in try Self.load(policyFile, .policy) }
    enclaves.prepare()
    do throws(Failure) {
      try policy.waitUntilReady()
      try keychain.waitUntilReady()
      _ = try enclaves.enclave()
    } catch {
      enclaves.end()
      throw error
    }
    parts = Core.Parts(
      connections: connections, enclaves: enclaves,
      keychain: KeychainClient(path: keychainFile.path, link: link, engine: keychain),
      policy: PolicyAdvice(path: policyFile.path, engine: policy),
      findDriver: { (name) throws(Failure) in try catalog.driver(name) },
      allDrivers: {
        let policy = machinePolicy()
        return catalog.all().compactMap { try? $0.result.get() }
          .filter { policy.allows($0.description.name) }
      },
      startDriver: { (driver, source) throws(Failure) in
        let pair = try SocketPair()
        let host = try HostProcess.startDriver(
          driver, source: source, frames: pair.far, in: installation)
        return StartedDriver(host: host, frames: try Self.duplicate(pair.near))
      },
      watchDevices: { () throws(Failure) in try HostProcess.startWatch(in: installation) },
      installation: installation, isReplayDriver: { installation.isReplayDriver($0) })
  }

  private static func load(
    _ file: TrustedFile, _ kind: EngineKind, folder: String? = nil,
    enclave: (@Sendable (Span<UInt8>) -> SecretBytes?)? = nil, owner: UInt32? = nil
  ) throws(Failure) -> EngineThread.Body {
    var engine = try LoadedEngine(
      file, kind: kind,
      services: HostServices(
        folder: folder, log: { CoreLog.write($0, $1, from: kind.name) }, enclave: enclave,
        owner: owner))
    return { (request) throws(Failure) in try engine.call(request.bytes) }
  }

  private static func duplicate(_ descriptor: borrowing Descriptor) throws(Failure) -> Descriptor {
    do throws(StreamError) {
      return try descriptor.duplicate()
    } catch {
      throw Failure(.coreFailed, "Cannot keep a frame socket: \(error)")
    }
  }

  func end() {
    keychain.end()
    policy.end()
  }
}

extension Core {
  /// What a core is made of. Tests replace processes and engines by closures.
  struct Parts: Sendable {
    let connections: ConnectionServer
    let enclaves: EnclaveSupervisor
    let keychain: KeychainClient
    let policy: PolicyAdvice
    let findDriver: @Sendable (String) throws(Failure) -> InstalledDriver
    let allDrivers: @Sendable () -> [InstalledDriver]
    let startDriver: @Sendable (InstalledDriver, DeviceSource?) throws(Failure) -> StartedDriver
    let watchDevices: @Sendable () throws(Failure) -> any PluginProcess
    let installation: Installation
    let isReplayDriver: @Sendable (InstalledDriver) -> Bool
    var productName: @Sendable (USBPresence) -> String? = { USBProduct.name(of: $0) }
  }
}
