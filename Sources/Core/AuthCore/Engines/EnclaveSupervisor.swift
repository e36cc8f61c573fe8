import LinuxSystem
package import Protocol

/// Keeps an enclave running: starts it, and starts another one for the next request when it has
/// ended.
package final class EnclaveSupervisor: Sendable {
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

  /// No enclave yet; `start` starts its process and waits until that is ready, and before anybody
  /// else asks anything it is told the `rules` of the machine.
  package init(
    limits: CoreLimits, rules: @escaping @Sendable () -> EnclaveRules = { EnclaveRules() },
    start: @escaping @Sendable () throws(Failure) -> any PluginProcess
  ) {
    self.limits = limits
    self.rules = rules
    self.start = start
  }

  /// The running enclave, or nil where none runs.
  package var running: EnclaveClient? {
    let current = state.read { $0.current }
    return current?.isRunning == true ? current : nil
  }

  /// The running enclave; a fresh one, before first unlock, where none runs. Any thread; one starts
  /// it and the others wait.
  /// - Throws: why it cannot be started.
  package func enclave() throws(Failure) -> EnclaveClient {
    if let enclave = try claim() { return enclave }
    return try launch { _, _ in }.get()
  }

  /// Starts the enclave for whoever claimed to; the others wait for that.
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
      // One that does not know the rules serves nobody.
      enclave.end()
      throw error
    }
  }

  /// Has the enclave that runs, if one does, take the rules of the machine as they are.
  func tighten() {
    guard let running else { return }
    do throws(Failure) {
      try tighten(running)
    } catch {
      // The next one is told at its start.
    }
  }

  /// Starts the enclave on a thread of its own, so that the first ``enclave()`` finds it on its
  /// way. That one throws what went wrong here.
  package func prepare() {
    state.update { $0.isStarting = true }
    SystemThread.start(name: "enclave-start") { [self] in
      _ = launch { $0.unreported = $1 }
    }
  }

  /// The running enclave, or nil when the caller has to start one.
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

  /// Ends the enclave for good and waits until its process is gone.
  package func end() {
    let current = state.update { state in
      state.isOver = true
      return state.current
    }
    current?.end()
  }
}
