import LinuxSystem
import PluginHosting
import Protocol

/// Starts the enclave, and starts another one for the next request if it has ended.
final class EnclaveSupervisor: Sendable {
  private struct State: Sendable {
    var isStarting = false
    var current: EnclaveClient?
    var isOver = false
    var unreported: Failure?
  }

  private let start: @Sendable () throws(Failure) -> any PluginProcess
  private let limits: CoreLimits
  private let rules: @Sendable () -> EnclaveRules
  private let state = Guarded(State())

  /// `start` starts the enclave's process and waits until it is ready. The enclave is told the
  /// machine's `rules` before anything else.
  init(
    limits: CoreLimits, rules: @escaping @Sendable () -> EnclaveRules = { EnclaveRules() },
    start: @escaping @Sendable () throws(Failure) -> any PluginProcess
  ) {
    self.limits = limits
    self.rules = rules
    self.start = start
  }

  var running: EnclaveClient? {
    let current = state.read { $0.current }
    return current?.isRunning == true ? current : nil
  }

  /// The running enclave, or else a new one, before first unlock. Any thread; one starts it and the
  /// others wait.
  /// - Throws: why it cannot be started.
  func enclave() throws(Failure) -> EnclaveClient {
    if let enclave = try claim() { return enclave }
    return try launch { _, _ in }.get()
  }

  /// Starts the enclave for the thread that claimed to; the others wait.
  private func launch(
    onFailure note: (inout State, Failure) -> Void
  ) -> Result<EnclaveClient, Failure> {
    let outcome: Result<EnclaveClient, Failure>
    do throws(Failure) {
      let enclave = EnclaveClient(try start(), limits: limits)
      try tighten(enclave)
      outcome = .success(enclave)
    } catch {
      outcome = .failure(error)
    }
    let isOver = state.update { state in
      state.isStarting = false
      switch outcome {
      case .success(let enclave): state.current = enclave
      case .failure(let failure): note(&state, failure)
      }
      return state.isOver
    }
    if isOver, case .success(let enclave) = outcome { enclave.end() }
    return outcome
  }

  private func tighten(_ enclave: EnclaveClient) throws(Failure) {
    let rules = rules()
    guard rules != EnclaveRules() else { return }
    do throws(Failure) {
      try enclave.tell(TightenRules(rules: rules))
    } catch {
      // An enclave that does not know the rules must not serve.
      enclave.end()
      throw error
    }
  }

  /// Tells the running enclave, if there is one, the machine's current rules.
  func tighten() {
    do throws(Failure) {
      if let running { try tighten(running) }
    } catch {
      // The next one is told at its start.
    }
  }

  /// Whether ending the core loses nothing: before first unlock, locked with biometric unlock not
  /// armed, or no passcode set.
  var holdNothing: Bool {
    guard let running else { return true }
    do throws(Failure) {
      let status: EnclaveStatus = try running.ask(GetEnclaveStatus())
      return !status.isPasscodeSet || !status.isFirstUnlocked
        || (status.isLocked && !status.isBiometricUnlockArmed)
    } catch {
      // An enclave that does not answer is gone, and with it what it held.
      return true
    }
  }

  /// Locks the device if there is something to lock.
  func lock() {
    do throws(Failure) {
      try running?.tell(LockDevice())
    } catch {
      // Without a passcode nothing can be locked, and an enclave that has ended holds nothing.
    }
  }

  /// Starts the enclave in the background. The first ``enclave()`` waits for it, and throws if that
  /// failed.
  func prepare() {
    state.update { $0.isStarting = true }
    SystemThread.start(name: "enclave-start") { [self] in _ = launch { $0.unreported = $1 } }
  }

  /// The running enclave, or nil if the caller has to start one.
  private func claim() throws(Failure) -> EnclaveClient? {
    let claim: Result<EnclaveClient?, Failure> = state.wait { state in
      if state.isOver { return .failure(Core.ending) }
      if let failure = state.unreported.take() { return .failure(failure) }
      if let current = state.current, current.isRunning { return .success(current) }
      guard !state.isStarting else { return nil }
      state.isStarting = true
      return .success(nil)
    }
    return try claim.get()
  }

  func end() {
    let current = state.update { state in
      state.isOver = true
      return state.current
    }
    current?.end()
  }
}

/// A process that runs one plugin: `HostProcess`, or what a test puts in its place.
protocol PluginProcess: Sendable {
  var path: String { get }
  var ready: HostReady { get }
  /// Sends one message. Any thread. Throws if the process is gone.
  func send(_ message: borrowing some WireMessage & ~Copyable, descriptors: [Int32]) throws(Failure)
  /// Sends its engine a request in two parts. Any thread. Throws if the process is gone.
  func call(_ head: [UInt8], _ rest: Span<UInt8>) throws(Failure)
  /// The next message, or nil if `milliseconds` have passed (negative: no limit). One thread at a
  /// time. Throws why the process is gone.
  func receive(milliseconds: Int32) throws(Failure) -> HostEvent?
  /// Waits until something can be received or the process has ended. May return early. One thread
  /// at a time.
  func waitForArrival()
  /// Lets ``waitForArrival()`` return only at the end of the process, because the calling thread
  /// receives what arrives.
  func holdArrivals()
  /// Ends ``holdArrivals()`` and reports what was not received.
  func releaseArrivals()
  /// Ends the process and waits until it is gone. Any thread; may be repeated.
  func end()
}

extension PluginProcess {
  func send(_ message: borrowing some WireMessage & ~Copyable) throws(Failure) {
    try send(message, descriptors: [])
  }
}
