import PluginHosting
import Protocol
import Synchronization

/// Where the touches of one connection come from: the driver its client named, else the reader that
/// is connected, else nowhere.
///
/// The driver's process starts with the first request that needs it and lives as long as the
/// connection, so a recording goes on from one request to the next; one for a reader of this
/// machine ends when another client wants it or the reader leaves.
final class SensorSource: Sendable {
  private struct State {
    var choice: DriverChoice?
    var running: RunningSensor?
    /// The request under way has asked for the sensor, which may be starting: no other client gets
    /// it.
    var isInUse = false
    /// The device has left while its driver was starting.
    var hasLeft = false
  }

  /// Starts a driver's process.
  typealias Start = @Sendable (InstalledDriver, DeviceSource?) throws(Failure) -> StartedDriver

  private unowned let core: Core
  private let state = Mutex(State())

  private static let channels = Atomic<UInt32>(1)

  /// A source whose client has named no driver.
  init(core: Core) { self.core = core }

  /// What the running driver's process was granted, where one runs.
  var ready: HostReady? { state.withLock { $0.running?.host.ready } }

  /// What a device is, where it is the one that is open and its driver told.
  func identity(of sensor: SelectedSensor) -> SensorIdentity? {
    guard let running = state.withLock({ $0.running }),
      running.selected.source == sensor.source,
      running.selected.choice.driver.path == sensor.choice.driver.path
    else { return nil }
    return running.identity
  }

  /// The driver that the client named.
  var named: DriverChoice? { state.withLock { $0.choice } }

  /// The driver and the device a touch would come from.
  /// - Throws: `biometryNotAvailable` where there is none.
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
      choice: DriverChoice(driver: reader.driver), source: .usb(reader.device))
  }

  /// The same; nil where there is none, or what is connected is not known.
  var present: SelectedSensor? {
    do throws(Failure) {
      return try selected()
    } catch {
      return nil
    }
  }

  /// Why there is no reader, where there is none.
  /// - Parameter hasRealFingers: whether fingers are enrolled that a reader took.
  /// - Returns: what is known of one.
  func absence(hasRealFingers: Bool) -> ReaderAbsence {
    if hasRealFingers { return .disconnected }
    return named != nil || core.readers.knowsAbsentOne ? .unpaired : .noReader
  }

  /// Uses another driver from here on.
  func choose(_ choice: DriverChoice) {
    let former = state.withLock { state in
      state.choice = choice
      return state.running.take()
    }
    end(former)
  }

  /// The open sensor, whose frames reach `enclave`; started where it does not run. It is the
  /// request's until ``release()``. Waits: for requests alone.
  /// - Throws: `biometryNotAvailable` without a reader or driver; the driver's failure when it
  ///   cannot open its device.
  func sensor(for enclave: EnclaveClient) throws(Failure) -> RunningSensor {
    // From here on nobody takes the device away, nor its place in ``Readers`` while the driver
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
    if let device = selected.device { try core.readers.take(device, for: self) }
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

  /// Ends a sensor that no longer works; the next request starts another one.
  func drop(_ sensor: RunningSensor) {
    state.withLock { state in
      if state.running === sensor { state.running = nil }
    }
    end(sensor)
  }

  /// The request that used the sensor is over; another client may take its device.
  func release() { state.withLock { $0.isInUse = false } }

  /// Gives the device up for another client. Any thread.
  /// - Returns: false while a request of this connection uses it, or is about to.
  func letGo() -> Bool {
    let (isFree, running) = state.withLock { state in
      (!state.isInUse, state.isInUse ? nil : state.running.take())
    }
    end(running)
    return isFree
  }

  /// The device has left. Any thread.
  func deviceLeft() {
    let running = state.withLock { state in
      state.hasLeft = true
      return state.running
    }
    running?.deviceLeft()
  }

  /// Whether a driver's process runs.
  var isRunning: Bool { state.withLock { $0.running != nil } }

  /// Ends the driver's process. Any thread.
  func end() { end(state.withLock { $0.running.take() }) }

  private func end(_ sensor: RunningSensor?) {
    guard let sensor else { return }
    sensor.end()
    if sensor.selected.device != nil { core.readers.forget(self) }
  }
}
