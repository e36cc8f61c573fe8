internal import SensorKit

/// Sends commands to a reader and reads its answers, with deadlines and with failures that say what
/// to do.
struct ElanPort {
  private let usb: USBDevice
  private let clock: HostClock
  private let variant: ElanVariant

  /// How long the reader may take for anything but a finger.
  private static let answerTime = Duration.milliseconds(1500)
  /// How long it may take to end a capture that went wrong.
  private static let stopTime = Duration.milliseconds(300)
  /// The most answers or frames that can be under way.
  private static let mostLeftovers = 8

  init(_ usb: USBDevice, clock: HostClock, variant: ElanVariant) {
    (self.usb, self.clock, self.variant) = (usb, clock, variant)
  }

  func send(_ command: ElanCommand, until end: Duration? = nil) throws(SensorFailure) {
    let deadline = deadline(end)
    do throws(SensorFailure) {
      try usb.write(command.bytes, to: ElanCommand.request, deadline: deadline.time)
    } catch {
      throw ended(error, ElanCommand.request, command, deadline)
    }
  }

  /// Ends a capture that went wrong, because the light must not stay on. A failure here is ignored,
  /// as there is one already.
  func giveUp() {
    try? send(.stop, until: clock.now() + Self.stopTime)
  }

  /// Sends a command, and reads its answer of exactly the right length.
  func ask(_ command: ElanCommand, until end: Duration? = nil) throws(SensorFailure) -> [UInt8] {
    try send(command, until: end)
    let length = length(of: command)
    var answer = try read(ElanCommand.answer, length, command, until: end)
    // This answer is of a wait that ended just as a finger came.
    if answer.first == FingerAnswer.present, answer.count < length || length == oneByte {
      answer = try read(ElanCommand.answer, length, command, until: end)
    }
    guard answer.count == length else {
      throw SensorFailure(
        .protocolViolation,
        "The reader answers \(answer.count) bytes when asked for \(command.purpose), not \(length); "
          + "unplug it and plug it in again")
    }
    return answer
  }

  /// Reads a frame of `length` bytes.
  func readFrame(_ length: Int, until end: Duration? = nil) throws(SensorFailure) -> [UInt8] {
    try send(.frame, until: end)
    return try read(ElanCommand.image, length, .frame, until: end)
  }

  /// Waits for a finger. Returns false if none came in time; the reader still waits then.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` if the reader answers anything else.
  func fingerComes(within time: Duration, until end: Duration? = nil) throws(SensorFailure) -> Bool
  {
    try send(.waitForFinger, until: end)
    let answer: [UInt8]
    do throws(SensorFailure) {
      answer = try usb.read(
        from: ElanCommand.answer, length: length(of: .waitForFinger), deadline: time)
    } catch {
      guard error.code == .timeout else {
        throw ended(error, ElanCommand.answer, .waitForFinger, (time, isHosts: false))
      }
      return false
    }
    // In recordings, a wait in vain ends without bytes.
    guard let first = answer.first else { return false }
    guard first == FingerAnswer.present, answer.count == length(of: .waitForFinger) else {
      throw SensorFailure(
        .protocolViolation,
        "The reader answers 0x\(String(first, radix: 16)) when asked for a finger; it may be badly calibrated: "
          + "clean it, take the finger away and try again")
    }
    return true
  }

  /// Ends what was under way, and discards the answers that are left of it, up to the reader's
  /// version.
  func resume(firmware version: [UInt8], frameLength: Int, until end: Duration)
    throws(SensorFailure)
  {
    try send(.stop, until: end)
    try send(.firmware, until: end)
    for _ in 0..<Self.mostLeftovers {
      guard try read(ElanCommand.answer, version.count, .firmware, until: end) != version else {
        return try dropImages(frameLength)
      }
    }
    throw SensorFailure(
      .protocolViolation,
      "The reader no longer tells its version as it did; unplug it and plug it in again")
  }

