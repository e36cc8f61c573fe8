import LinuxSystem
import PluginHosting
import Protocol
import Synchronization

/// A sensor whose device is open: a driver's process that captures, and the channel by which its
/// frames reach one enclave.
///
/// Used by the thread of one connection; `end` comes from any thread.
final class RunningSensor: Sendable {
  private struct State {
    var listener: RequestInbox?
    var end: Failure?
    var identity: SensorIdentity?
    /// The sensor as one that compares prints itself; nil for one that delivers frames.
    var chip: ChipDevice?
    var isChannelOpen = false
    /// Whether the driver has had the finger lifted in this capture.
    var hasAskedToLift = false
  }

  let channel: UInt32
  let enclave: EnclaveClient
  let host: any PluginProcess
  let selected: SelectedSensor
  private let source: FrameSource
  private let state = Mutex(State())

  /// Opens the device.
  /// - Throws: the driver's reason if it cannot.
  init(
    _ started: consuming StartedDriver, _ selected: SelectedSensor, enclave: EnclaveClient,
    channel: UInt32, core: Core
  ) throws(Failure) {
    host = started.host
    self.enclave = enclave
    self.channel = channel
    self.selected = selected
    source = selected.choice.frameSource
    do throws(Failure) {
      try enclave.attach(started.frames, as: channel)
      try open(core)
    } catch {
      end()
      throw error
    }
    SystemThread.start(name: "sensor-events") { [self] in read() }
  }

  private func open(_ core: Core) throws(Failure) {
    let choice = selected.choice
    choice.files.rewind()
    if let source = selected.source {
      let device = try core.openDevice(source, choice.files.numbers.first)
      let isRecording = choice.device?.recordingPath != nil
      try host.send(
        OpenSensorRequest(options: choice.options, device: device.opening),
        descriptors: device.descriptors + choice.files.numbers.dropFirst(isRecording ? 1 : 0))
    } else {
      try host.send(OpenSensorRequest(options: choice.options), descriptors: choice.files.numbers)
    }
    while true {
      guard let message = try host.receive(milliseconds: core.limits.sensorOpenMilliseconds) else {
        throw Failure(
          .driverFailed, "the driver \(choice.driver.description.name) does not open its device",
          hint: "replug the reader, or try another driver")
      }
      switch consume message {
      case .sensorOpened(let opened):
        let chip = try opened.chip.map { (summary) throws(Failure) in
          try selected.chip(summary, serial: opened.identity?.serial ?? "")
        }
        state.withLock { ($0.identity, $0.chip) = (opened.identity, chip) }
        return
      case .failure(let failure): throw failure
      case .log(let level, let text): log(level, text)
      default: continue
      }
    }
  }

  private func log(_ level: PluginLogLevel, _ text: String) {
    CoreLog.write(level, text, from: "driver")
    selected.choice.log?.write(level, text)
  }

  private func read() {
    while true {
      do throws(Failure) {
        // Captures go to the enclave. Only what the driver says beside them arrives here.
        switch try host.receive(milliseconds: -1) {
        case .log(let level, let text): log(level, text)
        case .liftAwaited:
          let listener = state.withLock { state in
            defer { state.hasAskedToLift = true }
            return state.hasAskedToLift ? nil : state.listener
          }
          listener?.post(.liftAwaited)
        default: continue
        }
      } catch {
        let listener = state.withLock { state in
          state.end = state.end ?? error
          return state.listener
        }
        listener?.post(.sensorEnded(error))
        host.end()
        return
      }
    }
  }

  /// The message that opens the channel at the enclave, once: it goes with the first session.
  func takeOpening() -> [any WireMessage] {
    let isOpen = state.withLock { state in
      defer { state.isChannelOpen = true }
      return state.isChannelOpen
    }
    let chip = state.withLock { $0.chip }
    return isOpen ? [] : [OpenChannel(channel: channel, source: source, chip: chip)]
  }

  /// What the device is; nil if the driver's description says it all.
  var identity: SensorIdentity? { state.withLock { $0.identity } }

  func serves(_ enclave: EnclaveClient) -> Bool {
    enclave === self.enclave && enclave.isRunning && state.withLock { $0.end == nil }
  }

  /// The device has left. A request that waits for its touch is told at once.
  func deviceLeft() {
    let failure = Failure(
      .biometryDisconnected, "the reader was unplugged", hint: "plug it in again")
    let listener = state.withLock { state in
      guard state.end == nil else { return RequestInbox?.none }
      state.end = failure
      return state.listener
    }
    listener?.post(.sensorEnded(failure))
  }

  /// Tells `inbox` when the process ends, or at once if it has. nil to tell no one.
  func notify(_ inbox: RequestInbox?) {
    let end = state.withLock { state in
      state.listener = inbox
      return state.end
    }
    if let end { inbox?.post(.sensorEnded(end)) }
  }

  /// Starts one capture. Exactly one ``EngineKit/TouchEvent`` of `session` follows, unless a
  /// process ends.
  func capture(session: UInt64, milliseconds: UInt32, ignoresPresentFinger: Bool) throws(Failure) {
    state.withLock { $0.hasAskedToLift = false }
    try host.send(
      CaptureTouch(
        session: session, timeoutMilliseconds: milliseconds,
        ignoresPresentFinger: ignoresPresentFinger))
  }

  func stop(session: UInt64) throws(Failure) { try host.send(StopCapture(session: session)) }

  func end() {
    host.end()
    do throws(Failure) {
      try enclave.detach(channel)
      if state.withLock({ $0.isChannelOpen }) { try enclave.tell(CloseChannel(channel: channel)) }
    } catch {
      // An enclave that has ended has no channels.
    }
  }
}

/// A driver's process that is ready, and the enclave's end of its frame socket.
struct StartedDriver: ~Copyable {
  let host: any PluginProcess
  var frames: Descriptor
}
