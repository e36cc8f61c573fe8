import Glibc
package import LinuxSystem
package import Protocol
import Sandbox
import Synchronization

/// One `authcore-host` with one plugin, ready for work. It ends with this object.
package final class HostProcess: Sendable {
  private let connection: HostConnection
  private let arrivals: ArrivalWatch
  package let ready: HostReady
  /// Log lines from the start that were not received yet.
  private let earlyLines: Mutex<[HostLog]>

  private static let maximumEarlyLines = 100

  /// How long a plugin may take to start: loading, entry and, for an engine, create.
  private static let startMilliseconds: Int32 = 10_000

  /// Starts the enclave.
  /// - Parameters:
  ///   - plugin: the engine's file.
  ///   - folder: the absolute path of its folder; created (0700) if it is missing.
  ///   - installation: where the host is found, and whether it is confined.
  /// - Returns: the host; it waits for an ``EngineCall``.
  /// - Throws: `engineFailed`, `untrustedPlugin`, `storageFailed`, `busy`, or what its `create`
  ///   says.
  package static func startEnclave(
    _ plugin: TrustedFile, folder: String, in installation: Installation
  ) throws(Failure) -> HostProcess {
    try HostProcess(
      HostSubject(kind: .engine(.enclave), path: plugin.path),
      arguments: ["--engine", plugin.path, "--folder", folder]
        + (installation.tpm.map { ["--tpm", $0] } ?? []),
      confinement: installation.sandbox == .off ? .off : .enclave,
      messageLimit: HostProtocol.maximumMessage, in: installation)
  }

  /// Starts a driver, in the sandbox that its description asks for.
  /// - Parameters:
  ///   - driver: its file and its description.
  ///   - source: its device; nil for a driver that does not use `usb/1`.
  ///   - model: the file of a model for a simulated device; nil for the one beside the driver, if
  ///     there is one.
  ///   - frames: the writing end of a frame socket; the caller closes its own.
  ///   - installation: where the host is found, and whether it is confined.
  /// - Returns: the host; it waits for an ``OpenSensorRequest``.
  /// - Throws: `driverFailed`, `untrustedPlugin`.
  package static func startDriver(
    _ driver: InstalledDriver, source: DeviceSource? = nil, model: String? = nil,
    frames: borrowing Descriptor, in installation: Installation
  ) throws(Failure) -> HostProcess {
    var arguments = ["--driver", driver.path]
    var confinement = driver.description.confinement
    if let source {
      let transport = try installation.search.transport(source.transportName)
      arguments += ["--transport", transport.path]
      if case .usb = source, confinement == .closed { confinement = .usesDevice }
      if case .simulated = source, let model = model ?? driver.modelBeside {
        arguments += ["--model", model]
      }
    }
    return try HostProcess(
      HostSubject(kind: .driver, path: driver.path), arguments: arguments,
      confinement: installation.sandbox == .off ? .off : confinement,
      frames: frames.number, messageLimit: 64 << 10, in: installation)
  }

  /// Starts the watcher of USB devices.
  /// - Parameter installation: where the host is found, and whether it is confined.
  /// - Returns: the host; it reports ``HostEvent/deviceChange(_:)`` for every device, then
  ///   `settled`, then what changes.
  /// - Throws: `driverFailed`, `untrustedPlugin`.
  package static func startWatch(in installation: Installation) throws(Failure) -> HostProcess {
    let transport = try installation.search.transport("usb")
    return try HostProcess(
      HostSubject(kind: .transport, path: transport.path), arguments: ["--watch", transport.path],
      confinement: installation.sandbox == .off ? .off : .watchesDevices,
      messageLimit: 64 << 10, in: installation)
  }

  private init(
    _ subject: HostSubject, arguments: [String], confinement: Confinement, frames: Int32? = nil,
    messageLimit: Int, in installation: Installation
  ) throws(Failure) {
    let connection = try HostConnection.start(
      subject, arguments: arguments + ["--sandbox", confinement.rawValue], frames: frames,
      messageLimit: messageLimit, in: installation)
    var lines: [HostLog] = []
    ready = try Self.waitForReady(connection, &lines)
    earlyLines = Mutex(lines)
    arrivals = try ArrivalWatch(connection.mailbox)
    self.connection = connection
  }

  private static func waitForReady(
    _ connection: borrowing HostConnection, _ lines: inout [HostLog]
  ) throws(Failure) -> HostReady {
    let deadline = Deadline(milliseconds: startMilliseconds)
    while let word = try connection.next(until: deadline) {
      switch consume word {
      case .ready(let ready): return ready
      case .failure(let failure): throw connection.abandon(failure)
      case .log(let line): if lines.count < maximumEarlyLines { lines.append(line) }
      default: throw connection.abandon(connection.subject.failure("broke the protocol of hosts"))
      }
    }
    throw connection.giveUp(afterMilliseconds: startMilliseconds)
  }

  package var path: String { connection.subject.path }
  package var identifier: Int32 { connection.identifier }
  package var mailbox: Int32 { connection.mailbox }

  /// Sends a message. Any thread. Blocks while the host does not read.
  /// - Throws: `driverFailed` or `engineFailed` if the host has ended.
  package func send(
    _ message: borrowing some WireMessage & ~Copyable, descriptors: [Int32] = []
  ) throws(Failure) {
    try connection.send(message, descriptors: descriptors)
  }

  /// Sends the engine a request in two parts, without joining them. Any thread.
  /// - Throws: as ``send(_:descriptors:)``.
  package func call(_ head: [UInt8], _ rest: Span<UInt8>) throws(Failure) {
    try connection.send(EngineCall.head(count: head.count + rest.count) + head, rest)
  }

  /// Waits for the next message. One thread at a time.
  /// - Returns: nil if the deadline has passed.
  /// - Throws: `driverFailed` or `engineFailed` if the host has ended or broke a rule, with the
  ///   reason; it is gone then.
  package func receive(milliseconds: Int32 = -1) throws(Failure) -> HostEvent? {
    let early = earlyLines.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    if let early { return .log(early.level, early.text) }
    guard let word = try connection.next(until: Deadline(milliseconds: milliseconds)) else {
      return nil
    }
    let (isEngine, isDriver) =
      switch connection.subject.kind {
      case .engine: (true, false)
      case .driver: (false, true)
      case .transport: (false, false)
      }
    switch consume word {
    case .failure(let failure): return .failure(failure)
    case .log(let line): return .log(line.level, line.text)
    case .reply(let reply) where isEngine: return .reply(reply)
    case .event(let event) where isEngine: return .event(event)
    case .opened(let opened) where isDriver: return .sensorOpened(opened)
    case .closed where isDriver: return .sensorClosed
    case .liftAwaited where isDriver: return .liftAwaited
    case .change(let change) where !isEngine && !isDriver: return .deviceChange(change)
    default:
      throw connection.abandon(
        connection.subject.failure("said something that is not for it to say and was ended"))
    }
  }

  /// Waits until ``receive(milliseconds:)`` has something to return, or the host has ended. Between
  /// ``holdArrivals()`` and ``releaseArrivals()`` only the end is reported. May return early. One
  /// thread at a time.
  package func waitForArrival() {
    // Lines from the start are not in the socket.
    guard earlyLines.withLock({ $0.isEmpty }) else { return }
    arrivals.wait()
  }

  /// Keeps ``waitForArrival()`` from returning when something arrives, because the calling thread
  /// receives it itself.
  package func holdArrivals() { arrivals.report(false) }

  /// Ends ``holdArrivals()`` and reports what has arrived and was not received.
  package func releaseArrivals() { arrivals.report(true) }

  /// Closes the mailbox, waits at most half a second, ends the process and reaps it. Any thread;
  /// may be repeated.
  package func end() { connection.end() }
}
