// NB1010Driver: the NextBiometrics NB-1010-U, and the example of docs/writing-a-driver.md.
//
// A driver is a straight-line program: it opens the device and then, each time the host asks, waits
// for a finger and returns its picture. It has no callbacks and no thread. Calls block, each with a
// deadline. Read this file from top to bottom. NB1010Messages.swift has the bytes that go to and
// fro.

public import AuthcoreABI
internal import SensorKit

/// The entry point, which is linked under the name `ac_sensor_entry` (sensor.h).
@c(NB1010Driver_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
) -> ac_status_t {
  unsafe export(NB1010Sensor.self, host: host, ret: ret_driver)
}

/// An open NB-1010-U, a thermal sensor on which the finger rests.
///
/// The device only answers; it sends nothing by itself. It needs no initialization and no switching
/// off.
///
/// `~Copyable` means that there is only one such value. To close the device the host lets it die,
/// which runs `deinit`.
struct NB1010Sensor: SensorDriver, ~Copyable {
  /// What `authcore driver info` shows, and how the host chooses the driver. Read without a device.
  static let description = SensorDescription(
    name: "nb1010", fullName: "NextBiometrics NB-1010-U", version: "1",
    usbMatches: [.init(vendor: vendor, product: product)], scanType: .press,
    width: UInt32(NB1010Image.width), height: UInt32(NB1010Image.height),
    pixelsPerInch: UInt32(pixelsPerInch))

  private static let vendor: UInt16 = 0x298D
  private static let product: UInt16 = 0x1010

  /// The sensitive area is 16.9 mm by 11.9 mm, so a pixel is 66 µm wide. This number must be right:
  /// the matcher measures in millimeters, and a wrong one makes fingers larger or smaller than they
  /// are.
  private static let pixelsPerInch = 385

  private static let interface: UInt8 = 0
  private static let commands = USBEndpoint.bulk(0x02)
  private static let answers = USBEndpoint.bulk(0x83)

  /// How often the device is asked for the finger.
  private static let pollInterval = Duration.milliseconds(50)
  /// The device accepts a command, and sends each message of an answer, within this time.
  private static let answerTime = Duration.milliseconds(500)
  /// An image of 49 kB comes long before this, if at all.
  private static let imageTime = Duration.seconds(3)
  /// After more halts in a row, trying again does not help.
  private static let toleratedHalts = 2

  /// What a person can do if the device misbehaves: the end of every such message.
  static let wayOut = "unplug it and plug it in again"

  private let usb: USBDevice
  private let clock: HostClock
  private let interruption: Interruption

  /// What the device last said about the finger. It is kept between captures, because the next one
  /// has to wait until that finger is gone.
  private var finger = NB1010Finger.up
  /// Whether every answer has been read. If a capture ends in the middle of one, the device still
  /// has the rest, which would be mistaken for the answer to the next command.
  private var isInStep = true
  /// Halts since the last image.
  private var halts = 0

  /// Opens the device.
  ///
  /// The host has already found it. The driver takes what it needs from the context, checks that it
  /// knows this device, and claims the interface. A failure here reaches the person as it is, so
  /// its message names the thing and says what to do.
  init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {
    let usb = try context.usb()
    let info = try usb.info()
    guard info.vendor == Self.vendor, info.product == Self.product else {
      throw SensorFailure(
        .unsupported,
        "The device is no NB-1010-U (USB 298d:1010): choose another driver, or another device")
    }
    let clock = try context.host.clock()
    try usb.claimInterface(Self.interface)
    self.usb = usb
    self.clock = clock
    interruption = context.interruption
  }

  /// Releases the device. This fails if the device is gone, which does not matter any more.
  deinit {
    try? usb.releaseInterface(Self.interface)
  }

