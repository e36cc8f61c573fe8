import AuthcoreABI
import Protocol

/// The rules of a request that waits for a person: events go in, what to do comes out.
///
/// A value without threads, clocks, sockets or devices. ``MachineRunner`` does what it says.
protocol RequestMachine {
  /// Takes what happened `milliseconds` after the last reaction.
  /// - Returns: what to do.
  mutating func handle(_ event: MachineEvent, after milliseconds: UInt32) -> Reaction
}

enum MachineEvent: Sendable {
  case begin
  /// The policy's answer to ``Reaction/Next/askPolicy(_:)``.
  case advice(PolicyStep.Action)
  /// An answer came during ``Reaction/Next/wait(milliseconds:)`` or
  /// ``Reaction/Next/capture(milliseconds:)``.
  case answer(RequestEvent)
  /// The outcome of the capture.
  case outcome(TouchEvent.Outcome)
  /// The driver's process is gone or hangs.
  case lost(Failure)
  case timePassed
  case lockedOut(Failure)
  /// The capture was stopped; with its outcome if that came first, nil if no capture ran.
  case stopped(TouchEvent.Outcome?)
  case verified(isRight: Bool)
  case given
}

struct Reaction {
  /// What is done without a following event.
  enum Effect: Equatable, Sendable {
    /// Opens the device. If that fails, the request fails before any prompt.
    case openSensor
    /// Has the enclave expect touches. If it refuses, the request fails.
    case openSession
    case closeSession
    case show(PromptContent)
    case tell(Progress.Event)
    /// Notes a proof of the owner.
    case noteProof
  }

  enum Next: Sendable {
    case askPolicy(PolicyMoment)
    /// Waits for an answer; nil for no limit.
    case wait(milliseconds: UInt32?)
    /// Waits for an answer or a touch. Begins a capture unless one runs.
    case capture(milliseconds: UInt32)
    case stopCapture
    case verify(SharedSecret)
    /// Gives the enclave an application password, for the context of the request.
    case giveAppPassword(SharedSecret)
    case finish
    case fail(Failure)
  }

  var effects: [Effect] = []
  let next: Next
}

/// What a prompt asks for. A prompt with the same content is not sent twice.
struct PromptContent: Equatable, Sendable {
  let awaitsTouch: Bool
  let fallback: PromptFallback
  let refusedPasscodes: UInt32
  var secret = PromptedSecret.passcode

  static func appPassword(refused: UInt32) -> PromptContent {
    PromptContent(
      awaitsTouch: false, fallback: .hidden, refusedPasscodes: refused, secret: .appPassword)
  }

  static func passcode(refused: UInt32) -> PromptContent {
    PromptContent(awaitsTouch: false, fallback: .hidden, refusedPasscodes: refused)
  }

  static func touch(fallback: PromptFallback, refused: UInt32) -> PromptContent {
    PromptContent(awaitsTouch: true, fallback: fallback, refusedPasscodes: refused)
  }
}

extension PolicyRequest {
  /// Whether a match at a relaxed rate is refused.
  /// Whether an item or a key asks for a finger, and not only for the owner's presence.
  var asksForFinger: Bool {
    guard case .access(let control, _) = self else { return false }
    return !control.constraints.isDisjoint(with: [.biometryAny, .biometryCurrent])
  }

  var requiresStrictMatch: Bool {
    if case .access(let control, _) = self { control.requiresStrictMatch } else { false }
  }
}

/// What the policy is told about a request, apart from the device's state.
struct PolicyMoment: Equatable, Sendable {
  var request: PolicyRequest
  var client = ClientSituation()
  /// Whose touch may be awaited; becomes ``ClientSituation/mayTouch`` for the current sensor.
  var touch = AwaitedTouch.person
  var progress = CallProgress()
  /// Whether the sensor failed in this request, whatever is connected.
  var isSensorLost = false
}

/// What evaluating and enrolling share: a prompt is shown, and touches are taken under it. A value.
/// Its owner decides what a usable touch means.
struct TouchLoop {
  /// How much time the request has for touches.
  enum Timeout: Equatable, Sendable {
    /// For all touches, and the prompt's appearance.
    case inAll(milliseconds: UInt32)
    /// For each touch, and the prompt's appearance.
    case each(milliseconds: UInt32)

    fileprivate var milliseconds: UInt32 {
      switch self {
      case .inAll(let milliseconds), .each(let milliseconds): milliseconds
      }
    }
  }

