import AuthcoreABI
import ClientProtocol
import EngineKit
import Wire

/// Takes the touches of a finger that is enrolled, after its context holds the passcode's evidence.
struct Enrolling {
  /// Whether to go on.
  private enum Course {
    case nextTouch
    case commit
  }

  /// Touches, used or not, after which an enrolment that never reaches coverage is committed.
  private static let mostTouches = 60

  private let call: Call
  private let request: EnrollFinger
  private let sensor: RunningSensor
  private var board: PromptBoard
  private var touches = 0
  private var unusableInARow = 0

  /// Goes on with the `board` on which the passcode was asked for.
  init(_ call: Call, _ request: EnrollFinger, sensor: RunningSensor, board: PromptBoard) {
    self.call = call
    self.request = request
    self.sensor = sensor
    self.board = board
  }

  /// Takes touches until there are enough or no more come, and makes them a finger.
  mutating func run(context: UInt64) throws(Failure) -> EnrolledFinger {
    let (enclave, request) = (call.enclave, request)
    let session = try TouchSession(call, sensor: sensor) { (session, channel) throws(Failure) in
      try enclave.tell(
        BeginEnrolment(
          session: session, channel: channel, context: context, name: request.name,
          isRelaxed: request.isRelaxed))
    }
    defer { session.end() }
    try board.askForTouch(fallback: .hidden, refusedPasscodes: 0)
    while !board.isShown {
      guard let occurrence = try call.inbox.next(within: board.showMilliseconds) else {
        throw Failure(.timedOut, "the prompt was not shown in time")
      }
      try answer(occurrence)
    }
    while try awaitTouch(session) == .nextTouch {}
    return try enclave.ask(CommitEnrolment(session: session.identifier))
  }

  private mutating func awaitTouch(_ session: TouchSession) throws(Failure) -> Course {
    let call = call
    let milliseconds =
      request.options.timeoutMilliseconds == 0
      ? call.core.limits.touchMilliseconds : request.options.timeoutMilliseconds
    let happening = try session.next(within: milliseconds) { () throws(Failure) in
      try call.send(Progress(.awaitingTouch))
    }
    switch happening {
    case .outcome(let outcome): return try take(outcome)
    case .answer(let occurrence):
      try answer(occurrence)
      return .nextTouch
    case .lost(let failure): throw failure
    }
  }

  private mutating func answer(_ occurrence: Occurrence) throws(Failure) {
    switch occurrence {
    case .shown, .noPasscode: board.markShown()
    case .cancelPressed:
      throw Failure(.userCancel, "the enrolment was cancelled; nothing was kept")
    case .fallbackChosen:
      throw Failure(.userFallback, "an enrolment needs touches; there is no fallback")
    case .passcodeGiven, .touch, .sensorEnded: break
    }
  }

  private mutating func take(_ outcome: TouchEvent.Outcome) throws(Failure) -> Course {
    touches += 1
    switch outcome {
    case .taken(let touch):
      unusableInARow = 0
      try call.send(
        Progress(
          .taken(
            touches: touch.touches, coverage: touch.coverage,
            advice: touch.advice?.rawValue ?? 0, picture: touch.picture)))
      let isEnough =
        request.touches == 0 ? touch.isComplete : touch.touches >= request.touches
      return isEnough || touches >= Self.mostTouches ? .commit : .nextTouch
    case .refused(let advice):
      try call.send(Progress(.refused(advice: advice.rawValue)))
      return countUnusable()
    case .retry(let reason):
      try call.send(Progress(.retry(reason: reason)))
      return countUnusable()
    case .duplicate(let finger):
      throw Failure(
        .duplicateFinger, "this finger is enrolled already, as \(finger)",
        hint: "touch the sensor with another finger")
    case .ended(let status, let message): return try end(status, message)
    case .failed(let failure): throw failure
    case .matched, .missed:
      throw EngineAnswer.unreadable("enclave", reason: "an event of a match during an enrolment")
    }
  }

  private mutating func countUnusable() -> Course {
    unusableInARow += 1
    let isOver =
      unusableInARow >= call.core.limits.retriesInARow || touches >= Self.mostTouches
    return isOver ? .commit : .nextTouch
  }

  /// No further touch comes: what was taken is committed. A sensor that failed ends it.
  private mutating func end(_ status: Int32, _ message: String) throws(Failure) -> Course {
    switch Int(status) {
    case AC_ERR_TIMEOUT: return .commit
    case AC_ERR_INTERRUPTED: return countUnusable()
    case AC_ERR_GONE:
      throw Failure(
        .biometryDisconnected, message.isEmpty ? "the sensor was unplugged" : message,
        hint: "connect it and enrol again")
    default:
      throw Failure(.driverFailed, message.isEmpty ? "the sensor failed" : message)
    }
  }
}