  private func dropImages(_ frameLength: Int) throws(SensorFailure) {
    for _ in 0..<Self.mostLeftovers {
      do throws(SensorFailure) {
        let time = Duration.milliseconds(20)
        guard try !usb.read(from: ElanCommand.image, length: frameLength, deadline: time).isEmpty
        else { return }
      } catch {
        if error.code == .timeout { return }
        throw ended(error, ElanCommand.image, .stop, deadline(nil))
      }
    }
  }

  private var oneByte: Int { variant == .wideAnswers ? 2 : 1 }

  private func length(of command: ElanCommand) -> Int {
    command.answerLength == 1 ? oneByte : command.answerLength
  }

  private func read(
    _ endpoint: USBEndpoint, _ length: Int, _ command: ElanCommand, until end: Duration?
  ) throws(SensorFailure) -> [UInt8] {
    let deadline = deadline(end)
    do throws(SensorFailure) {
      return try usb.read(from: endpoint, length: length, deadline: deadline.time)
    } catch {
      throw ended(error, endpoint, command, deadline)
    }
  }

  /// How long a transfer may take, and whether the host's deadline is the limit.
  private func deadline(_ end: Duration?) -> (time: Duration, isHosts: Bool) {
    guard let end else { return (Self.answerTime, false) }
    let left = max(.zero, end - clock.now())
    return left < Self.answerTime ? (left, true) : (Self.answerTime, false)
  }

  /// Clears a halt, and makes the failure one that a person understands.
  private func ended(
    _ failure: SensorFailure, _ endpoint: USBEndpoint, _ command: ElanCommand,
    _ deadline: (time: Duration, isHosts: Bool)
  ) -> SensorFailure {
    switch failure.code {
    case .stall:
      do throws(SensorFailure) { try usb.clearHalt(endpoint) } catch { return error }
      return failure
    case .timeout where deadline.isHosts: return ElanSensor.noSwipe
    case .timeout:
      return SensorFailure(
        .inputOutput,
        "The reader does not answer when asked for \(command.purpose); unplug it and plug it in again"
      )
    default: return failure
    }
  }
}

/// A command: two bytes on ``request``, and the length of the reader's answer on ``answer``.
struct ElanCommand: Equatable {
  static let request = USBEndpoint.bulk(0x01)
  static let image = USBEndpoint.bulk(0x82)
  static let answer = USBEndpoint.bulk(0x83)

  let bytes: [UInt8]
  let answerLength: Int
  let purpose: String

  /// The firmware's version, big endian.
  static let firmware = ElanCommand([0x40, 0x19], 2, "the firmware's version")
  /// The sides of the sensor, as ``ElanGeometry`` reads them.
  static let sensorSize = ElanCommand([0x00, 0x0C], 4, "the size of the sensor")
  /// Asked of ``ElanVariant/linearGray`` at the start. The meaning of the answer is not known.
  static let greeting = ElanCommand([0x40, 0x2A], 2, "the greeting")
  /// A frame, on ``image``.
  static let frame = ElanCommand([0x00, 0x09], 0, "a frame")
  /// The mean brightness of a calibrated sensor.
  static let calibrationMean = ElanCommand([0x40, 0x24], 2, "the mean brightness")
  /// Starts a calibration, and then asks for its state.
  static let calibrationStatus = ElanCommand([0x40, 0x23], 1, "the state of the calibration")
  static let lightOn = ElanCommand([0x40, 0x31], 0, "the light")
  /// Waits for a finger. The answer comes when there is one.
  static let waitForFinger = ElanCommand([0x40, 0x3F], 1, "the finger")
  /// Turns the light off and ends a wait. There is no answer.
  static let stop = ElanCommand([0x00, 0x0B], 0, "the end of the capture")

  private init(_ bytes: [UInt8], _ answerLength: Int, _ purpose: String) {
    (self.bytes, self.answerLength, self.purpose) = (bytes, answerLength, purpose)
  }
}

/// The answer to ``ElanCommand/waitForFinger``.
enum FingerAnswer {
  static let present: UInt8 = 0x55
}

/// The answers to ``ElanCommand/calibrationStatus``.
enum CalibrationAnswer {
  static let running: UInt8 = 0x01
  static let done: UInt8 = 0x03
}
