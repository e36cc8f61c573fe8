internal import SensorKit

/// A message of the chip, behind the status of its transfer.
struct SynapticsMessage {
  /// Of messages, from the host and to it.
  enum Code: UInt8 {
    case initialize = 0x11, initialized = 0x13, cancel = 0x41, cancelled = 0x42, cannotCancel = 0x43
    case enroll = 0x51, enrollmentReady = 0x54, progress = 0x55, enrolled = 0x59
    case verify = 0x65, verified = 0x68, identified = 0x64
    case identify = 0xE1, identifyMore = 0xE2, identifyNext = 0xE3
    case list = 0x71, listNext = 0x72, listed = 0x75, listEnd = 0x76
    case delete = 0x81, deleted = 0x83, deleteAll = 0x84, allDeleted = 0x86
    case finger = 0x91, powerDown = 0xA1, fault = 0xC1
  }

  /// Why an operation failed.
  enum Result: Int {
    case busy = 102, alreadyInitialized = 103, badTouch = 213, known = 303, noMatch = 404
    case full = 501, empty = 502, notStored = 504
  }

  /// Codes of failures, which have a number in two bytes, big endian.
  private static let failures: Set<UInt8> = [
    0x12, 0x22, 0x43, 0x58, 0x63, 0x67, 0x79, 0x82, 0x85, 0xA3, 0xC1,
  ]

  let sequence: UInt8
  let payload: [UInt8]
  /// Nil for a code that no operation waits for.
  let code: Code?
  /// Of a failure.
  let failure: Int?
  var result: Result? { failure.flatMap(Result.init) }

  /// What follows the status of a transfer; nil if it is damaged.
  init?(_ bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count >= 4, bytes[0] == 0xFE, bytes.count == 4 + Int(bytes[3]) else { return nil }
    (sequence, code, payload) = (bytes[1], Code(rawValue: bytes[2]), Array(bytes[4...]))
    let isFailure = Self.failures.contains(bytes[2])
    guard !isFailure || payload.count == 2 else { return nil }
    failure = isFailure ? Int(payload[0]) << 8 | Int(payload[1]) : nil
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
    guard answer.count >= 12 else { throw Self.wrong("the answer with its version is too short") }
    return "\(answer[10]).\(answer[11])"
  }

  /// Begins an operation, or sends more of the one that is under way.
  /// - Returns: the first answer.
  mutating func send(
    _ code: SynapticsMessage.Code, _ payload: [UInt8] = [], continues: Bool = false,
    endsEarlier: Bool = false
  ) throws(SensorFailure) -> SynapticsMessage {
    earlier = endsEarlier ? sequence : nil
    if !continues { sequence = sequence == 255 ? 1 : sequence + 1 }
    try write([0xA7, 0xFE, sequence, code.rawValue, UInt8(payload.count)] + payload)
    // A fetch that failed may have left a message of before.
    for _ in 0..<8 {
      let message = try answer()
      if message.sequence == sequence { return message }
    }
    throw Self.wrong("it does not answer message \(sequence)")
  }

  /// Waits until the chip has something to say, and fetches it.
  ///
  /// - Throws: ``SensorFailure/Code/timeout`` or ``SensorFailure/Code/interrupted``, after which
  ///   the wait can be taken up again.
  mutating func next(until end: Duration) throws(SensorFailure) -> SynapticsMessage {
    // Of a host that suspends, a recording has a read without bytes.
    _ = try usb.read(from: Self.notices, length: 7, until: end, on: clock) {
      $0.first.map { $0 & 0x04 != 0 } ?? false
    }
    try write([0xA8])
    return try answer()
  }

  private mutating func answer() throws(SensorFailure) -> SynapticsMessage {
    let bytes = try read(Self.longestAnswer)
    guard let message = SynapticsMessage(bytes.dropFirst(2)) else {
      // It may have said that the finger left, and nothing says so again.
      fingerIsOn = false
      throw Self.wrong("a message of \(bytes.count) bytes is damaged")
    }
    guard [0, sequence, earlier].contains(message.sequence) else {
      throw Self.wrong("it answers message \(message.sequence) instead of \(sequence)")
    }
    if message.code == .finger {
      guard message.payload.count == 1 else { throw Self.wrong("a finger event without a finger") }
      fingerIsOn = message.payload[0] == 1
    }
    if message.code == .fault {
      throw Self.wrong("it reports failure \(message.failure ?? 0)")
    }
    return message
  }

  private func write(_ bytes: [UInt8]) throws(SensorFailure) {
    try usb.send(bytes, to: Self.commands, deadline: Self.commandTime, for: "anything")
  }

  /// An answer to what was sent, which no finger delays.
  private func read(_ length: Int) throws(SensorFailure) -> [UInt8] {
    let bytes = try usb.exchange(over: Self.answers, for: "an answer") { () throws(SensorFailure) in
      try usb.read(from: Self.answers, length: length, deadline: Self.answerTime)
    }
    guard bytes.starts(with: [0, 0]) else { throw Self.wrong("it refuses what it was asked for") }
    return bytes
  }

  static func wrong(_ what: String) -> SensorFailure {
    SensorFailure(
      .protocolViolation, "The reader does not keep to its protocol: \(what); try again")
  }
}
