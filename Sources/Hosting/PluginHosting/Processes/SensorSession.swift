import Glibc
import LinuxSystem
package import Protocol
import Synchronization

/// A driver's host for a command that reads a sensor itself, without core and enclave.
package final class SensorSession: Sendable {
  package var ready: HostReady { host.ready }
  /// What the open device is; nil if its driver's description says it all.
  package let identity: SensorIdentity?

  private struct Progress: ~Copyable, Sendable {
    var reader = MessageReader(limit: HostProtocol.maximumFrameMessage)
    var session: UInt64 = 0
  }

  private let host: HostProcess
  private let frames: Descriptor
  private let log: @Sendable (PluginLogLevel, String) -> Void
  private let progress = Mutex(Progress())
  private let current = Mutex<UInt64>(0)

  /// The host enforces the driver's deadlines for opening and capturing; these are for a host that
  /// fails to.
  private static let graceMilliseconds: Int32 = 10_000
  private static let openMilliseconds: Int32 = 40_000

  /// Starts the driver and opens its device.
  /// - Parameters:
  ///   - driver: described and trusted.
  ///   - options: checked against its description; files are opened here.
  ///   - source: its device; nil for a driver that does not use `usb/1`.
  ///   - model: the file of a model for a simulated device; nil for the one beside the driver.
  ///   - traffic: a descriptor of the caller's to which the traffic is written as pcapng; nil to
  ///     record nothing.
  ///   - installation: where the host is found.
  ///   - log: takes the driver's lines, on the thread that waits for the driver.
  /// - Throws: `usage` for a file that cannot be opened, or the driver's reason.
  package init(
    _ driver: InstalledDriver, options: [SensorOption], source: DeviceSource? = nil,
    model: String? = nil, traffic: Int32? = nil, in installation: Installation,
    log: @escaping @Sendable (PluginLogLevel, String) -> Void = { _, _ in }
  ) throws(Failure) {
    let files = try DescriptorList(opening: options)
    let pair = try SocketPair()
    let host = try HostProcess.startDriver(
      driver, source: source, model: model, frames: pair.far, in: installation)
    if let source {
      let device = try OpenedDevice(source, traffic: traffic, in: installation)
      try host.send(
        OpenSensorRequest(options: options, device: device.opening),
        descriptors: device.descriptors + files.numbers)
    } else {
      try host.send(OpenSensorRequest(options: options), descriptors: files.numbers)
    }
    let deadline = Deadline(milliseconds: Self.openMilliseconds)
    var opened: SensorIdentity??
    while opened == nil {
      switch try host.receive(milliseconds: deadline.remainingMilliseconds) {
      case .sensorOpened(let identity): opened = .some(identity)
      case .failure(let failure): throw failure
      case .log(let level, let text): log(level, text)
      case nil: throw Failure(.driverFailed, "The driver \(driver.path) does not open its device")
      default: continue
      }
    }
    identity = opened ?? nil
    (self.host, self.log) = (host, log)
    frames = pair.takeNear()
  }

  /// Waits for one touch. One thread at a time.
  /// - Parameters:
  ///   - timeoutMilliseconds: how long the driver waits for the finger.
  ///   - ignoresPresentFinger: whether a finger on the sensor has to be lifted first.
  /// - Returns: a frame, a retry or an end; ``stop()`` makes it an end with `AC_ERR_INTERRUPTED`.
  /// - Throws: `driverFailed` if the driver's host has ended, with the reason.
  package func captureTouch(
    timeoutMilliseconds: UInt32, ignoresPresentFinger: Bool = false
  ) throws(Failure) -> TouchOutcome {
    try progress.withLock { (progress) throws(Failure) -> TouchOutcome in
      progress.session += 1
      let session = progress.session
      current.withLock { $0 = session }
      defer { current.withLock { $0 = 0 } }
      try host.send(
        CaptureTouch(
          session: session, timeoutMilliseconds: timeoutMilliseconds,
          ignoresPresentFinger: ignoresPresentFinger))
      let limit = Int32(clamping: Int64(timeoutMilliseconds) + Int64(Self.graceMilliseconds))
      let deadline = Deadline(milliseconds: limit)
      while deadline.remainingMilliseconds > 0 {
        var polls = [
          pollfd(fd: frames.number, events: Int16(POLLIN), revents: 0),
          pollfd(fd: host.mailbox, events: Int16(POLLIN), revents: 0),
        ]
        guard unsafe poll(&polls, 2, deadline.remainingMilliseconds) > 0 else { continue }
        if polls[0].revents != 0, let outcome = try readFrame(&progress.reader) {
          // Lines that were sent before the frame, which counts even if the host has ended since.
          while case .log(let level, let text)? = try? host.receive(milliseconds: 0) {
            log(level, text)
          }
          return outcome
        }
        if polls[1].revents != 0 { try readMailbox() }
      }
      throw Failure(.driverFailed, "The driver \(host.path) does not answer")
    }
  }

  private func readFrame(_ reader: inout MessageReader) throws(Failure) -> TouchOutcome? {
    let problem: any Error
    do {
      guard let message = try reader.readAvailable(from: frames.number) else { return nil }
      return try TouchOutcome.decode(message.bytes)
    } catch {
      problem = error
    }
    // The mailbox tells why; a host that goes on has broken the rules.
    while try host.receive(milliseconds: 1000) != nil {}
    throw Failure(.driverFailed, "The driver \(host.path) delivers no frames: \(problem)")
  }

  private func readMailbox() throws(Failure) {
    switch try host.receive(milliseconds: 0) {
    case .log(let level, let text): log(level, text)
    case .failure(let failure): throw failure
    default: return
    }
  }

  /// Ends the current capture. Any thread.
  package func stop() {
    let session = current.withLock { $0 }
    // If the host has ended, the capture notices that.
    if session != 0 { try? host.send(StopCapture(session: session)) }
  }

  /// Closes the device and ends the host.
  package func close() { host.end() }
}
