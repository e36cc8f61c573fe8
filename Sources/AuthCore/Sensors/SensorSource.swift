import PluginHosting
import Synchronization
import Wire

/// Where the touches of one connection come from: the driver its client named, or nowhere.
///
/// The driver's process starts with the first request that needs it and lives as long as the connection, so a recording goes on from
/// one request to the next.
final class SensorSource: Sendable {
  private struct State {
    var choice: DriverChoice?
    var running: RunningSensor?
  }

  /// Starts a driver's process.
  typealias Start = @Sendable (InstalledDriver) throws(Failure) -> StartedDriver

  private let start: Start
  private let limits: CoreLimits
  private let state = Mutex(State())

  private static let channels = Atomic<UInt32>(1)

  /// A source without a sensor.
  init(limits: CoreLimits, start: @escaping Start) {
    self.limits = limits
    self.start = start
  }

  /// The driver in use.
  var choice: DriverChoice? { state.withLock { $0.choice } }

  /// What the running driver's process was granted, where one runs.
  var ready: HostReady? { state.withLock { $0.running?.host.ready } }

  /// Uses another driver from here on.
  func choose(_ choice: DriverChoice) {
    let former = state.withLock { state in
      state.choice = choice
      return state.running.take()
    }
    former?.end()
  }

  /// The open sensor, whose frames reach `enclave`; started where it does not run. The connection's worker thread.
  /// - Throws: `biometryNotAvailable` without a driver; the driver's failure when it cannot open its device.
  func sensor(for enclave: Enclave) throws(Failure) -> RunningSensor {
    let (choice, running) = state.withLock { ($0.choice, $0.running) }
    guard let choice else {
      throw Failure(
        .biometryNotAvailable, "there is no fingerprint sensor",
        hint: "connect a reader, or name a driver with --driver")
    }
    if let running {
      if running.serves(enclave) { return running }
      drop(running)
    }
    let sensor = try RunningSensor(
      try start(choice.driver), choice: choice, enclave: enclave,
      channel: Self.channels.wrappingAdd(1, ordering: .relaxed).oldValue, limits: limits)
    state.withLock { $0.running = sensor }
    return sensor
  }

  /// Ends a sensor that no longer works; the next request starts another one.
  func drop(_ sensor: RunningSensor) {
    state.withLock { state in
      if state.running === sensor { state.running = nil }
    }
    sensor.end()
  }

  /// Ends the driver's process. Any thread.
  func end() {
    let former = state.withLock { $0.running.take() }
    former?.end()
  }
}
