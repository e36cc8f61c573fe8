internal import SensorKit

/// A session with the device: how it is opened, how it is closed, and how things stand.
struct UPEKSession {
  enum State {
    /// Nothing was asked of the device.
    case closed
    /// The device waits for a command.
    case open
    /// The device is in a capture, and it is its turn.
    case capturing
    /// Something ended in the middle. What the device is doing is not known.
    case abandoned
  }

  /// How much is done to close a session.
  enum Effort: Int {
    /// The device is asked once.
    case once = 1
    /// It is asked three times, then reset.
    case firmly = 3
  }

  /// Long enough for what the device was about to say, and for the closing.
  private static let closingTime = Duration.milliseconds(500)

  var link: UPEKLink
  var state = State.closed

  init(_ link: UPEKLink) {
    self.link = link
  }

  /// Opens a session. Where another program left the device in the middle of something, that is
  /// ended first.
  ///
  /// - Throws: ``SensorFailure/Code/unsupported`` for a sensor that is not known, or what the
  ///   device did the second time.
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

  /// Opens, closes and opens again, as the maker's program does, then asks what sensor there is.
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

  /// Closes the session, whatever the device is doing; one that does not hear is reset, if so much
  /// is to be done. Nothing is done where nothing was asked.
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

  /// Reads until the device says that the session is closed. What it was about to say before is of
  /// no interest.
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

  /// Waits for the device's answer.
  mutating func answer(within time: Duration = UPEKLink.answerTime) throws(SensorFailure)
    -> UPEKMessage
  {
    guard let frame = try link.receive(within: time) else {
      throw link.patience > .zero ? UPEKSensor.silence : UPEKSensor.noTouch
    }
    return try UPEKMessage(frame)
  }

  private mutating func expect(_ wanted: UPEKMessage) throws(SensorFailure) {
    guard try answer() == wanted else {
      throw UPEKMessage.mismatch("something else than was its turn")
    }
  }
}
