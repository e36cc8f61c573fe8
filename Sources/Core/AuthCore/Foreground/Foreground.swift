import DBus
import LinuxSystem
import Protocol
import Synchronization

/// Decides by logind and the kernel whether the service's clients are in the foreground, and
/// watches whether they stay there. Any thread.
final class Foreground: Sendable {
  private let manager: LoginManager
  private let changes: LoginChanges
  private let screenLocks = Mutex(ScreenLocks.known)

  init(_ manager: LoginManager, _ changes: LoginChanges) {
    self.manager = manager
    self.changes = changes
  }

  convenience init() { self.init(LoginManager(), LoginChanges()) }

  /// Makes these programs count as screen locks.
  func use(_ locks: ScreenLocks) { screenLocks.withLock { $0 = locks } }

  func permission(of link: ClientLink) -> ForegroundPermission {
    let client = link.asker
    return ForegroundPermission.decide(
      ForegroundFacts(
        manager.situation(of: client.process),
        terminal: terminal(of: link), isOfRoot: client.user == 0,
        isOfLogin: LoginUser.of(client.process) != nil,
        hasOwnWindow: hasOwnWindow(link)))
  }

  /// The terminal of whoever asks.
  private func terminal(of link: ClientLink) -> ProcessStatus.TerminalUse {
    let caller = ProcessStatus(of: link.asker.process)
    guard link.door?.isStartedByCaller == true else { return caller?.terminal ?? .none }
    return ForegroundFacts.terminal(
      of: caller, startingDoor: ProcessStatus(of: link.peer.process))
  }

  private func hasOwnWindow(_ link: ClientLink) -> Bool {
    // A door is not what the person sees.
    link.door == nil && (link.application == commandApplication || isScreenLock(link))
  }

  /// Whether a client is a program that covers the screen.
  func isScreenLock(_ link: ClientLink) -> Bool {
    let protects = link.program?.nameProtects ?? false
    return screenLocks.withLock { $0.include(link.application, protects: protects) }
  }

  /// The agent whose window the client's person sees: one of the client's own session, or else one
  /// of a session on the screen; of several the first.
  func choose(among agents: [ServingAgent], for client: PeerCredentials) -> ServingAgent? {
    let seen = agents.map { ($0, manager.situation(of: $0.link.peer.process)) }
      .filter { ForegroundPermission.decide(ForegroundFacts($0.1)).agent }
    guard seen.count > 1 else { return seen.first?.0 }
    let session = manager.situation(of: client.process).session
    return (seen.first { $0.1.session == session } ?? seen.first)?.0
  }

  /// Interrupts a request once its client may ask less than `granted`, until ``end(_:)``: the next
  /// person at the screen must not be asked for what another one began.
  func watch(
    _ client: ClientLink, granted: ForegroundPermission, _ inbox: RequestInbox
  ) -> LoginChanges.Watch {
    let check: @Sendable () -> Void = { [self, inbox] in
      let permission = permission(of: client)
      guard let objection = permission.objection, permission != granted else { return }
      inbox.interrupt(
        Failure(
          .systemCancel, "the prompt was taken away: \(objection.message)", hint: objection.hint))
    }
    let watch = changes.watch { _ in check() }
    // It may have changed before it was watched.
    check()
    return watch
  }

  func end(_ watch: LoginChanges.Watch) { changes.end(watch) }
}

/// What is known about a client that wants to ask a person something.
struct ForegroundFacts: Equatable, Sendable {
  /// Where the person sits, according to logind.
  let situation: SessionSituation
  /// The client's controlling terminal, according to the kernel.
  let terminal: ProcessStatus.TerminalUse
  /// Whether it runs as root, as programs do that log people in.
  let isOfRoot: Bool
  /// Whether it was started after a login.
  let isOfLogin: Bool
  /// Whether it shows its prompts without a terminal: the command, the settings, a screen lock.
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
  /// Where a door is that its caller started. The caller of what a shell runs in the background is
  /// that shell, which may be in front (FINDINGS A5).
  static func terminal(
    of caller: ProcessStatus?, startingDoor door: ProcessStatus?
  ) -> ProcessStatus.TerminalUse {
    guard let caller, let door else { return .none }
    guard caller.terminal == .foreground else { return caller.terminal }
    return door.sharesForeground(with: caller) ? .foreground : .background
  }

