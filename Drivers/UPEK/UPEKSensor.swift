// UPEKDriver: the UPEK "Biometric Coprocessor" of TouchStrip and Eikon readers, with sensors TCS1
// to TCS5.

public import AuthcoreABI
internal import SensorKit

/// The entry point, which is linked under the name `ac_sensor_entry` (sensor.h).
@c(UPEKDriver_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
) -> ac_status_t {
  unsafe export(UPEKSensor.self, host: host, ret: ret_driver)
}

/// An open reader. The chip waits for the finger and makes the image itself, also of a swipe.
struct UPEKSensor: SensorDriver, ~Copyable {
  /// The chip drives swipe sensors (TCS4, TCS5) and area sensors (TCS1 to TCS3). Which one it is
  /// shows only when it is open, in ``deviceInfo``. Laptops have swipe sensors, so it counts as one
  /// before.
  static let description = SensorDescription(
    name: "upek", fullName: "UPEK TouchStrip and Eikon (TCS1 to TCS5)", version: "1",
    usbMatches: UPEKProduct.matches,
    scanType: .swipe, pixelsPerInch: UInt32(pixelsPerInch))

  /// The sensors have 508 pixels per inch, of which the chip delivers three quarters.
  private static let pixelsPerInch = 381

  private static let interface: UInt8 = 0
  private static let openingTime = Duration.seconds(10)
  /// A whole image comes within this time, if at all.
  private static let imageTime = Duration.seconds(4)
  /// Each of its parts comes within this time.
  private static let partTime = Duration.seconds(2)
  private static let pauseTime = Duration.milliseconds(100)
  private static let closingTime = Duration.milliseconds(500)
  /// After more halts in a row, trying again does not help.
  private static let toleratedHalts = 2

  static let wayOut = "unplug it and plug it in again"

  private let usb: USBDevice
  private let clock: HostClock
  private let interruption: Interruption
  private var session: UPEKSession
  private var sensor: UPEKSensorModel
  /// Whether the finger of the last image may still be there.
  private var fingerMayStillLie = false
  /// Halts since the last image.
  private var halts = 0

  init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {
    let usb = try context.usb()
    try UPEKProduct.check(usb.info())
    let clock = try context.host.clock()
    try usb.claimInterface(Self.interface)
    var session = UPEKSession(UPEKLink(usb, clock: clock))
    let sensor: UPEKSensorModel
    do throws(SensorFailure) {
      session.link.timeLeft = Self.openingTime
      sensor = try session.open()
    } catch {
      throw error.code == .timeout ? Self.silence : error
    }
    let manner = sensor.isSwipe ? "swipe" : "area"
    context.host.log(.info, "The UPEK reader has the \(manner) sensor \(sensor.name)")
    self.usb = usb
    self.clock = clock
    interruption = context.interruption
    self.session = session
    self.sensor = sensor
  }

  deinit {
    // Fails if the device is gone, which is fine.
    var session = session
    session.link.timeLeft = Self.closingTime
    try? session.close(.once)
    try? usb.releaseInterface(Self.interface)
  }

  var deviceInfo: DeviceInfo? {
    DeviceInfo(
      scanType: sensor.isSwipe ? .swipe : .press, width: sensor.width, height: sensor.height,
      pixelsPerInch: Self.pixelsPerInch)
  }

  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    session.link.timeLeft = timeout
    let found = session.state
    // A failure leaves the device in the middle of something.
    session.state = .abandoned
    do throws(SensorFailure) {
      try beginScan(from: found)
      return try awaitImage()
    } catch {
      guard error.code == .stall else { throw error }
      try clearHalts(after: error)
      return .retry(.general)
    }
  }

  /// Asks for an image, unless the device is still busy with the previous request. After an
  /// abandoned capture the session is closed and opened again, which is the only way to stop it.
  private mutating func beginScan(from found: UPEKSession.State) throws(SensorFailure) {
    switch found {
    case .capturing: return
    case .open: break
    case .abandoned, .closed:
      try session.close(.firmly)
      sensor = try session.open()
      session.state = .abandoned
    }
    try session.link.send(.capture(on: sensor))
  }

  /// Answers the device until there is an image, or a reason to try again.
  private mutating func awaitImage() throws(SensorFailure) -> CaptureOutcome {
    while let frame = try session.link.receive(within: session.link.timeLeft) {
      switch try UPEKMessage(frame) {
      case .busy:
        try session.link.send(.listening)
      case .status(let status):
        try session.link.send(.goOn)
        if status == .noFinger || status == .fingerOff { fingerMayStillLie = false }
        if let reason = status.retry(on: sensor) {
          try endScan()
          return .retry(reason)
        }
      case .imageStart(let size, let part):
        let image = try readImage(UPEKImage(of: sensor, announced: size, part))
        if !fingerMayStillLie { return .frame(try delivered(image)) }
        // sensor.h: the finger of the previous call has to be lifted first. This is that finger
        // again.
        try pause()
        try session.link.send(.capture(on: sensor))
      default:
        throw UPEKMessage.mismatch("an answer to something else")
      }
    }
    throw Self.noTouch
  }

  /// Gives the person time to lift the finger.
  private mutating func pause() throws(SensorFailure) {
    try interruption.wait(for: Self.pauseTime, on: clock)
    session.link.timeLeft -= Self.pauseTime
  }

  /// Ends a scan that cannot be used. A swipe sensor sends one more frame, and is then ready for
  /// the next capture. An area sensor goes on with this one by itself.
  private mutating func endScan() throws(SensorFailure) {
    guard sensor.isSwipe else {
      session.state = .capturing
      return
    }
    _ = try session.link.receive()
    session.state = .open
  }

  /// Reads the rest of an image, and acknowledges each part. The capture's deadline no longer
  /// matters, because the person has done their part.
  private mutating func readImage(_ start: UPEKImage) throws(SensorFailure) -> UPEKImage {
    let timeLeft = session.link.timeLeft
    session.link.timeLeft = Self.imageTime
    defer { session.link.timeLeft = timeLeft }
    var image = start
    while true {
      try session.link.send(.acknowledge)
      switch try session.answer(within: Self.partTime) {
      case .imagePart(let part): try image.append(part)
      case .imageEnd(let part):
        try image.finish(part)
        return image
      default: throw UPEKMessage.mismatch("something else in the middle of an image")
      }
    }
  }

  private mutating func delivered(_ image: UPEKImage) throws(SensorFailure) -> Frame {
    session.state = .open
    halts = 0
    // A swipe is over when its image comes. On an area sensor the finger may still be there.
    fingerMayStillLie = !sensor.isSwipe
    return try Frame(
      width: sensor.width, height: sensor.height, pixelsPerInch: Self.pixelsPerInch,
      pixels: image.pixels)
  }

  /// Clears the halts, at the price of this touch. A device that halts again and again is broken.
  private mutating func clearHalts(after failure: SensorFailure) throws(SensorFailure) {
    halts += 1
    try session.link.clearHalts()
    guard halts <= Self.toleratedHalts else {
      halts = 0
      throw SensorFailure(
        failure.code, "The UPEK reader halts its endpoints again and again: \(Self.wayOut)")
    }
  }

  static var noTouch: SensorFailure {
    SensorFailure(.timeout, "No finger was read before the capture ended")
  }

  static var silence: SensorFailure {
    SensorFailure(.inputOutput, "The UPEK reader does not answer: \(wayOut)")
  }
}
