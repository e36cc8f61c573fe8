import Glibc
import LinuxSystem
package import Protocol
import Synchronization

/// A running `authcore-host`: its mailbox and its process, which ends with this value. Everything
/// it says is checked, because a driver can write to its host's mailbox.
struct HostConnection: ~Copyable, Sendable {
  private struct Receiving: ~Copyable, Sendable {
    var reader: MessageReader
    var budget = LogBudget(now: Deadline.now)
    /// The stage of the plugin's start; nil once it is ready.
    var stage: HostStage.Stage? = .loading
  }

  private let life: HostLife
  private let stream: MessageStream
  private let receiving: Mutex<Receiving>
  private let sending = Mutex(())

  private init(_ life: HostLife, _ stream: consuming MessageStream) {
    self.life = life
    receiving = Mutex(Receiving(reader: MessageReader(limit: stream.limit)))
    self.stream = stream
  }

  var subject: HostSubject { life.subject }
  var identifier: Int32 { life.child.identifier }

  /// Starts a host.
  /// - Parameters:
  ///   - subject: its plugin.
  ///   - arguments: of `authcore-host`.
  ///   - frames: the writing end of a frame socket.
  ///   - messageLimit: bytes of a message it may send.
  ///   - installation: where the host is found.
  /// - Returns: the host, which may still fail to come up.
  /// - Throws: `coreFailed`, `untrustedPlugin` about `authcore-host` itself.
  static func start(
    _ subject: HostSubject, arguments: [String], frames: Int32? = nil, messageLimit: Int,
    in installation: Installation
  ) throws(Failure) -> HostConnection {
    let program = try installation.hostProgram()
    let pair = try SocketPair()
    var launch = ProgramLaunch(path: program.path, arguments: arguments)
    launch.descriptors = [pair.far.number] + (frames.map { [$0] } ?? [])
    launch.startsSession = true
    if installation.sandbox == .off { launch.environment = EnvironmentVariable.entries }
    do throws(SystemCallError) {
      let child = try LaunchThread.start(launch)
      return HostConnection(
        HostLife(subject, child), MessageStream(pair.takeNear(), limit: messageLimit))
    } catch {
      throw Failure(
        .coreFailed, "Cannot start \(program.path): \(error)",
        hint: "check the limits on processes (ulimit -u) and memory")
    }
  }

  var mailbox: Int32 { stream.descriptor.number }

  func send(
    _ message: borrowing some WireMessage & ~Copyable, descriptors: [Int32]
  ) throws(Failure) {
    let bytes = message.encoded()
    try send([], bytes.bytes, descriptors: descriptors)
  }

  /// Sends a message in two parts.
  func send(_ head: [UInt8], _ rest: Span<UInt8>, descriptors: [Int32] = []) throws(Failure) {
    do throws(StreamError) {
      try sending.withLock { (_) throws(StreamError) in
        try stream.send(head, rest, descriptors: descriptors)
      }
    } catch {
      throw life.failureOfEnd(stage: nil)
    }
  }

  /// The next report for the caller: log lines within the budget, no stages.
  /// - Returns: nil if the deadline has passed.
  /// - Throws: if the host has ended or broke a rule; it is gone then.
  func next(until deadline: Deadline) throws(Failure) -> HostReport? {
    try receiving.withLock { (receiving) throws(Failure) -> HostReport? in
      while true {
        guard let word = try read(&receiving.reader, until: deadline, stage: receiving.stage) else {
          return nil
        }
        switch consume word {
        case .stage(let stage): receiving.stage = stage
        case .trapped(let trapped):
          throw abandon(subject.failure(trappedAt: trapped.call, receiving.stage))
        case .ending(let ending): throw abandon(subject.failure(ending.reason))
        case .log(let line):
          switch receiving.budget.take(now: Deadline.now) {
          case .take: return .log(line)
          case .drop: break
          case .end:
            throw abandon(
              subject.failure("wrote more log lines than a plugin may (\(LogBudget.rate) a second)")
            )
          }
        case .ready(let ready):
          receiving.stage = nil
          return .ready(ready)
        case let other: return other
        }
      }
    }
  }

  private func read(
    _ reader: inout MessageReader, until deadline: Deadline, stage: HostStage.Stage?
  ) throws(Failure) -> HostReport? {
    let message: SecretBytes
    do throws(StreamError) {
      guard let read = try reader.read(from: mailbox, until: deadline) else { return nil }
      message = read
    } catch {
      switch error {
      case .closed, .truncated: throw life.failureOfEnd(stage: stage)
      case .timedOut, .tooLong, .tooManyDescriptors, .system:
        throw abandon(subject.failure(garbage: error))
      }
    }
    do throws(DecodeError) {
      return try HostReport.decode(message)
    } catch {
      throw abandon(subject.failure(garbage: error))
    }
  }

  /// Ends a host that exceeded its deadline.
  func giveUp(afterMilliseconds count: Int32) -> Failure {
    let stage = receiving.withLock { $0.stage }
    return abandon(subject.failure(silentForMilliseconds: count, stage))
  }

  func abandon(_ failure: Failure) -> Failure { life.abandon(failure) }

  func end() {
    shutdown(mailbox, Int32(SHUT_RDWR))
    life.reap()
  }

  deinit { end() }
}

/// What a ready host says to the core or a command.
package enum HostEvent: ~Copyable, Sendable {
  /// The answer to the last ``EngineCall``.
  case reply(SecretBytes)
  /// What the engine emitted, which may come outside of calls.
  case event(SecretBytes)
  case log(PluginLogLevel, String)
  /// The answer to ``OpenSensorRequest``: the device is open, and what it is, if its driver says.
  case sensorOpened(SensorOpened)
  /// The answer to ``CloseSensor``.
  case sensorClosed
  /// The capture under way goes on when the finger has left the sensor.
  case liftAwaited
  /// From a watching host.
  case deviceChange(DeviceChange)
  /// The answer to ``OpenSensorRequest``: the driver failed. The host goes on.
  case failure(Failure)
}

/// Limits the log lines of one plugin: a thousand at once, a hundred a second. The rest is dropped,
/// and a plugin with ten thousand dropped lines in one go is ended.
package struct LogBudget: Sendable {
  package enum Verdict: Equatable, Sendable { case take, drop, end }

  package static let burst: UInt64 = 1000
  package static let rate: UInt64 = 100
  package static let mostDropped: UInt64 = 10_000

  private var left = Self.burst
  private var dropped: UInt64 = 0
  private var refilled: UInt64

  /// - Parameter now: nanoseconds of a monotonic clock.
  package init(now: UInt64) { refilled = now }

  package mutating func take(now: UInt64) -> Verdict {
    let interval = 1_000_000_000 / Self.rate
    let earned = (max(now, refilled) - refilled) / interval
    refilled += earned * interval
    left = min(Self.burst, left + min(earned, Self.burst))
    if left == Self.burst { dropped = 0 }
    guard left == 0 else {
      left -= 1
      return .take
    }
    dropped += 1
    return dropped < Self.mostDropped ? .drop : .end
  }
}
