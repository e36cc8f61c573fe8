internal import SensorKit

/// A session with the device: opens and closes it.
struct UPEKSession {
  enum State {
    /// There is no session.
    case closed
    /// The device waits for a command.
    case open
    /// The device is in a capture, and will send the next frame.
    case capturing
    /// A capture was abandoned. What the device is doing is not known.
    case abandoned
  }

  enum Effort: Int {
    /// The device is asked once.
    case once = 1
    /// The device is asked three times, then reset.
    case firmly = 3
  }

  /// Long enough for what the device was about to send, and for the answer.
  private static let closingTime = Duration.milliseconds(500)

  var link: UPEKLink
  var state = State.closed

  init(_ link: UPEKLink) {
    self.link = link
  }

  /// Opens a session. If another program left one open, that is closed first.
  ///
  /// - Throws: ``SensorFailure/Code/unsupported`` for an unknown sensor, or the failure of the
  ///   second attempt.
  mutating func open() throws(SensorFailure) -> UPEKSensorModel {
    state = .abandoned
    let sensor: UPEKSensorModel
    do throws(SensorFailure) {
      sensor = try greet()
    } catch {
      switch error.code {
      case .protocolViolation, .inputOutput: break
      case .stall: try link.clearHalts()
      default: throw error
      }
      try close(.firmly)
      sensor = try greet()
    }
    state = .open
    return sensor
  }

  /// Opens, closes and opens again, as the maker's program does, then asks for the sensor.
  private mutating func greet() throws(SensorFailure) -> UPEKSensorModel {
    try link.knock()
    try expect(.greeting)
    try link.send(.openFirst)
    try expect(.opened)
    try link.send(.close)
    try expect(.closed)
    try link.knock()
    try expect(.greeting)
    try link.send(.openAgain)
    try expect(.opened)
    try link.send(.describe)
    guard case .sensor(let sensor) = try answer() else {
      throw UPEKMessage.mismatch("something else than what its sensor is")
    }
    return sensor
  }

  /// Closes the session, if there is one, whatever the device is doing. Firmly, a device that does
  /// not answer is reset.
  mutating func close(_ effort: Effort) throws(SensorFailure) {
    guard state != .closed else { return }
    for _ in 0..<effort.rawValue {
      try link.send(.close)
      if try hearsClosing() {
        state = .closed
        return
      }
    }
    if effort == .firmly { try link.reset() }
  }

  /// Reads until the device says that the session is closed. Ignores other frames.
  private mutating func hearsClosing() throws(SensorFailure) -> Bool {
    while true {
      do throws(SensorFailure) {
        guard let frame = try link.receive(within: Self.closingTime) else { return false }
        if frame.kind == .closed { return true }
      } catch {
        guard error.code == .protocolViolation else { throw error }
      }
    }
  }

  mutating func answer(within time: Duration = UPEKLink.answerTime) throws(SensorFailure)
    -> UPEKMessage
  {
    guard let frame = try link.receive(within: time) else {
      throw link.timeLeft > .zero ? UPEKSensor.silence : UPEKSensor.noTouch
    }
    return try UPEKMessage(frame)
  }

  private mutating func expect(_ wanted: UPEKMessage) throws(SensorFailure) {
    guard try answer() == wanted else {
      throw UPEKMessage.mismatch("something else than was its turn")
    }
  }
}

/// Sends and receives frames, with sequence numbers and within a limit of time.
struct UPEKLink {
  private static let commands = USBEndpoint.bulk(0x02)
  private static let answers = USBEndpoint.bulk(0x81)
  /// Makes the device greet.
  private static let wake = USBControlRequest(0x0C, value: 0x0100, index: 0x0400)

  /// Bytes of the first read of a frame, and of the one for the rest of a long frame.
  private static let firstRead = 64
  private static let secondRead = UPEKFrame.maximumPayload + UPEKFrame.overhead - firstRead

  /// The device answers within this time, except while it waits for a finger.
  static let answerTime = Duration.seconds(4)
  /// How long a transfer may take even if no time is left, so that an exchange can be completed.
  private static let shortestWait = Duration.milliseconds(100)

  private let usb: USBDevice
  private let clock: HostClock
  private var sequence: UInt8 = 0

  /// How long to wait for the device, in all.
  var timeLeft = Duration.zero

  init(_ usb: USBDevice, clock: HostClock) {
    (self.usb, self.clock) = (usb, clock)
  }

  /// Makes the device greet, and restarts the sequence numbers.
  mutating func knock() throws(SensorFailure) {
    sequence = 0
    try spend { (usb, deadline) throws(SensorFailure) in
      try usb.write(Self.wake, [0], deadline: deadline)
    }
  }

  /// Sends a command. Messages and the closing of a session are numbered, others carry 0.
  mutating func send(_ command: UPEKCommand) throws(SensorFailure) {
    let isCounted = command.kind == .data || command.kind == .close
    let frame = UPEKFrame(
      command.kind, sequence: isCounted ? sequence : 0, payload: command.payload)
    if isCounted { sequence = (sequence + 1) & 0x0F }
    try spend { (usb, deadline) throws(SensorFailure) in
      try usb.write(frame.bytes, to: Self.commands, deadline: deadline)
    }
  }

  /// Waits for the next frame, at most for `limit` and as long as time is left. Returns nil if none
  /// came.
  ///
  /// A read that times out costs at least the time it was given, because in a recording no time
  /// passes and the wait has to end there, too.
  mutating func receive(within limit: Duration = answerTime) throws(SensorFailure) -> UPEKFrame? {
    var left = min(limit, timeLeft)
    while left > .zero {
      let start = clock.now()
      let asked = min(left, Self.answerTime)
      var spent = Duration.milliseconds(1)
      var bytes: [UInt8] = []
      do throws(SensorFailure) {
        bytes = try usb.read(from: Self.answers, length: Self.firstRead, deadline: asked)
      } catch {
        guard error.code == .timeout else { throw error }
        spent = asked
      }
      spent = max(spent, clock.now() - start)
      left -= spent
      timeLeft -= spent
      if !bytes.isEmpty { return try frame(startingWith: bytes) }
    }
    return nil
  }

  /// Reads the rest of a frame that did not fit the first packet.
  private mutating func frame(startingWith start: [UInt8]) throws(SensorFailure) -> UPEKFrame {
    guard start.count == Self.firstRead, try UPEKFrame.length(of: start) > Self.firstRead else {
      return try UPEKFrame(decoding: start)
    }
    let rest = try spend { (usb, deadline) throws(SensorFailure) in
      try usb.read(from: Self.answers, length: Self.secondRead, deadline: deadline)
    }
    return try UPEKFrame(decoding: start + rest)
  }

  func clearHalts() throws(SensorFailure) {
    try usb.clearHalt(Self.commands)
    try usb.clearHalt(Self.answers)
  }

  func reset() throws(SensorFailure) {
    try usb.reset()
  }

  /// Runs a transfer that the device answers at once. If it does not, it is silent, which is not
  /// the same as no finger.
  private mutating func spend<Answer>(
    _ transfer: (USBDevice, Duration) throws(SensorFailure) -> Answer
  ) throws(SensorFailure) -> Answer {
    let start = clock.now()
    defer { timeLeft -= clock.now() - start }
    do throws(SensorFailure) {
      return try transfer(usb, max(Self.shortestWait, min(Self.answerTime, timeLeft)))
    } catch {
      throw error.code == .timeout ? UPEKSensor.silence : error
    }
  }
}
