// URU4000Driver: DigitalPersona's U.are.U 4000, 4000B and 4500, and Microsoft's readers with the
// same parts.

public import AuthcoreABI
internal import FrameAssembly
internal import SensorKit

/// The entry point, which is linked under the name `ac_sensor_entry` (sensor.h).
@c(URU4000Driver_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
) -> ac_status_t {
  unsafe export(URU4000Sensor.self, host: host, ret: ret_driver)
}

/// An open reader.
///
/// A touch is: wait for the finger, scan, fetch the key, decrypt. When the frame is delivered the
/// finger is still there. A message reports its lift, and the next capture waits for that.
struct URU4000Sensor: SensorDriver, ~Copyable {
  /// After so many failed scans in a row a reader is broken.
  private static let mostFailedScans = 5

  /// The optics look at the finger at an angle: a row has 23 pixels/mm at the device's first line
  /// and 30 at its last, a column 15.8. That is 650 (on average) by 400 pixels per inch. 500 is
  /// within 2 % of the mean (√(650 · 400) = 510), and is what libfprint's matcher assumes for the
  /// same frames.
  private static let pixelsPerInch = 500

  static let description = SensorDescription(
    name: "uru4000", fullName: "DigitalPersona U.are.U 4000/4000B/4500 and Microsoft readers",
    version: "1",
    usbMatches: Product.all.map {
      SensorDescription.USBMatch(vendor: $0.vendor, product: $0.product)
    },
    scanType: .press, width: UInt32(ImageHeader.width), height: UInt32(ImageHeader.height),
    pixelsPerInch: UInt32(pixelsPerInch),
    options: [
      .init("seed", .number, summary: "hides image keys with this number instead of a random one")
    ])

  private enum Finger {
    case away
    /// On the reader, as far as is known.
    case down
    /// The same, and the reader was told to report its lift.
    case leaving
  }

  private let host: DriverServices
  private let clock: HostClock
  private let registers: Registers
  private let wake: Wake
  private let keys: ImageKeys
  private let layout: FrameLayout
  private var messages: MessageQueue
  private var camera: Camera
  private var isAwake = true
  private var finger = Finger.away
  private var failedScans = 0

  init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {
    let usb = try context.usb()
    let info = try usb.info()
    let product = try Product.of(info)
    let clock = try context.host.clock()
    let registers = Registers(usb: usb)
    let wake = Wake(
      registers: registers, clock: clock, interruption: context.interruption, host: context.host,
      challenges: product.challenges)
    let keys = try ImageKeys(registers, seed: options["seed"], host: context.host)
    try usb.claimInterface(Product.interface(of: info))
    var messages = try MessageQueue(usb: usb)
    try wake(hearing: &messages)
    host = context.host
    self.clock = clock
    self.registers = registers
    self.wake = wake
    self.keys = keys
    layout = product.layout
    self.messages = messages
    camera = Camera(usb: usb, registers: registers)
  }

  deinit {
    // Fails if the reader is gone, which is fine.
    try? registers.set(.off)
  }

  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    do throws(SensorFailure) {
      return try touch(until: clock.now() + timeout)
    } catch {
      if error.code != .timeout && error.code != .interrupted { startOver() }
      throw error
    }
  }

  private mutating func touch(until end: Duration) throws(SensorFailure) -> CaptureOutcome {
    try camera.finish()
    if !isAwake {
      try wake(hearing: &messages)
      isAwake = true
      if finger == .leaving { finger = .down }
    }
    if finger == .down { try askForLift() }
    if finger == .leaving {
      // After a timeout it is asked again, because the message may have been lost.
      finger = .down
      _ = try listen(for: .fingerOff, in: .awaitLift, until: end)
    }
    finger = .away

    try messages.discard()
    try registers.set(.awaitFinger)
    guard try listen(for: .fingerOn, in: .awaitFinger, until: end) else {
      return try spoilt(.incomplete("the reader said that the scan would fail"))
    }
    finger = .down

    let transfer = try camera.scan()
    var decoder: ImageDecoder
    do throws(ImageFault) {
      decoder = try ImageDecoder(consume transfer)
    } catch {
      return try spoilt(error)
    }
    if decoder.isEncrypted { try decoder.decrypt(key: keys.key) }
    failedScans = 0
    let pixels = decoder.pixels
    let frame = try Frame(
      width: ImageHeader.width, height: ImageHeader.height, pixelsPerInch: Self.pixelsPerInch,
      layout: layout, pixels: pixels,
      extents: ImageWindow(pixels, rows: decoder.header.shownLines).extents)
    do throws(SensorFailure) {
      try askForLift()
    } catch {
      // The frame is complete, and the next capture will see what is wrong. But an interrupt has to
      // be reported here.
      guard error.code != .interrupted else { throw error }
      startOver()
    }
    return .frame(frame)
  }

  private mutating func askForLift() throws(SensorFailure) {
    try registers.set(.awaitLift)
    finger = .leaving
  }

  /// Makes the next capture queue its reads again, and wake the reader.
  private mutating func startOver() {
    messages.forget()
    camera.forget()
    isAwake = false
  }

  /// Waits for the message that ends a mode. Returns false if the reader announces that the scan
  /// will fail.
  private mutating func listen(
    for wanted: Message, in mode: Registers.Mode, until end: Duration
  ) throws(SensorFailure) -> Bool {
    do throws(SensorFailure) {
      var others = 0
      // A halt may have lost the message, so the mode is set again. A reader that always halts is
      // broken.
      for _ in 0..<3 {
        listening: repeat {
          switch try messages.next(within: end - clock.now()) {
          case .message(wanted): return true
          case .message(.death) where wanted == .fingerOn: return false
          case .message:
            others += 1
            // They may have left no room for the message, so the mode is set again.
            if others % MessageQueue.kept == 0 { try registers.set(mode) }
          case .interruption: break listening
          }
        } while clock.now() < end
        guard clock.now() < end else { throw SensorFailure(.timeout, "") }
        try registers.set(mode)
      }
    } catch {
      guard error.code == .timeout else { throw error }
      throw SensorFailure(
        .timeout,
        wanted == .fingerOn
          ? "No finger came before the capture ended"
          : "The finger of the capture before was not lifted")
    }
    throw SensorFailure(.stall, "The reader's messages keep halting; \(Registers.wayOut)")
  }

  /// A failed scan costs the touch, and the reader is woken again before the next.
  private mutating func spoilt(_ fault: ImageFault) throws(SensorFailure) -> CaptureOutcome {
    startOver()
    finger = .down
    failedScans += 1
    switch fault {
    case .untrue(let what):
      throw SensorFailure(
        .protocolViolation, "What the reader sent is no image: \(what); \(Registers.wayOut)")
    case .incomplete(let what) where failedScans >= Self.mostFailedScans:
      failedScans = 0
      throw SensorFailure(
        .inputOutput,
        "\(Self.mostFailedScans) scans in a row failed, the last because \(what); \(Registers.wayOut)"
      )
    case .incomplete(let what):
      host.log(.warning, "A scan failed: \(what)")
      return .retry(.general)
    }
  }
}
