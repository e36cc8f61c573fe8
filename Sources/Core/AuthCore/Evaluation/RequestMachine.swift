import Protocol

/// The rules of a request that waits for a person: what happened goes in, what to do comes out.
///
/// A value without threads, clocks, sockets or devices. ``MachineRunner`` does what it says.
protocol RequestMachine {
  /// Takes what happened `milliseconds` after the last reaction.
  /// - Returns: what to do.
  mutating func handle(_ event: MachineEvent, after milliseconds: UInt32) -> Reaction
}

/// What can happen to a request that waits.
enum MachineEvent: Sendable {
  case begin
  /// The policy's answer to ``Reaction/Next/askPolicy(_:)``.
  case advice(PolicyStep.Action)
  /// The client said something of the person while ``Reaction/Next/wait(milliseconds:)`` or
  /// ``Reaction/Next/capture(milliseconds:)`` lasted.
  case answer(RequestEvent)
  /// What came of the capture.
  case outcome(TouchEvent.Outcome)
  /// The driver's process is gone or hangs, and why.
  case lost(Failure)
  /// Nothing came in the time that was given.
  case timePassed
  /// The enclave takes no touches because of lockout.
  case lockedOut(Failure)
  /// The capture was stopped; its outcome where that was quicker, nil where none was under way.
  case stopped(TouchEvent.Outcome?)
  /// What the enclave said to the passcode.
  case verified(isRight: Bool)
  /// The enclave has the application password.
  case given
}

/// What to do: everything in ``effects``, then ``next``.
struct Reaction {
  /// What is done without an event following.
  enum Effect: Equatable, Sendable {
    /// Open the device: one that cannot be opened fails the request before any prompt.
    case openSensor
    /// Have the enclave expect touches: where it does not, that fails the request.
    case openSession
    case closeSession
    case show(PromptContent)
    case tell(Progress.Event)
    /// The owner was proved to be there.
    case noteProof
  }

  /// What the next event is awaited from.
  enum Next: Sendable {
    case askPolicy(PolicyMoment)
    /// For what the client says of the person; nil: for ever.
    case wait(milliseconds: UInt32?)
    /// For the same or a touch. Where no capture is under way one begins.
    case capture(milliseconds: UInt32)
    case stopCapture
    case verify(SharedSecret)
    /// Give the enclave an application password, for the context of the request.
    case giveAppPassword(SharedSecret)
    case finish
    case fail(Failure)
  }

  var effects: [Effect] = []
  let next: Next
}

/// What a prompt asks for; a prompt of the same content is not sent twice.
struct PromptContent: Equatable, Sendable {
  let awaitsTouch: Bool
  let fallback: PromptFallback
  let refusedPasscodes: UInt32
  var secret = PromptedSecret.passcode

  /// A prompt for an application password.
  static func appPassword(refused: UInt32) -> PromptContent {
    PromptContent(
      awaitsTouch: false, fallback: .hidden, refusedPasscodes: refused, secret: .appPassword)
  }

  /// A prompt for the passcode.
  static func passcode(refused: UInt32) -> PromptContent {
    PromptContent(awaitsTouch: false, fallback: .hidden, refusedPasscodes: refused)
  }

  /// A prompt for a touch.
  static func touch(fallback: PromptFallback, refused: UInt32) -> PromptContent {
    PromptContent(awaitsTouch: true, fallback: fallback, refusedPasscodes: refused)
  }
}

extension PolicyRequest {
  /// Whether what is asked for refuses a match at a relaxed rate.
  var requiresStrictMatch: Bool {
    if case .access(let control, _) = self { control.requiresStrictMatch } else { false }
  }
}

/// What the policy is told of a request, beside the state of the device.
struct PolicyMoment: Equatable, Sendable {
  var request: PolicyRequest
  var client = ClientSituation()
  /// Whose touch may be awaited; it becomes ``ClientSituation/mayTouch`` of the sensor there is.
  var touch = AwaitedTouch.person
  var progress = CallProgress()
  /// The sensor failed in this request, whatever is connected.
  var isSensorLost = false
}
