import LinuxSystem
import PluginHosting
import Protocol

/// Which USB readers are connected, according to a watcher in a process of its own, and who uses
/// which.
///
/// The watcher starts with the first question and lives as long as the core. If it dies, the next
/// question starts another.
final class Readers: Sendable {
  typealias Watch = @Sendable () throws(Failure) -> any PluginProcess
  typealias ProductName = @Sendable (USBPresence) -> String?

  private struct State: Sendable {
    var host: (any PluginProcess)?
    var isStarting = false
    var isEnding = false
    var connected = ConnectedDevices()
    var failure: Failure?
    /// The reader to use until devices or preferences change: each step of a request asks for it.
    var best: Reader?
    var uses: [(reader: TouchedReader, source: SensorSource)] = []
  }

  private let watch: Watch
  private let drivers: @Sendable () -> [InstalledDriver]
  private let productName: ProductName
  private let preferenceFile: String
  private let state = Guarded(State())

  /// How long the watcher may take to report what is connected.
  private static let settlingNanoseconds: UInt64 = 5_000_000_000

  /// - Parameters:
  ///   - preferenceFile: remembers the person's choice; absolute.
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
  /// - Throws: `driverFailed` if the watcher cannot be started or says nothing.
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

  /// The reader to use if the client named none; nil if none is connected.
  func best() throws(Failure) -> Reader? {
    let devices = try connected()
    guard !devices.isEmpty else { return nil }
    if let known = state.read({ $0.best }) { return known }
    let best = Reader.all(
      drivers: drivers(), devices: devices, preferred: ReaderPreference.read(preferenceFile)
    ).first
    state.update { state in if state.connected.devices == devices { state.best = best } }
    return best
  }

  /// Whether a reader is known though none can be used: the person named one before, or one without
  /// a driver is connected.
  var knowsAbsentOne: Bool {
    if ReaderPreference.read(preferenceFile) != nil { return true }
    let devices = state.read { $0.connected.devices }
    let drivers = drivers()
    return devices.contains { device in
      !drivers.contains { $0.handles(device) }
        && productName(device).map(USBProduct.isReader) == true
    }
  }

  func prefer(_ reader: Reader) {
    ReaderPreference(reader).write(preferenceFile)
    state.update { $0.best = nil }
  }

  /// Has the reader chosen anew, because the usable drivers have changed.
  func forgetBest() { state.update { $0.best = nil } }

  // MARK: Who uses what

  /// Gives a reader to a source, taking it from sources that do not use it now.
  /// - Throws: `busy` if a request of another client uses it, or is about to.
  func take(_ reader: TouchedReader, for source: SensorSource) throws(Failure) {
    // Registered before others are asked: of two at once, the second meets the first.
    let holders = state.update { state in
      let holders = state.uses.filter { $0.reader == reader && $0.source !== source }
      state.uses.removeAll { $0.source === source }
      state.uses.append((reader, source))
      return holders.map(\.source)
    }
    for holder in holders {
      guard holder.letGo() else {
        forget(source)
        throw Failure(
          .busy, "another request is waiting for a touch on the reader \(reader.text)",
          hint: "finish or cancel that one first")
      }
      forget(holder)
    }
  }

  /// Forgets a source that uses no reader any more.
  func forget(_ source: SensorSource) {
    state.update { state in state.uses.removeAll { $0.source === source } }
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
      let gone = before.filter { !after.contains($0) }.map { TouchedReader.usb($0) }
      return state.uses.filter { gone.contains($0.reader) }.map(\.source)
    }
    for source in left { source.deviceLeft() }
  }

  func end() {
    let host = state.update { state in
      state.isEnding = true
      return state.host
    }
    host?.end()
  }
}