  /// What an event results in.
  enum Step {
    /// The next touch is awaited.
    case goOn(Reaction)
    /// The person did something else.
    case answer(RequestEvent)
    /// The enclave's verdict on a touch, or its refusal to give one.
    case outcome(TouchEvent.Outcome)
    case timedOut
    /// The sensor is gone or failed.
    case lost(Failure)
    /// Too many touches in a row were unusable.
    case exhausted
  }

  private let timeout: Timeout
  private let mostRetries: Int
  private let pause: UInt32
  private var left: UInt32
  private var retriesInARow = 0
  private var content: PromptContent?
  /// Whether the prompt is on the screen, as far as the client said.
  private(set) var isShown = false

  /// What is left of the pause, in which no touch counts; not part of the time for touches.
  private var pauseLeft: UInt32 = 0

  /// Gives up after `mostRetries` unusable touches in a row. Takes the first touch when the prompt
  /// has been on view for `pause` milliseconds.
  init(_ timeout: Timeout, mostRetries: Int, pause: UInt32 = 0) {
    self.timeout = timeout
    self.mostRetries = mostRetries
    self.pause = pause
    left = timeout.milliseconds
  }

  var showMilliseconds: UInt32 { timeout.milliseconds }

  /// Shows a prompt unless it is on view.
  mutating func show(_ wanted: PromptContent) -> [Reaction.Effect] {
    guard wanted != content else { return [] }
    content = wanted
    isShown = false
    return [.show(wanted)]
  }

  mutating func noteShown() { isShown = true }

  /// A touch was usable, so retries count anew.
  mutating func noteUsable() { retriesInARow = 0 }

  /// Waits for the prompt to appear, then for a touch.
  func resume(_ effects: [Reaction.Effect] = []) -> Step {
    guard left > 0 else { return .timedOut }
    let next: Reaction.Next =
      if isPausing {
        .wait(milliseconds: pauseLeft)
      } else {
        isShown ? .capture(milliseconds: left) : .wait(milliseconds: left)
      }
    return .goOn(Reaction(effects: effects, next: next))
  }

  private var isPausing: Bool { isShown && pauseLeft > 0 }

  /// Counts a touch that was not usable.
  mutating func retry(_ effects: [Reaction.Effect] = []) -> Step {
    retriesInARow += 1
    return retriesInARow < mostRetries ? resume(effects) : .exhausted
  }

  mutating func handle(_ event: MachineEvent, after milliseconds: UInt32) -> Step {
    if isPausing {
      pauseLeft -= min(pauseLeft, milliseconds)
      if case .timePassed = event {
        pauseLeft = 0
        return resume()
      }
    } else if !isShown || timeout == .inAll(milliseconds: timeout.milliseconds) {
      left -= min(left, milliseconds)
    }
    switch event {
    case .answer(.shown), .answer(.noPasscode):
      if !isShown { pauseLeft = pause }
      isShown = true
      if case .each(let milliseconds) = timeout { left = milliseconds }
      return resume()
    case .answer(.liftAwaited) where isShown && !isPausing:
      return resume([.tell(.retry(reason: Int32(AC_RETRY_LIFT)))])
    // This belongs to an earlier session.
    case .answer(.touch), .answer(.liftAwaited), .answer(.sensorEnded): return resume()
    case .answer(let answer): return .answer(answer)
    case .outcome(.retry(let reason)): return retry([.tell(.retry(reason: reason))])
    case .outcome(.ended(let status, let message)): return end(Int(status), message)
    case .outcome(let outcome): return .outcome(outcome)
    case .lost(let failure): return .lost(failure)
    case .timePassed: return .timedOut
    case .begin, .advice, .lockedOut, .stopped, .verified, .given: return resume()
    }
  }

  private mutating func end(_ status: Int, _ message: String) -> Step {
    switch status {
    case AC_ERR_TIMEOUT: return .timedOut
    // An interruption meant for the previous capture.
    case AC_ERR_INTERRUPTED: return retry()
    case AC_ERR_GONE:
      return .lost(
        Failure(
          .biometryDisconnected, message.isEmpty ? "the sensor was unplugged" : message,
          hint: "connect it again and repeat the command"))
    default: return .lost(Failure(.driverFailed, message.isEmpty ? "the sensor failed" : message))
    }
  }
}
