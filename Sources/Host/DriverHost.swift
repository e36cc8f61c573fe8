import Glibc
import PluginHosting
import Sandbox
import Wire

/// Hosts a driver: the owner thread makes its calls, the mailbox thread (``DriverMailbox``) hears the core and interrupts.
final class DriverHost: Sendable {
  private let driver: LoadedDriver
  private let mailbox: HostMailbox
  private let frames: MessageStream
  private let work = Monitor(DriverWork())

  /// How long calls may take beyond what they were told.
  private static let openSeconds: UInt64 = 30
  private static let captureGraceSeconds: UInt64 = 5
  private static let closeSeconds: UInt64 = 5

  init(_ driver: LoadedDriver, _ mailbox: HostMailbox, frames: Int32) {
    self.driver = driver
    self.mailbox = mailbox
    self.frames = MessageStream(
      Descriptor(owning: frames), limit: HostProtocol.maximumFrameMessage)
  }

  /// Loads a driver, closes the sandbox, and calls its entry.
  static func load(
    _ path: String, _ sandbox: inout HostSandbox, _ mailbox: HostMailbox
  ) throws(Failure) -> LoadedDriver {
    let file = try TrustedFile(checking: path)
    let services = HostServices(log: mailbox.log)
    sandbox.enterLoading(plugin: file.path)
    mailbox.send(HostStage(.loading))
    let mapped = try LoadedDriver.Mapped(file)
    sandbox.close()
    mailbox.send(HostStage(.entry))
    return try mapped.enter(services: services)
  }

  /// Makes the driver's calls on the calling thread until the core has had enough.
  func run() {
    DriverMailbox(mailbox, work).start()
    var files: SensorFiles?
    // Whether a capture ended by itself just before it was interrupted: the driver may then end the next one instead.
    var owesInterruption = false
    while true {
      switch work.wait(for: { $0.orders.isEmpty ? nil : $0.orders.removeFirst() }) {
      case .open(let options, let given):
        files = open(options, given) ? given : files
      case .capture(let order): capture(order, owesInterruption: &owesInterruption)
      case .close:
        close()
        files = nil
        mailbox.send(SensorClosed())
      case .finish:
        close()
        work.withLock { $0.isFinished = true }
        return
      }
    }
  }

  private func begin(_ function: String, seconds: UInt64) {
    let deadline = Deadline.now + seconds * 1_000_000_000
    work.withLock { $0.call = DriverWork.Call(function: function, deadline: deadline) }
  }

  private func open(_ options: [SensorOption], _ files: SensorFiles) -> Bool {
    guard work.withLock({ $0.sensor == nil }) else {
      mailbox.send(Failure(.driverFailed, "The driver \(driver.path) has its device open already"))
      return false
    }
    begin("open", seconds: Self.openSeconds)
    do throws(Failure) {
      let sensor = try driver.open(options, descriptors: files.numbers)
      work.withLock {
        $0.call = nil
        $0.sensor = sensor
      }
      mailbox.send(SensorOpened())
      return true
    } catch {
      work.withLock { $0.call = nil }
      mailbox.send(error)
      return false
    }
  }

  private func capture(_ order: CaptureTouch, owesInterruption: inout Bool) {
    let sensor = work.withLock { work -> OpenedSensor? in
      InterruptibleSleep.resume()
      guard !work.isStopped else { return nil }
      return work.sensor
    }
    guard let sensor else {
      let isStopped = finishCapture()
      return end(
        order.session, isStopped ? SensorStatus.interrupted : SensorStatus.wrongState,
        isStopped ? SensorStatus.text(SensorStatus.interrupted) : "the device is not open")
    }
    begin(
      "capture",
      seconds: UInt64(order.timeoutMilliseconds) / 1000 + 1 + Self.captureGraceSeconds)
    var outcome = sensor.capture(
      session: order.session, timeoutMilliseconds: order.timeoutMilliseconds)
    if outcome.status == SensorStatus.interrupted, owesInterruption,
      work.withLock({ !$0.isStopped })
    {
      outcome = sensor.capture(
        session: order.session, timeoutMilliseconds: order.timeoutMilliseconds)
    }
    owesInterruption = false
    let status = outcome.status
    if finishCapture() {
      // What came in spite of the stop is nobody's any more.
      owesInterruption = status != SensorStatus.interrupted
      return end(
        order.session, SensorStatus.interrupted, SensorStatus.text(SensorStatus.interrupted))
    }
    // When nobody reads, the end of the mailbox follows.
    try? frames.send(outcome.message)
  }

  /// Forgets the capture.
  /// - Returns: whether it was told to stop.
  private func finishCapture() -> Bool {
    work.withLock { work in
      work.call = nil
      work.session = nil
      defer { work.isStopped = false }
      return work.isStopped
    }
  }

  private func end(_ session: UInt64, _ status: Int32, _ message: String) {
    try? frames.send(SensorEnd(session: session, status: status, message: message).encoded())
  }

  private func close() {
    guard let sensor = work.withLock({ $0.sensor.take() }) else { return }
    begin("close", seconds: Self.closeSeconds)
    sensor.close()
    work.withLock { $0.call = nil }
  }
}
