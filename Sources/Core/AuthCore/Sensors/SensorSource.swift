import PluginHosting
import Protocol
import Synchronization

/// Where the touches of one connection come from: the driver that its client named, or else the
/// connected reader, if any.
///
/// The driver's process starts with the first request that needs it and lives as long as the
/// connection, so that a recording goes on in the next request. A process for a reader ends when
/// another client wants the reader, or when the reader leaves.
final class SensorSource: Sendable {
  private struct State {
    var choice: DriverChoice?
    var running: RunningSensor?
    /// Whether the current request uses the sensor, or waits for its start. No other client gets it
    /// then.
    var isInUse = false
    /// Whether the device has left while its driver was starting.
    var hasLeft = false
  }

  typealias Start = @Sendable (InstalledDriver, DeviceSource?) throws(Failure) -> StartedDriver

  private unowned let core: Core
  private let state = Mutex(State())

  private static let channels = Atomic<UInt32>(1)

  init(core: Core) { self.core = core }

  var ready: HostReady? { state.withLock { $0.running?.host.ready } }

  /// What a device is, if it is the open one and its driver told.
  func identity(of sensor: SelectedSensor) -> SensorIdentity? {
    guard let running = state.withLock({ $0.running }),
      running.selected.source == sensor.source,
      running.selected.choice.driver.path == sensor.choice.driver.path
    else { return nil }
    return running.identity
  }

  var named: DriverChoice? { state.withLock { $0.choice } }

  /// The driver and the device that a touch would come from.
  /// - Throws: `biometryNotAvailable` if there is none.
  func selected() throws(Failure) -> SelectedSensor {
    if let choice = named {
      let source = try choice.driver.source(choice.device) { () throws(Failure) in
        try core.readers.connected()
      }
      return SelectedSensor(choice: choice, source: source)
    }
    guard let reader = try core.readers.best() else {
      throw Failure(
        .biometryNotAvailable, "there is no fingerprint sensor",
        hint: core.isService
          ? "connect a reader; authcore doctor says more"
          : "connect a reader, or name a driver with --driver; authcore doctor says more")
    }
    return SelectedSensor(
      choice: DriverChoice(driver: reader.driver, isReplay: false), source: .usb(reader.device))
  }

  /// The same; nil if there is none, or if it is unknown what is connected.
  var present: SelectedSensor? {
    do throws(Failure) {
      return try selected()
    } catch {
      return nil
    }
  }

  /// Why there is no reader.
  /// - Parameter hasRealFingers: whether fingers are enrolled that a reader took.
  /// - Returns: what is known of one.
  func absence(hasRealFingers: Bool) -> ReaderAbsence {
    if hasRealFingers { return .disconnected }
    return named != nil || core.readers.knowsAbsentOne ? .unpaired : .noReader
  }

  func choose(_ choice: DriverChoice) {
    let former = state.withLock { state in
      state.choice = choice
      return state.running.take()
    }
    end(former)
  }

  /// The open sensor, whose frames reach `enclave`; started unless it runs. The request owns it
  /// until ``release()``. Blocks.
  /// - Throws: `biometryNotAvailable` without a reader or driver; the driver's failure if it cannot
  ///   open its device.
  func sensor(for enclave: EnclaveClient) throws(Failure) -> RunningSensor {
    // From now on no other client takes the device, nor its place in ``Readers`` while the driver
    // starts.
    let running = state.withLock { state in
      state.isInUse = true
      state.hasLeft = false
      return state.running
    }
    if let running {
      if running.serves(enclave) { return running }
      drop(running)
    }
    let selected = try selected()
    if let reader = selected.reader { try core.readers.take(reader, for: self) }
    do throws(Failure) {
      let sensor = try RunningSensor(
        try core.startDriver(selected.choice.driver, selected.source), selected, enclave: enclave,
        channel: Self.channels.wrappingAdd(1, ordering: .relaxed).oldValue, core: core)
      let hasLeft = state.withLock { state in
        state.running = sensor
        return state.hasLeft
      }
      if hasLeft { sensor.deviceLeft() }
      if let device = selected.device, selected.choice.device != nil {
        core.readers.prefer(Reader(driver: selected.choice.driver, device: device))
      }
      return sensor
    } catch {
      core.readers.forget(self)
      throw error
    }
  }

  /// Ends a sensor that no longer works. The next request starts another one.
  func drop(_ sensor: RunningSensor) {
    state.withLock { state in if state.running === sensor { state.running = nil } }
    end(sensor)
  }

  /// The request that used the sensor has ended. Another client may take the device.
  func release() { state.withLock { $0.isInUse = false } }

  /// Gives up the device for another client. Any thread.
  /// - Returns: false while a request of this connection uses it, or is about to.
  func letGo() -> Bool {
    let (isFree, running) = state.withLock { state in
      (!state.isInUse, state.isInUse ? nil : state.running.take())
    }
    end(running)
    return isFree
  }

  func deviceLeft() {
    let running = state.withLock { state in
      state.hasLeft = true
      return state.running
    }
    running?.deviceLeft()
  }

  var isRunning: Bool { state.withLock { $0.running != nil } }

  func end() { end(state.withLock { $0.running.take() }) }

  private func end(_ sensor: RunningSensor?) {
    guard let sensor else { return }
    sensor.end()
    if !sensor.selected.isPlayed { core.readers.forget(self) }
  }
}
