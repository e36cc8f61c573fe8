import Glibc
import LinuxSystem
import PluginHosting
import Protocol
import Sandbox

/// Hosts a driver. The owner thread makes its calls; the mailbox thread (``DriverMailbox``) listens
/// to the core and interrupts.
final class DriverHost: Sendable {
  struct Loaded: Sendable {
    let driver: LoadedDriver
    let transport: LoadedTransport?
    let conduct: ConductCheck
  }

  private let driver: LoadedDriver
  private let transport: LoadedTransport?
  private let conduct: ConductCheck
  private let mailbox: HostMailbox
  private let frames: MessageStream
  private let work = Guarded(DriverWork())

  private static let openSeconds: UInt64 = 30
  private static let captureGraceSeconds: UInt64 = 5
  private static let closeSeconds: UInt64 = 5
  /// How long the enclave's order for a chip may take to come.
  private static let orderMilliseconds: Int32 = 2000
  /// How long the steps of a chip may take that wait for no finger: listing, removing, storing.
  private static let chipStepSeconds: UInt64 = 30
  /// How often a driver is asked again if a finger keeps its device from getting ready, and the
  /// pause in between.
  private static let liftings = (count: 10, pauseNanoseconds: UInt64(500_000_000))

  init(_ loaded: Loaded, _ mailbox: HostMailbox, frames: Int32) {
    driver = loaded.driver
    transport = loaded.transport
    conduct = loaded.conduct
    self.mailbox = mailbox
    self.frames = MessageStream(Descriptor(owning: frames), limit: HostProtocol.maximumFrameMessage)
  }

  /// Loads a driver and its transport, closes the sandbox, and calls the driver's entry. The
  /// transport's entry is called before, because libusb makes its descriptors then.
  static func load(
    _ path: String, transport: String? = nil, model: String? = nil,
    _ sandbox: inout HostSandbox, _ mailbox: HostMailbox
  ) throws(Failure) -> Loaded {
    let file = try TrustedFile(checking: path)
    let transportFile = try transport.map { (path) throws(Failure) in
      try TrustedFile(checking: path)
    }
    let modelFile = try model.map { (path) throws(Failure) in try TrustedFile(checking: path) }
    let services = HostServices(
      abiVersion: PluginABI.sensor, log: mailbox.log, lift: { mailbox.send(LiftAwaited()) })
    let isListening = sandbox.report.isOn && sandbox.report.confinement != .opensDevices
    var conduct = isListening ? ConductCheck.listening() : .deaf
    let files = try PluginFiles(
      [file, transportFile, modelFile].compactMap { $0 }, code: .driverFailed)
    sandbox.enterLoading(files: files.paths)
    mailbox.send(HostStage(.loading))
    var loadedTransport: LoadedTransport?
    if let transportFile {
      let mapped = try MappedPlugin(transportFile)
      try sandbox.expectNoDescriptors(of: transportFile, code: .driverFailed)
      loadedTransport = try LoadedTransport(entering: mapped, services: services)
      sandbox.noteDescriptors()
    }
    var mappedModel: MappedPlugin?
    if let modelFile {
      mappedModel = try MappedPlugin(modelFile)
      try sandbox.expectNoDescriptors(of: modelFile, code: .driverFailed)
    }
    let mapped = try MappedPlugin(file)
    try sandbox.close()
    try sandbox.expectNoDescriptors(of: file, code: .driverFailed)
    mailbox.send(HostStage(.entry))
    try mappedModel.take()?.offerModel(services: services)
    conduct.remember()
    let driver = try LoadedDriver(entering: mapped, services: services)
    if let breach = conduct.breach() { mailbox.end(because: breach) }
    return Loaded(driver: driver, transport: loadedTransport, conduct: conduct)
  }

  /// Makes the driver's calls on the calling thread until the core ends.
  func run() {
    DriverMailbox(mailbox, work).start()
    var files: DescriptorList?
    var device: LoadedTransport.Device?
    // Whether the previous capture was interrupted: the driver may end the next one for the same
    // reason, once.
    var owesInterruption = false
    while true {
      switch work.wait(for: { $0.orders.isEmpty ? nil : $0.orders.removeFirst() }) {
      case .open(let order, let given):
        files = open(order, given, &device) ? given : files
      case .capture(let order): capture(order, owesInterruption: &owesInterruption)
      case .close:
        close(&device)
        files = nil
        mailbox.send(SensorClosed())
      case .finish:
        close(&device)
        work.update { $0.isFinished = true }
        return
      }
    }
  }

  private func begin(_ function: String, seconds: UInt64) {
    let deadline = Deadline.now + seconds * 1_000_000_000
    work.update { $0.call = DriverWork.Call(function: function, deadline: deadline) }
  }

  private func open(
    _ order: OpenSensorRequest, _ files: DescriptorList, _ device: inout LoadedTransport.Device?
  ) -> Bool {
    guard work.read({ $0.sensor == nil }) else {
      mailbox.send(Failure(.driverFailed, "The driver \(driver.path) has its device open already"))
      return false
    }
    begin("open", seconds: Self.openSeconds)
    do throws(Failure) {
      let split = order.device?.descriptorCount ?? 0
      if let transport, let opening = order.device {
        device = try transport.open(opening, descriptors: Array(files.numbers.prefix(split)))
      }
      let sensor = try openWithoutFinger(
        order.options, descriptors: Array(files.numbers.dropFirst(split)))
      if let breach = conduct.breach() { mailbox.end(because: breach) }
      let identity: SensorIdentity?
      let chip: OpenedChip?
      do throws(Failure) {
        identity = try sensor.identity(path: driver.path)
        chip = try sensor.chip(path: driver.path)
      } catch {
        sensor.close()
        throw error
      }
      work.update {
        $0.call = nil
        $0.sensor = sensor
        $0.chip = chip
      }
      mailbox.send(SensorOpened(identity, chip: chip?.summary))
      return true
    } catch {
      device = nil
      work.update { $0.call = nil }
      mailbox.send(error)
      return false
    }
  }

