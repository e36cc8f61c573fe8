import LinuxSystem
import PluginHosting
import Protocol

/// Which USB readers are connected, by word of a watcher in a process of its own, and who uses
/// which.
///
/// The watcher starts with the first question and lives as long as the core; one that dies is
/// started again by the next question.
final class Readers: Sendable {
  /// What a core needs to watch devices. Tests put closures in the places of processes.
  typealias Watch = @Sendable () throws(Failure) -> any PluginProcess
  /// What a device calls itself.
  typealias ProductName = @Sendable (USBPresence) -> String?

  private struct State: Sendable {
    var host: (any PluginProcess)?
    var isStarting = false
    /// Whether the core ends, and the watcher with it.
    var isEnding = false
    var connected = ConnectedDevices()
    var failure: Failure?
    /// The reader to use, as long as nothing comes or goes and no other is preferred: each step of
    /// a request asks for it.
    var best: Reader?
    /// Told when a device leaves.
    var listeners: [(device: USBPresence, source: SensorSource)] = []
  }

  private let watch: Watch
  private let drivers: @Sendable () -> [InstalledDriver]
  private let productName: ProductName
  private let preferenceFile: String
  private let state = Guarded(State())

  /// How long the watcher has to report what is there.
  private static let settlingNanoseconds: UInt64 = 5_000_000_000

  /// - Parameters:
  ///   - preferenceFile: where the person's choice is remembered; absolute.
  ///   - watch: starts a watcher.
  ///   - drivers: the installed drivers in the order of the search path.
  ///   - productName: what a device calls itself.
  init(
    preferenceFile: String, watch: @escaping Watch,
    drivers: @escaping @Sendable () -> [InstalledDriver], productName: @escaping ProductName
  ) {
    self.preferenceFile = preferenceFile
    self.watch = watch
    self.drivers = drivers
    self.productName = productName
  }

  // MARK: What is there

  /// What is connected.
  /// - Throws: `driverFailed` when the watcher cannot be started or says nothing.
  func connected() throws(Failure) -> [USBPresence] {
    let mustStart = state.update { state in
      guard state.host == nil, !state.isStarting else { return false }
      state.isStarting = true
      state.failure = nil
      state.connected = ConnectedDevices()
      state.best = nil
      return true
    }
    if mustStart { SystemThread.start(name: "devices") { [self] in run() } }
    let settled = state.wait(nanoseconds: Self.settlingNanoseconds) {
      state -> Result<[USBPresence], Failure>? in
      if let failure = state.failure { return .failure(failure) }
      return state.connected.isSettled ? .success(state.connected.devices) : nil
    }
    guard let settled else {
      throw Failure(.driverFailed, "the watcher of USB devices does not say what is connected")
    }
    return try settled.get()
  }

  /// The reader to use where the client named none; nil where none is connected.
  func best() throws(Failure) -> Reader? {
    let devices = try connected()
    guard !devices.isEmpty else { return nil }
    if let known = state.read({ $0.best }) { return known }
    let best = Reader.all(
      drivers: drivers(), devices: devices, preferred: ReaderPreference.read(preferenceFile)
    ).first
    state.update { state in
      if state.connected.devices == devices { state.best = best }
    }
    return best
  }

  /// Where none can be used: whether the person named one before, or one is connected that no driver
  /// handles.
  var knowsAbsentOne: Bool {
    if ReaderPreference.read(preferenceFile) != nil { return true }
    let devices = state.read { $0.connected.devices }
    let drivers = drivers()
    return devices.contains { device in
      !drivers.contains { $0.handles(device) }
        && productName(device).map(USBProduct.isReader) == true
    }
  }

  /// Remembers that the person named this reader.
  func prefer(_ reader: Reader) {
    ReaderPreference(reader).write(preferenceFile)
    state.update { $0.best = nil }
  }

  /// Which drivers may be used has changed: the reader is chosen anew.
  func forgetBest() { state.update { $0.best = nil } }

  // MARK: Who uses what

  /// Gives a device to a source; whoever holds it idly has to let go of it.
  /// - Throws: `busy` when a request of another client uses it, or is about to.
  func take(_ device: USBPresence, for source: SensorSource) throws(Failure) {
    // Its name is down before anybody is asked: of two that come at once the second meets the
    // first.
    let holders = state.update { state in
      let holders = state.listeners.filter { $0.device == device && $0.source !== source }
      state.listeners.removeAll { $0.source === source }
      state.listeners.append((device, source))
      return holders.map(\.source)
    }
    for holder in holders {
      guard holder.letGo() else {
        forget(source)
        throw Failure(
          .busy, "another request is waiting for a touch on the reader \(device.text)",
          hint: "finish or cancel that one first")
      }
      forget(holder)
    }
  }

  /// A source that uses no device any more.
  func forget(_ source: SensorSource) {
    state.update { state in state.listeners.removeAll { $0.source === source } }
  }

  // MARK: Watching

  private func run() {
    do throws(Failure) {
      let host = try watch()
      state.update { state in
        state.host = host
        state.isStarting = false
      }
      while true {
        guard let message = try host.receive(milliseconds: -1) else { continue }
        switch consume message {
        case .deviceChange(let change): apply(change)
        case .log(let level, let text): CoreLog.write(level, text, from: "devices")
        default: continue
        }
      }
    } catch {
      let (host, isEnding) = state.update { state in
        state.isStarting = false
        state.failure = error
        return (state.host.take(), state.isEnding)
      }
      host?.end()
      if !isEnding { CoreLog.write(.warning, error.message, from: "devices") }
    }
  }

  private func apply(_ change: DeviceChange) {
    let left = state.update { state in
      let before = state.connected.devices
      state.connected.apply(change)
      state.best = nil
      let after = state.connected.devices
      return state.listeners.filter { before.contains($0.device) && !after.contains($0.device) }
        .map(\.source)
    }
    for source in left { source.deviceLeft() }
  }

  /// Ends the watcher.
  func end() {
    let host = state.update { state in
      state.isEnding = true
      return state.host
    }
    host?.end()
  }
}
