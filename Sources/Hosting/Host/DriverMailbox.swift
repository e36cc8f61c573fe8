import Glibc
import LinuxSystem
import PluginHosting
import Protocol

/// The mailbox thread of a driver's host: takes orders, interrupts captures, and ends the process
/// if the core is gone or the driver does not return from a call.
final class DriverMailbox: Sendable {
  private let mailbox: HostMailbox
  private let work: Guarded<DriverWork>

  /// How often a busy driver is checked.
  private static let tickMilliseconds: Int32 = 500
  /// How long an interrupted capture may go on; the ABI allows 100 ms.
  private static let interruptionGrace: UInt64 = 2_000_000_000
  /// How long the owner thread may take to close the device at the end.
  private static let endGrace: UInt64 = 300_000_000

  init(_ mailbox: HostMailbox, _ work: Guarded<DriverWork>) {
    (self.mailbox, self.work) = (mailbox, work)
  }

  /// Serves from a thread of its own until the process ends.
  func start() {
    SystemThread.start(name: "mailbox") {
      while true {
        self.waitForMessage()
        guard let message = self.mailbox.receive() else { self.end() }
        self.handle(message)
      }
    }
  }

  private func waitForMessage() {
    var idle = IdleMemory()
    while true {
      var poll = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
      let isBusy = work.read { $0.isBusy }
      if isBusy { idle.wasUsed() }
      if unsafe Glibc.poll(&poll, 1, isBusy ? Self.tickMilliseconds : idle.limit()) > 0 { return }
      idle.timePassed()
      let now = Deadline.now
      let overdue = work.read { work in
        work.call.flatMap { $0.deadline < now ? $0.function : nil }
      }
      if let overdue { mailbox.end(because: "does not return from \(overdue) and was ended") }
    }
  }

  private func handle(_ message: consuming ReceivedMessage) {
    let files = DescriptorList(taking: &message.descriptors)
    do throws(DecodeError) {
      let bytes = message.bytes.bytes
      switch bytes.count > 0 ? bytes[0] : 0 {
      case OpenSensorRequest.number:
        let order = try OpenSensorRequest.decode(bytes)
        guard order.descriptorCount == files.numbers.count else {
          throw .invalidValue(field: "descriptors of OpenSensorRequest")
        }
        work.update { $0.orders.append(.open(order, files)) }
      case CaptureTouch.number:
        let order = try CaptureTouch.decode(bytes)
        let isFree = work.update { work in
          guard work.session == nil else { return false }
          work.session = order.session
          work.orders.append(.capture(order))
          return true
        }
        guard isFree else { throw .invalidValue(field: "CaptureTouch during another") }
      case StopCapture.number: stop(try StopCapture.decode(bytes).session)
      case CloseSensor.number:
        _ = try CloseSensor.decode(bytes)
        work.update { $0.orders.append(.close) }
      default: throw .unknownMessage(number: bytes.count > 0 ? bytes[0] : 0)
      }
    } catch {
      mailbox.end(because: "its host was sent something that is no message (\(error))")
    }
  }

  private func stop(_ session: UInt64?) {
    let deadline = Deadline.now + Self.interruptionGrace
    work.update { work in
      guard work.session != nil, session == nil || work.session == session, !work.isStopped else {
        return
      }
      work.isStopped = true
      InterruptibleSleep.interrupt()
      // Under the lock, so that the device is neither closed nor in another capture.
      guard work.call?.function == "capture", let sensor = work.sensor else { return }
      sensor.interrupt()
      work.call?.deadline = deadline
    }
  }

  private func end() -> Never {
    stop(nil)
    work.update { $0.orders = [.finish] }
    _ = work.wait(nanoseconds: Self.endGrace) { $0.isFinished ? true : nil }
    _exit(0)
  }
}

/// What a driver's owner thread does and has to do; shared between it and the mailbox thread in a
/// ``Guarded``.
struct DriverWork: Sendable {
  enum Order: Sendable {
    case open(OpenSensorRequest, DescriptorList)
    case capture(CaptureTouch)
    case close
    case finish
  }

  /// A call into the driver.
  struct Call: Sendable {
    let function: String
    /// When the host gives up on it; nanoseconds of CLOCK_MONOTONIC.
    var deadline: UInt64
  }

  /// In the order they came.
  var orders: [Order] = []
  var call: Call?
  var sensor: OpenedSensor?
  /// Its part that compares prints; nil for a sensor that delivers images.
  var chip: OpenedChip?
  var session: UInt64?
  var isStopped = false
  var isFinished = false
  var isBusy: Bool { call != nil || !orders.isEmpty }
}