  /// Opens the device, and tries again for a while if the driver asks for a finger to be lifted.
  private func openWithoutFinger(
    _ options: [SensorOption], descriptors: [Int32]
  ) throws(Failure) -> OpenedSensor {
    for _ in 0..<Self.liftings.count {
      if let sensor = try driver.open(options, descriptors: descriptors) { return sensor }
      mailbox.log(.info, "A finger lies on the sensor while it is readied")
      // Another order ends the wait.
      let isWanted = work.wait(nanoseconds: Self.liftings.pauseNanoseconds) {
        $0.orders.isEmpty ? nil : true
      }
      if isWanted != nil { break }
    }
    throw Failure(
      .biometryNotAvailable, "A finger keeps the sensor from being readied",
      hint: "lift it, and try again")
  }

  private func capture(_ order: CaptureTouch, owesInterruption: inout Bool) {
    let sensor = work.read { $0.isStopped ? nil : $0.sensor }
    guard let sensor else {
      let isStopped = finishCapture()
      return isStopped
        ? end(order.session, SensorStatus.interrupted)
        : end(order.session, SensorStatus.wrongState, "the device is not open")
    }
    begin(
      "capture",
      seconds: UInt64(order.timeoutMilliseconds) / 1000 + 1 + Self.captureGraceSeconds)
    if let chip = work.read({ $0.chip }) { return carryOut(order, chip) }
    if order.ignoresPresentFinger {
      let glance = glance(sensor, order.session)
      if glance == SensorStatus.interrupted { owesInterruption = false }
      if SensorStatus.isOfFinger(glance) || work.read({ $0.isStopped }) {
        guard finishCapture() else { return askToLift(order.session) }
        owesInterruption = glance != SensorStatus.interrupted
        return end(order.session, SensorStatus.interrupted)
      }
    }
    var outcome = sensor.capture(
      session: order.session, timeoutMilliseconds: order.timeoutMilliseconds)
    if outcome.status == SensorStatus.interrupted, owesInterruption,
      work.read({ !$0.isStopped })
    {
      outcome = sensor.capture(
        session: order.session, timeoutMilliseconds: order.timeoutMilliseconds)
    }
    owesInterruption = false
    if let breach = outcome.breach ?? conduct.breach() { mailbox.end(because: breach) }
    if finishCapture() {
      // What came in spite of the stop is dropped. A driver that slept was woken by the host before
      // the interrupt, which it may take for one of the next capture.
      owesInterruption = true
      return end(order.session, SensorStatus.interrupted)
    }
    // If this fails, the end of the mailbox follows.
    try? frames.send(outcome.message)
  }

  /// Does with a sensor that matches on the chip what the enclave has ordered for this capture.
  private func carryOut(_ capture: CaptureTouch, _ chip: OpenedChip) {
    let message: SecretBytes
    do {
      // The enclave orders before the core starts the capture.
      let received = try frames.receive(milliseconds: Self.orderMilliseconds)
      let order = try ChipOrder.decode(received.bytes.bytes)
      guard order.session == capture.session else {
        throw DecodeError.invalidValue(field: "session of ChipOrder")
      }
      // A chip that is enrolling stores the template in the same call.
      work.update { $0.call?.deadline += Self.chipStepSeconds * 1_000_000_000 }
      message = chip.perform(order, timeoutMilliseconds: capture.timeoutMilliseconds)
    } catch {
      message = SensorEnd.encoded(
        session: capture.session, status: SensorStatus.wrongState,
        saying: "the enclave ordered nothing of a sensor that matches on the chip")
    }
    if let breach = conduct.breach() { mailbox.end(because: breach) }
    guard finishCapture() else {
      try? frames.send(message)
      return
    }
    end(
      capture.session, SensorStatus.interrupted, SensorStatus.text(SensorStatus.interrupted))
  }

  /// Looks once whether a finger is on the sensor already. The result is dropped; the driver waits
  /// for the finger to be lifted before it takes another one (sensor.h).
  /// - Returns: the driver's status.
  private func glance(_ sensor: OpenedSensor, _ session: UInt64) -> Int32 {
    let outcome = sensor.capture(session: session, timeoutMilliseconds: 0)
    if let breach = outcome.breach ?? conduct.breach() { mailbox.end(because: breach) }
    return outcome.status
  }

  private func askToLift(_ session: UInt64) {
    try? frames.send(SensorRetry(session: session, reason: SensorStatus.lift).encoded())
  }

  /// Forgets the capture.
  /// - Returns: whether it was told to stop.
  private func finishCapture() -> Bool {
    work.update { work in
      work.call = nil
      work.session = nil
      // The driver may sleep again, even while it closes.
      InterruptibleSleep.resume()
      defer { work.isStopped = false }
      return work.isStopped
    }
  }

  private func end(_ session: UInt64, _ status: Int32, _ message: String? = nil) {
    let message = message ?? SensorStatus.text(status)
    try? frames.send(SensorEnd.encoded(session: session, status: status, saying: message))
  }

  private func close(_ device: inout LoadedTransport.Device?) {
    let closed = work.update { work in
      work.chip = nil
      return work.sensor.take()
    }
    guard let sensor = closed else { return }
    begin("close", seconds: Self.closeSeconds)
    sensor.close()
    device = nil
    work.update { $0.call = nil }
  }
}
