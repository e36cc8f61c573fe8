// NB1010Driver: the NextBiometrics NB-1010-U, and the example that docs/writing-a-driver.md leads
// through.
//
// A driver is a straight-line program: open the device, then as often as the host asks, wait for a
// finger and hand over its picture. It has no callbacks and no thread; calls block, each with a
// deadline. Read this file from top to bottom; NB1010Command, NB1010Answer and NB1010Image beside
// it are the bytes that go to and fro.

public import AuthcoreABI
package import SensorKit

/// The one symbol of this driver, which Package.swift gives the name `ac_sensor_entry` (sensor.h). Every driver in Swift has this file, with its own
/// type in the last line.
@c(NB1010Driver_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
) -> ac_status_t {
  unsafe export(NB1010Sensor.self, host: host, ret: ret_driver)
}

/// An open NB-1010-U, a thermal sensor on which the finger rests.
///
/// It has to be asked for everything: it says nothing of its own accord, and needs neither
/// initializing nor switching off.
///
/// `~Copyable` makes it a thing of which there is one. When the host closes the device, this value
/// dies and its `deinit` runs; there is no other close.
package struct NB1010Sensor: SensorDriver, ~Copyable {
  /// What `authcore driver info` shows and what the host picks the driver by. It is read without a
  /// device.
  package static let description = SensorDescription(
    name: "nb1010", fullName: "NextBiometrics NB-1010-U", version: "1",
    usbMatches: [.init(vendor: vendor, product: product)], scanType: .press,
    width: UInt32(NB1010Image.width), height: UInt32(NB1010Image.height),
    pixelsPerInch: UInt32(pixelsPerInch))

  private static let vendor: UInt16 = 0x298D
  private static let product: UInt16 = 0x1010

  /// The sensitive area is 16.9 mm by 11.9 mm, so a pixel is 66 µm wide. This number has to be the
  /// sensor's own: the matcher measures in millimeters, and a guess would make fingers larger or
  /// smaller than they are.
  private static let pixelsPerInch = 385

  private static let interface: UInt8 = 0
  private static let commands = USBEndpoint.bulk(0x02)
  private static let answers = USBEndpoint.bulk(0x83)

  /// How often the device is asked for the finger.
  private static let pollInterval = Duration.milliseconds(50)
  /// The device takes a command, and sends each message of an answer, within this time.
  private static let answerTime = Duration.milliseconds(500)
  /// An image of 49 kB has come long before this, if it comes at all.
  private static let imageTime = Duration.seconds(3)
  /// Halts in a row after which it is not worth asking the person to try again.
  private static let toleratedHalts = 2

  /// What a person can do about a device that misbehaves; the end of every message that says so.
  static let wayOut = "unplug it and plug it in again"

  private let usb: USBDevice
  private let clock: HostClock
  private let interruption: Interruption

  /// What the device last said of the finger. It outlives a capture, since the next one has to wait
  /// until that finger is gone.
  private var finger = NB1010Finger.up
  /// Whether every answer that was asked for has been read. When a capture ends in the middle of
  /// one, the rest is still in the device and would be taken for the answer to the next command.
  private var isInStep = true
  /// Halts since the last image.
  private var halts = 0

  /// Opens the device.
  ///
  /// The host has chosen and opened it: a driver looks for none. It takes what it needs from the
  /// context, makes sure that this is the device it knows, and claims the interface. Whatever fails
  /// here is thrown, and reaches the person as it is, so a message names the thing and says what to
  /// do.
  package init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {
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

  /// Lets go of the device. There may be none any more, and nobody is left who could be told.
  deinit {
    try? usb.releaseInterface(Self.interface)
  }

  /// Waits for a touch and delivers its picture.
  ///
  /// Three ways out, never mixed: `.frame` is a picture; `.retry` asks the person to touch again; a
  /// thrown failure says that the device or the wait came to an end. After any of them the host may
  /// call again, so the properties above have to be true at every `throw`.
  package mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    // The host gives a length of time. Several waits share it, so it is turned into a point in time
    // once. The host's clock is used, and no other: in tests it is a virtual one that passes in no
    // time.
    let deadline = clock.now() + timeout
    do throws(SensorFailure) {
      try fallInStep(by: deadline)
      // sensor.h: a finger that still lies there from the call before has to be lifted first.
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
      // Everything but a halted endpoint goes to the host as it is: a device that was unplugged
      // (.gone), an interrupt, the deadline, an answer that makes no sense.
      guard error.code == .stall else { throw error }
      try clearHalt(after: error)
      return .retry(.general)
    }
  }

  /// Asks for the finger until it is as wanted; if it is already known to be, asks nothing.
  ///
  /// This is where the driver spends its life. An interrupt of the host has to end it within 100
  /// ms; `interruption.wait` hears it within 20 ms, and a transfer that is under way ends by
  /// itself. Both throw `.interrupted`.
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

  /// Fetches the picture of the finger that is there. The capture's deadline no longer counts: the
  /// person has done their part, and what is left takes a fraction of a second.
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

  /// Sends a command and reads its answer.
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

  /// Reads a message. The length is exact, not merely large enough, and one read is under way at a
  /// time: a recording that stands in for the device is as strict as that.
  private func receive(_ length: Int) throws(SensorFailure) -> [UInt8] {
    do throws(SensorFailure) {
      return try usb.read(from: Self.answers, length: length, deadline: Self.answerTime)
    } catch {
      // .timeout would tell the host that no finger came. A device that does not answer is another
      // matter.
      throw error.code == .timeout ? Self.silence : error
    }
  }

  /// Reads away what a capture left in the device that ended in the middle of an answer.
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

  /// Sets halted endpoints going again (usb.h), at the price of this touch. A device that halts
  /// again and again is broken, and the person should hear that rather than try for ever.
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
