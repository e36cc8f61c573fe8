internal import SensorKit

/// A message of the chip, behind the status of its transfer.
struct SynapticsMessage: Equatable {
  let sequence: UInt8
  let code: UInt8
  let payload: [UInt8]

  /// Codes of messages, from the host and to it.
  enum Code {
    static let initialize: UInt8 = 0x11
    static let initialized: UInt8 = 0x13
    static let cancel: UInt8 = 0x41
    static let cancelled: UInt8 = 0x42
    static let cannotCancel: UInt8 = 0x43
    static let enroll: UInt8 = 0x51
    static let enrollmentReady: UInt8 = 0x54
    static let progress: UInt8 = 0x55
    static let enrolled: UInt8 = 0x59
    static let verify: UInt8 = 0x65
    static let verified: UInt8 = 0x68
    static let list: UInt8 = 0x71
    static let listNext: UInt8 = 0x72
    static let listed: UInt8 = 0x75
    static let listEnd: UInt8 = 0x76
    static let delete: UInt8 = 0x81
    static let deleted: UInt8 = 0x83
    static let deleteAll: UInt8 = 0x84
    static let allDeleted: UInt8 = 0x86
    static let finger: UInt8 = 0x91
    static let powerDown: UInt8 = 0xA1
    static let fault: UInt8 = 0xC1
    static let identify: UInt8 = 0xE1
    static let identifyMore: UInt8 = 0xE2
    static let identifyNext: UInt8 = 0xE3
    static let identified: UInt8 = 0x64
  }

  /// Answers that say that an operation failed, with a ``Result`` in two bytes, big endian.
  static let failures: Set<UInt8> = [
    0x12, 0x22, 0x43, 0x58, 0x63, 0x67, 0x79, 0x82, 0x85, 0xA3, 0xC1,
  ]

  /// Of a failure.
  enum Result {
    static let busy = 102
    static let alreadyInitialized = 103
    static let badTouch = 213
    static let known = 303
    static let noMatch = 404
    static let full = 501
    static let empty = 502
    static let notStored = 504
  }

  /// Nil if this is no failure.
  var result: Int? {
    guard Self.failures.contains(code), payload.count == 2 else { return nil }
    return Int(payload[0]) << 8 | Int(payload[1])
  }
}

/// The transfers of a Synaptics chip: a message is sent, its answers are fetched one by one.
///
/// Whatever the chip says beside an answer it announces on an endpoint of its own. A wait for a finger
/// is a wait there, and can be left and taken up again.
struct SynapticsPort {
  private let usb: USBDevice
  private let clock: HostClock
  /// Of the operation that is under way; 1…255.
  private var sequence: UInt8 = 0
  /// Of one that is being cancelled: its last answer may still come.
  private var earlier: UInt8?
  /// Whether the finger was on the sensor when the chip last said so.
  private(set) var fingerIsOn = false

  private static let commands = USBEndpoint.bulk(0x01)
  private static let answers = USBEndpoint.bulk(0x81)
  private static let notices = USBEndpoint.interrupt(0x83)
  private static let longestAnswer = 266
  private static let commandTime = Duration.seconds(1)
  private static let answerTime = Duration.seconds(5)

  init(_ usb: USBDevice, clock: HostClock) {
    (self.usb, self.clock) = (usb, clock)
  }

  /// Asks for the version of the firmware.
  func version() throws(SensorFailure) -> String {
    try write([0x01])
    let answer = try read(40)
    guard answer.count >= 12 else {
      throw Self.wrong("the answer with its version is too short")
    }
    return "\(answer[10]).\(answer[11])"
  }

  /// Begins an operation, or sends more of the one that is under way.
  /// - Returns: the first answer.
  mutating func send(
    _ code: UInt8, _ payload: [UInt8] = [], continues: Bool = false, endsEarlier: Bool = false
  ) throws(SensorFailure) -> SynapticsMessage {
    earlier = endsEarlier ? sequence : nil
    if !continues { sequence = sequence == 255 ? 1 : sequence + 1 }
    try write([0xA7, 0xFE, sequence, code, UInt8(payload.count)] + payload)
    return try answer()
  }

  /// Waits until the chip has something to say, and fetches it.
  ///
  /// - Throws: ``SensorFailure/Code/timeout`` or ``SensorFailure/Code/interrupted``, after which
  ///   the wait can be taken up again.
  mutating func next(until end: Duration) throws(SensorFailure) -> SynapticsMessage {
    while true {
      let left = max(.zero, end - clock.now())
      let notice = try usb.read(from: Self.notices, length: 7, deadline: left)
      // Of a host that suspends, a recording has a read without bytes.
      if let first = notice.first, first & 0x04 != 0 { break }
      guard clock.now() < end else {
        throw SensorFailure(.timeout, "No finger touched the reader in time")
      }
    }
    try write([0xA8])
    return try answer()
  }

  private mutating func answer() throws(SensorFailure) -> SynapticsMessage {
    let bytes = try read(Self.longestAnswer)
    guard bytes.count >= 6, bytes[2] == 0xFE, bytes.count == 6 + Int(bytes[5]) else {
      throw Self.wrong("a message of \(bytes.count) bytes is damaged")
    }
    let message = SynapticsMessage(
      sequence: bytes[3], code: bytes[4], payload: Array(bytes[6...]))
    guard [0, sequence, earlier].contains(message.sequence) else {
      throw Self.wrong("it answers message \(message.sequence) instead of \(sequence)")
    }
    guard !SynapticsMessage.failures.contains(message.code) || message.payload.count == 2 else {
      throw Self.wrong("a failure without its number")
    }
    if message.code == SynapticsMessage.Code.finger {
      guard message.payload.count == 1 else { throw Self.wrong("a finger event without a finger") }
      fingerIsOn = message.payload[0] == 1
    }
    if message.code == SynapticsMessage.Code.fault {
      throw Self.wrong("it reports failure \(message.result ?? 0)")
    }
    return message
  }

  private func write(_ bytes: [UInt8]) throws(SensorFailure) {
    do throws(SensorFailure) {
      try usb.write(bytes, to: Self.commands, deadline: Self.commandTime)
    } catch {
      throw explained(error, Self.commands)
    }
  }

  /// An answer to what was sent, which a finger does not delay.
  private func read(_ length: Int) throws(SensorFailure) -> [UInt8] {
    let bytes: [UInt8]
    do throws(SensorFailure) {
      bytes = try usb.read(from: Self.answers, length: length, deadline: Self.answerTime)
    } catch {
      throw explained(error, Self.answers)
    }
    guard bytes.count >= 2, bytes[0] == 0, bytes[1] == 0 else {
      throw Self.wrong("it refuses what it was asked for")
    }
    return bytes
  }

  private func explained(
    _ failure: SensorFailure, _ endpoint: USBEndpoint
  ) -> SensorFailure {
    switch failure.code {
    case .stall:
      do throws(SensorFailure) { try usb.clearHalt(endpoint) } catch { return error }
      return failure
    case .timeout:
      return SensorFailure(
        .inputOutput, "The reader does not answer; unplug it and plug it in again")
    default: return failure
    }
  }

  static func wrong(_ what: String) -> SensorFailure {
    SensorFailure(
      .protocolViolation, "The reader does not keep to its protocol: \(what); try again")
  }
}