  /// Waits for a touch and returns its picture.
  ///
  /// There are three outcomes: `.frame` is a picture, `.retry` asks the person to touch again, and
  /// a thrown failure means that the device failed or the wait is over. The host may call again
  /// after any of them, so the properties above have to be right at every `throw`.
  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    // The host gives a duration. Several waits share it, so it is turned into a point in time once.
    // The host's clock is the only one to use: in tests it is a virtual one.
    let deadline = clock.now() + timeout
    do throws(SensorFailure) {
      try fallInStep(by: deadline)
      // sensor.h: a finger that is still there from the previous call has to be lifted first.
      // Otherwise one touch would count as two.
      try awaitFinger(.up, by: deadline)
      try awaitFinger(.down, by: deadline)
      let image = try readImage()
      halts = 0
      return .frame(
        try Frame(
          width: NB1010Image.width, height: NB1010Image.height,
          pixelsPerInch: Self.pixelsPerInch, pixels: image.pixels))
    } catch {
      // Only a halted endpoint is handled here. All other failures go to the host: an unplugged
      // device (.gone), an interrupt, the deadline, an answer that makes no sense.
      guard error.code == .stall else { throw error }
      try clearHalt(after: error)
      return .retry(.general)
    }
  }

  /// Asks for the finger until it is up or down, as wanted. If it already is, does nothing.
  ///
  /// The driver spends most of its time here. An interrupt of the host has to end the capture
  /// within 100 ms. `interruption.wait` notices it within 20 ms, and it ends a transfer that is
  /// under way. Both throw `.interrupted`.
  private mutating func awaitFinger(_ wanted: NB1010Finger, by deadline: Duration)
    throws(SensorFailure)
  {
    while finger != wanted {
      let left = deadline - clock.now()
      guard left > .zero else { throw Self.noTouch }
      try interruption.wait(for: min(Self.pollInterval, left), on: clock)
      finger = try ask(.senseFinger).finger
    }
  }

  /// Fetches the picture. The capture's deadline no longer matters: the person has done their part,
  /// and the rest takes a fraction of a second.
  private mutating func readImage() throws(SensorFailure) -> NB1010Image {
    let end = clock.now() + Self.imageTime
    _ = try ask(.prepare)
    _ = try ask(.sendImage)
    isInStep = false
    var image = NB1010Image()
    while !image.isComplete {
      guard clock.now() < end else { throw Self.silence }
      try image.append(receive(NB1010Image.messageLength))
    }
    isInStep = true
    return image
  }

  /// Sends a command, and reads its answer.
  private mutating func ask(_ command: NB1010Command) throws(SensorFailure) -> NB1010Answer {
    isInStep = false
    do throws(SensorFailure) {
      try usb.write(command.bytes, to: Self.commands, deadline: Self.answerTime)
    } catch {
      throw error.code == .timeout ? Self.silence : error
    }
    let answer = try NB1010Answer(receive(NB1010Answer.length), to: command)
    isInStep = true
    return answer
  }

  /// Reads a message. The length is exact, and there is one read at a time, because a recording
  /// that stands in for the device is that strict.
  private func receive(_ length: Int) throws(SensorFailure) -> [UInt8] {
    do throws(SensorFailure) {
      return try usb.read(from: Self.answers, length: length, deadline: Self.answerTime)
    } catch {
      // .timeout would tell the host that no finger came. Here the device does not answer.
      throw error.code == .timeout ? Self.silence : error
    }
  }

  /// Discards what is left in the device if a capture ended in the middle of an answer.
  private mutating func fallInStep(by deadline: Duration) throws(SensorFailure) {
    guard !isInStep else { return }
    // The answer to a command and an image are the most that can be left.
    for _ in 0...NB1010Image.messageCount + 1 {
      guard clock.now() < deadline else { throw Self.noTouch }
      do throws(SensorFailure) {
        let rest = try usb.read(
          from: Self.answers, length: NB1010Image.messageLength, deadline: Self.answerTime)
        isInStep = rest.isEmpty
      } catch {
        guard error.code == .timeout else { throw error }
        isInStep = true
      }
      if isInStep { return }
    }
    throw SensorFailure(.protocolViolation, "The NB-1010-U sends without end: \(Self.wayOut)")
  }

  /// Clears the halts (usb.h), at the price of this touch. A device that halts again and again is
  /// broken, and the person should know instead of trying forever.
  private mutating func clearHalt(after failure: SensorFailure) throws(SensorFailure) {
    isInStep = false
    halts += 1
    try usb.clearHalt(Self.commands)
    try usb.clearHalt(Self.answers)
    guard halts <= Self.toleratedHalts else {
      halts = 0
      throw SensorFailure(
        failure.code, "The NB-1010-U halts its endpoints again and again: \(Self.wayOut)")
    }
  }

  private static var noTouch: SensorFailure {
    SensorFailure(.timeout, "No finger was read before the capture ended")
  }

  private static var silence: SensorFailure {
    SensorFailure(.inputOutput, "The NB-1010-U does not answer: \(wayOut)")
  }
}
