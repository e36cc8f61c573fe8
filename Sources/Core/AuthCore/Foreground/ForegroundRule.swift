import DBus
import LinuxSystem
import Protocol

/// What is known of a client that wants to ask a person something.
struct ForegroundFacts: Equatable, Sendable {
  /// Where the person sits, by logind's word.
  let situation: SessionSituation
  /// The client's controlling terminal, by the kernel's word.
  let terminal: ProcessStatus.TerminalUse
  /// Whether it is a program of root's, as those are that log people in.
  let isOfRoot: Bool
  /// Whether somebody had logged in before it was started.
  let isOfLogin: Bool
  /// Whether it is known to show what it asks without a terminal: the command, the settings, a screen
  /// lock.
  let hasOwnWindow: Bool

  init(
    _ situation: SessionSituation, terminal: ProcessStatus.TerminalUse = .none,
    isOfRoot: Bool = false, isOfLogin: Bool = false, hasOwnWindow: Bool = false
  ) {
    self.hasOwnWindow = hasOwnWindow
    self.situation = situation
    self.terminal = terminal
    self.isOfRoot = isOfRoot
    self.isOfLogin = isOfLogin
  }
}

extension ForegroundFacts {
  /// Whether what it shows is seen by whoever sits there.
  fileprivate var isSeen: Bool { terminal == .foreground || hasOwnWindow || isOfRoot }
}

/// How a client may ask a person, in the service of the machine (A6, docs/decisions/0044).
struct ForegroundPermission: Equatable, Sendable {
  /// Whether a touch of a reader may be awaited for a prompt of the client's own: whoever sits at it
  /// sees that.
  var touch = true
  /// Whether one may be awaited for the prompt of an agent.
  var agentTouch = true
  /// Whether the client may show a prompt of its own to a person.
  var ownPrompt = true
  /// Whether an agent may ask in its place, in a window at the seat.
  var agent = true
  /// Why something of it may not; nil: all may.
  var objection: Failure?

  /// Everything.
  static let all = ForegroundPermission()

  /// The rule.
  static func decide(_ facts: ForegroundFacts) -> ForegroundPermission {
    var permission = atSeat(facts) ?? elsewhere(facts)
    // It knows better who types: it may be about to log somebody in who is in no session.
    if facts.isOfRoot { permission.ownPrompt = true }
    return permission
  }

  /// Where the person sits here, or is about to be let in here; nil elsewhere.
  private static func atSeat(_ facts: ForegroundFacts) -> ForegroundPermission? {
    let isFound: ForegroundPermission
    switch facts.situation.place {
    case .seat(isActive: true): isFound = facts.isSeen ? .all : throughAgent
    case .seat(isActive: false):
      return nothing(
        "another session is on the screen", hint: "switch to this one, and try again")
    case .none where facts.isOfRoot && !facts.isOfLogin:
      isFound = ForegroundPermission(agentTouch: false, agent: false, objection: withoutSession)
    case .remote, .seatless, .none, .unknown: return nil
    }
    switch facts.situation.lid {
    case .open: return isFound
    case .closed:
      return nothing(
        "the lid is closed, and nobody sees a prompt", hint: "open it, and try again")
    case .closedButDocked:
      return ForegroundPermission(
        touch: false, agentTouch: false, ownPrompt: isFound.ownPrompt, agent: isFound.agent,
        objection: Failure(
          .notInteractive, "the lid is closed, and the reader may be under it",
          hint: "open the lid, or give the passcode"))
    }
  }

  /// Away from the seat a terminal can ask for the passcode.
  private static func elsewhere(_ facts: ForegroundFacts) -> ForegroundPermission {
    guard facts.terminal == .foreground else {
      return nothing(
        objection(facts.situation.place).message,
        hint: "run it in the foreground, at a terminal or in the session on the screen")
    }
    return ForegroundPermission(
      touch: false, agentTouch: false, agent: false, objection: objection(facts.situation.place))
  }

  /// Where nobody would see what the client shows, as of a job in the background, an agent shows it.
  private static let throughAgent = ForegroundPermission(
    touch: false, ownPrompt: false,
    objection: Failure(
      .notInteractive,
      "the program is not in the foreground of a terminal, and no agent shows its prompts",
      hint: "run it in the foreground of a terminal, or start authcore-agent in this session"))

  private static func objection(_ place: SessionPlace) -> Failure {
    switch place {
    case .remote:
      Failure(
        .notInteractive, "the person is logged in from afar, and a touch is of who sits here",
        hint: "give the passcode")
    case .unknown(let reason):
      Failure(
        .notInteractive, "nobody knows whether the person sits at this machine: \(reason)",
        hint: "give the passcode; a touch takes systemd-logind and its bus")
    case .seat, .seatless, .none: withoutSession
    }
  }

  private static let withoutSession = Failure(
    .notInteractive, "the program is in no session at a seat of this machine",
    hint: "give the passcode")

  private static func nothing(_ message: String, hint: String) -> ForegroundPermission {
    ForegroundPermission(
      touch: false, agentTouch: false, ownPrompt: false, agent: false,
      objection: Failure(.notInteractive, message, hint: hint))
  }
}