  /// Whether the person at the seat sees what it shows.
  fileprivate var isSeen: Bool { terminal == .foreground || hasOwnWindow || isOfRoot }
}

/// How a client of the service may ask a person (A6, docs/decisions/0044).
struct ForegroundPermission: Equatable, Sendable {
  /// Whether a touch may be awaited for the client's own prompt, which the person at the reader
  /// sees.
  var touch = true
  /// Whether a touch may be awaited for an agent's prompt.
  var agentTouch = true
  /// Whether the client may show a person its own prompt.
  var ownPrompt = true
  /// Whether an agent may ask instead, in a window at the seat.
  var agent = true
  /// Why some of it is refused; nil if all is permitted.
  var objection: Failure?

  static let all = ForegroundPermission()

  static func decide(_ facts: ForegroundFacts) -> ForegroundPermission {
    var permission = atSeat(facts) ?? elsewhere(facts)
    // Root knows better who types, for example before a login, when there is no session yet.
    if facts.isOfRoot { permission.ownPrompt = true }
    return permission
  }

  /// If the person sits at this machine, or is about to log in here; nil elsewhere.
  private static func atSeat(_ facts: ForegroundFacts) -> ForegroundPermission? {
    let isFound: ForegroundPermission
    switch facts.situation.place {
    case .seat(isActive: true): isFound = facts.isSeen ? .all : throughAgent
    case .seat(isActive: false):
      return nothing("another session is on the screen", hint: "switch to this one, and try again")
    case .none where facts.isOfRoot && !facts.isOfLogin:
      isFound = ForegroundPermission(agentTouch: false, agent: false, objection: withoutSession)
    case .remote, .seatless, .none, .unknown: return nil
    }
    switch facts.situation.lid {
    case .open: return isFound
    case .closed:
      return nothing("the lid is closed, and nobody sees a prompt", hint: "open it, and try again")
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

  /// For a client that no one sees, such as a background job: an agent shows its prompts.
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

/// The programs that count as screen locks. They cover the screen, so a person sees that they wait,
/// though they may run as the user without a terminal (docs/decisions/0044).
///
/// Anyone could use such a name. It counts only if it protects (docs/decisions/0043): the program
/// lies where only root can have put it.
enum ScreenLocks: Equatable, Sendable {
  case known
  /// Only these absolute paths.
  case listed([String])

  /// File names of those that ask PAM as the user. Others, such as parts of display managers, run
  /// as root and need not be listed.
  private static let names: Set<String> = [
    "cinnamon-screensaver-pam-helper", "gtklock", "hyprlock", "i3lock", "kscreenlocker_greet",
    "mate-screensaver-dialog", "swaylock", "waylock", "xfce4-screensaver-dialog", "authproto_pam",
    "xscreensaver-auth",
  ]

  /// Whether a program is a screen lock.
  /// - Parameters:
  ///   - application: as the service names it.
  ///   - protects: whether no other program of the user can get that name.
  /// - Returns: whether it is one.
  func include(_ application: String, protects: Bool) -> Bool {
    guard protects, application.hasPrefix("/"), !application.hasPrefix("//") else { return false }
    switch self {
    case .known:
      return Self.names.contains(application.split(separator: "/").last.map(String.init) ?? "")
    case .listed(let paths): return paths.contains(application)
    }
  }

  /// A failure for each listed path that cannot be a program's.
  func unusablePaths() -> [Failure] {
    guard case .listed(let paths) = self else { return [] }
    return paths.compactMap { path in
      let place = CanonicalPath.of(path)
      guard place != path else { return nil }
      return Failure(
        .errSecItemNotFound,
        place.map { "\(path.withoutSteering) leads to \($0.withoutSteering)" }
          ?? "\(path.withoutSteering) cannot be found",
        hint: "give the path of the program itself: readlink -f \(path.withoutSteering)")
    }
  }
}
