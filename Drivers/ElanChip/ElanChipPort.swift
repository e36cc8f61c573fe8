internal import SensorKit

/// Commands and answers of an Elan chip. The protocol has no checksum, length or sequence number.
struct ElanChipPort {
  private let usb: USBDevice
  private let clock: HostClock

  private static let commands = USBEndpoint.bulk(0x01)
  private static let answers = USBEndpoint.bulk(0x83)
  private static let touches = USBEndpoint.bulk(0x84)
  /// How long the chip may take for anything but a finger. A commit took 1.0 s.
  private static let answerTime = Duration.seconds(5)

  init(_ usb: USBDevice, clock: HostClock) {
    (self.usb, self.clock) = (usb, clock)
  }

  func send(_ command: [UInt8], for purpose: String) throws(SensorFailure) {
    try usb.send(command, to: Self.commands, deadline: Self.answerTime, for: purpose)
  }

  /// Sends a command and reads its answer, which has from `least` to `length` bytes.
  func ask(
    _ command: [UInt8], length: Int, least: Int? = nil, for purpose: String
  ) throws(SensorFailure) -> [UInt8] {
    try send(command, for: purpose)
    let answer = try usb.exchange(over: Self.answers, for: purpose) { () throws(SensorFailure) in
      try read(Self.answers, length, until: clock.now() + Self.answerTime)
    }
    guard answer.count >= least ?? length else { throw Self.wrong(answer, purpose) }
    return answer
  }

  /// Sends a command that the chip answers with `40 00`.
  func order(_ command: [UInt8], to purpose: String) throws(SensorFailure) {
    let answer = try ask(command, length: 2, for: purpose)
    guard answer == [0x40, 0] else { throw Self.wrong(answer, purpose) }
  }

  func useMatching() throws(SensorFailure) {
    try order([0x40, 0xFF, 0x14, 0x03], to: "matching on the chip")
  }

  /// Waits for what the chip says of a touch. After ``SensorFailure/Code/timeout`` or
  /// ``SensorFailure/Code/interrupted`` the chip waits for the finger still.
  func touch(until end: Duration) throws(SensorFailure) -> UInt8 {
    let answer: [UInt8]
    do throws(SensorFailure) {
      answer = try read(Self.touches, 2, until: end)
    } catch {
      if error.code == .stall { try usb.clearHalt(Self.touches) }
      throw error
    }
    guard answer.count == 2, answer[0] == 0x40 else { throw Self.wrong(answer, "a touch") }
    return answer[1]
  }

  /// Throws away what the chip still says of a touch that no call waits for.
  func dropTouches() throws(SensorFailure) {
    do throws(SensorFailure) {
      for _ in 0..<4 { _ = try touch(until: clock.now() + .milliseconds(20)) }
    } catch {
      guard error.code == .timeout else { throw error }
    }
  }

  /// An answer without bytes means that the real one follows.
  private func read(
    _ endpoint: USBEndpoint, _ length: Int, until end: Duration
  ) throws(SensorFailure) -> [UInt8] {
    try usb.read(from: endpoint, length: length, until: end, on: clock) { !$0.isEmpty }
  }

  /// An answer may hold a template's name, so that its bytes stay out of the message.
  private static func wrong(_ answer: [UInt8], _ purpose: String) -> SensorFailure {
    SensorFailure(
      .protocolViolation,
      "The reader gives a wrong answer of \(answer.count) bytes when asked for \(purpose); "
        + "unplug it and plug it in again")
  }
}
