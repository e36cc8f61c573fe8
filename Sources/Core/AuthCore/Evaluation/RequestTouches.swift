import AuthcoreABI
import Protocol

enum TouchWaitResult {
  case outcome(TouchEvent.Outcome, EnclaveStatus? = nil)
  /// Something else happened; the capture goes on.
  case answer(RequestEvent)
  case lost(Failure)
}

/// One match or enrollment at the enclave, and the captures of one sensor that feed it, one at a
/// time. Used by the request's thread.
final class RequestTouches {
  let identifier: UInt64
  private let sensor: RunningSensor
  private let source: SensorSource
  private let inbox: RequestInbox
  private let limits: CoreLimits
  private var isCapturing = false
  /// Whether no capture of this session has ended: the driver then waits for no finger to be
  /// lifted.
  private var isFresh = true
  /// Whether the enclave expects a touch already.
  private var isAwaited: Bool
  /// Whether the enclave ended the session with a touch.
  private var isOver = false

  /// Opens a session with the message that `begin` makes, and throws what the enclave refuses it
  /// with. With `isAwaiting` the enclave expects the first touch at once.
  init(
    _ call: Call, sensor: RunningSensor, isAwaiting: Bool, begin: MachineRunner.Begin
  ) throws(Failure) {
    identifier = call.core.names.next()
    self.sensor = sensor
    source = call.sensors
    inbox = call.inbox
    limits = call.core.limits
    isAwaited = isAwaiting
    sensor.enclave.listen(to: identifier, inbox)
    do throws(Failure) {
      try call.enclave.openOwed()
      let begin = try begin(identifier, sensor.channel)
      let before = sensor.takeOpening()
      let _: Done =
        isAwaiting
        ? try sensor.enclave.ask(
          before + [begin], then: AwaitTouch(session: identifier), for: inbox)
        : try sensor.enclave.ask(before, then: begin, for: inbox)
    } catch {
      // Even if interrupted: the enclave may open it later.
      close()
      throw error
    }
    sensor.notify(inbox)
  }

  /// Waits for a touch, or for what comes before it.
  /// - Parameters:
  ///   - milliseconds: how long the sensor waits.
  ///   - onStart: called when a capture starts.
  /// - Returns: what came first.
  /// - Throws: why the request is interrupted.
  func next(
    within milliseconds: UInt32, onStart: () throws(Failure) -> Void
  ) throws(Failure) -> TouchWaitResult {
    if !isCapturing {
      try onStart()
      if !isAwaited { try sensor.enclave.tell(AwaitTouch(session: identifier)) }
      isAwaited = false
      do throws(Failure) {
        try sensor.capture(
          session: identifier, milliseconds: milliseconds,
          ignoresPresentFinger: isFresh && !sensor.selected.isPlayed)
      } catch {
        return lose(error)
      }
      isCapturing = true
    }
    let limit = UInt64(milliseconds) * 1_000_000 + limits.sensorGraceNanoseconds
    while let event = try inbox.next(withinNanoseconds: limit) {
      switch event {
      case .touch(let event):
        guard event.session == identifier else { continue }
        (isCapturing, isFresh) = (false, false)
        if let failure = deathBehind(event.outcome) { return lose(failure) }
        if isUnplugged(event.outcome) { source.drop(sensor) }
        isOver = event.outcome.endsSession
        return .outcome(event.outcome, event.status)
      case .sensorEnded(let failure): return lose(failure)
      default: return .answer(event)
      }
    }
    if let outcome = stop() { return .outcome(outcome) }
    return lose(Failure(.driverFailed, "the sensor's driver does not answer"))
  }

  /// The end of a driver's process is seen twice: its frame socket closes, which looks like a
  /// device that is gone, and its mailbox says why.
  private func deathBehind(_ outcome: TouchEvent.Outcome) -> Failure? {
    guard case .ended(let status, _) = outcome, status == AC_ERR_GONE else { return nil }
    return inbox.sensorEnd(within: limits.deathNanoseconds)
  }

  /// A reader that was unplugged comes back as another device, which the next request opens.
  private func isUnplugged(_ outcome: TouchEvent.Outcome) -> Bool {
    guard case .ended(let status, _) = outcome, status == AC_ERR_GONE else { return false }
    return !sensor.selected.isPlayed
  }

  private func lose(_ failure: Failure) -> TouchWaitResult {
    isCapturing = false
    source.drop(sensor)
    return .lost(failure)
  }

  /// Stops the capture under way.
  /// - Returns: its outcome, usually `ended`; nil if none was under way, or if its driver had to be
  ///   ended.
  func stop() -> TouchEvent.Outcome? {
    guard isCapturing else { return nil }
    (isCapturing, isFresh) = (false, true)
    do throws(Failure) {
      try sensor.stop(session: identifier)
    } catch {
      source.drop(sensor)
      return nil
    }
    let outcome = inbox.nextTouch(of: identifier, within: limits.sensorGraceNanoseconds)
    if outcome == nil { source.drop(sensor) }
    isOver = outcome?.endsSession ?? false
    return outcome
  }

  /// Stops the capture and closes the session at the enclave, which forgets what it was not asked
  /// to keep.
  func end() {
    _ = stop()
    sensor.notify(nil)
    close()
  }

  private func close() {
    do throws(Failure) {
      if !isOver { try sensor.enclave.tell(EndSession(session: identifier), for: inbox) }
    } catch {
      // An enclave that has ended has no sessions.
    }
    sensor.enclave.stopListening(to: identifier)
  }
}

extension TouchEvent.Outcome {
  /// Whether it ends the session.
  fileprivate var endsSession: Bool {
    switch self {
    case .matched, .duplicate, .failed: true
    case .chip(_, let isLast): isLast
    case .missed, .retry, .taken, .refused, .ended: false
    }
  }
}
