import AuthcoreABI
import Protocol

/// What evaluating and enrolling have in common: a prompt is shown, and one touch after the other
/// is taken under it. A value; what a usable touch means is its owner's matter.
struct TouchLoop {
  /// What time the request has for touches.
  enum Patience: Equatable, Sendable {
    /// For all together, and the prompt's appearance.
    case inAll(milliseconds: UInt32)
    /// For each, and the prompt's appearance.
    case each(milliseconds: UInt32)

    fileprivate var milliseconds: UInt32 {
      switch self {
      case .inAll(let milliseconds), .each(let milliseconds): milliseconds
      }
    }
  }

  /// What an event comes to.
  enum Step {
    /// The next touch is awaited.
    case goOn(Reaction)
    /// The person did something else.
    case answer(RequestEvent)
    /// A touch that the enclave looked at, or its refusal to.
    case outcome(TouchEvent.Outcome)
    case timedOut
    /// The sensor is gone or failed.
    case lost(Failure)
    /// The sensor only asks to try again.
    case exhausted
  }

  private let patience: Patience
  private let mostRetries: Int
  private let pause: UInt32
  private var left: UInt32
  private var retriesInARow = 0
  private var content: PromptContent?
  /// The client has said that the prompt is on the screen, or did what it could only do then.
  private(set) var isShown = false

  /// Of the pause, while the prompt is on view and no touch counts yet; no part of the time for touches.
  private var pauseLeft: UInt32 = 0

  /// A loop that gives up after `mostRetries` touches in a row of which none was usable, and takes the
  /// first one when the prompt has been on view for `pause` milliseconds.
  init(_ patience: Patience, mostRetries: Int, pause: UInt32 = 0) {
    self.patience = patience
    self.mostRetries = mostRetries
    self.pause = pause
    left = patience.milliseconds
  }

  /// How long the client may take to show a prompt, in milliseconds.
  var showMilliseconds: UInt32 { patience.milliseconds }

  /// Shows a prompt unless it is there.
  mutating func show(_ wanted: PromptContent) -> [Reaction.Effect] {
    guard wanted != content else { return [] }
    content = wanted
    isShown = false
    return [.show(wanted)]
  }

  /// The client showed the prompt.
  mutating func noteShown() { isShown = true }

  /// A touch was usable: the next retry is the first again.
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

  /// Whether the prompt is on view, and no touch counts yet.
  private var isPausing: Bool { isShown && pauseLeft > 0 }

  /// Counts a touch that was not usable.
  mutating func retry(_ effects: [Reaction.Effect] = []) -> Step {
    retriesInARow += 1
    return retriesInARow < mostRetries ? resume(effects) : .exhausted
  }

  /// Takes what happened `milliseconds` after the last reaction.
  mutating func handle(_ event: MachineEvent, after milliseconds: UInt32) -> Step {
    if isPausing {
      pauseLeft -= min(pauseLeft, milliseconds)
      if case .timePassed = event {
        pauseLeft = 0
        return resume()
      }
    } else if !isShown || patience == .inAll(milliseconds: patience.milliseconds) {
      left -= min(left, milliseconds)
    }
    switch event {
    case .answer(.shown), .answer(.noPasscode):
      if !isShown { pauseLeft = pause }
      isShown = true
      if case .each(let milliseconds) = patience { left = milliseconds }
      return resume()
    // A touch or a driver's end that is heard here belongs to a session that is over.
    case .answer(.touch), .answer(.sensorEnded): return resume()
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
    // An interruption meant for the capture before: the person is still there.
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
