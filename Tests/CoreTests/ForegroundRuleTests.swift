import DBus
import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

@Suite("Who may ask a person, in the service")
struct ForegroundRuleTests {
  /// A row of the rule: what is known, and what of touch, own prompt and agent is permitted.
  struct Row: CustomTestStringConvertible, Sendable {
    let place: SessionPlace
    var lid = LidState.open
    var terminal = ProcessStatus.TerminalUse.none
    var isOfRoot = false
    var isOfLogin = false
    var hasOwnWindow = false
    /// `t` a touch, `p` an own prompt, `a` an agent, `f` a finger for that one.
    let permits: String

    var testDescription: String {
      "\(place), \(lid), terminal \(terminal)\(isOfRoot ? ", root" : "")\(isOfLogin ? ", login" : "")\(hasOwnWindow ? ", a window of its own" : ""): \(permits)"
    }
  }

  private static let rows: [Row] = [
    // The person sits here and sees the prompt.
    Row(place: .seat(isActive: true), terminal: .foreground, permits: "tpaf"),
    Row(place: .seat(isActive: true), hasOwnWindow: true, permits: "tpaf"),
    // Nobody sees what it shows: a window does that.
    Row(place: .seat(isActive: true), permits: "af"),
    Row(place: .seat(isActive: true), terminal: .background, permits: "af"),
    // Somebody else is at the screen.
    Row(place: .seat(isActive: false), permits: ""),
    Row(place: .seat(isActive: false), terminal: .foreground, permits: ""),
    // Nobody sees anything, or the reader is covered.
    Row(place: .seat(isActive: true), lid: .closed, terminal: .foreground, permits: ""),
    Row(
      place: .seat(isActive: true), lid: .closedButDocked, terminal: .foreground, permits: "pa"),
    Row(place: .seat(isActive: true), lid: .closedButDocked, permits: "a"),
    Row(place: .seat(isActive: false), lid: .closedButDocked, permits: ""),
    // Over SSH the passcode yes, a touch no; a closed lid is none of their business.
    Row(place: .remote, terminal: .foreground, permits: "p"),
    Row(place: .remote, lid: .closed, terminal: .foreground, permits: "p"),
    Row(place: .remote, terminal: .background, permits: ""),
    Row(place: .remote, permits: ""),
    // A job of cron, a container, what a person left behind.
    Row(place: .seatless, permits: ""),
    Row(place: .seatless, terminal: .foreground, permits: "p"),
    Row(place: .none, permits: ""),
    Row(place: .none, terminal: .background, permits: ""),
    Row(place: .none, terminal: .foreground, permits: "p"),
    // No logind, no bus.
    Row(place: .unknown("?"), permits: ""),
    Row(place: .unknown("?"), terminal: .foreground, permits: "p"),
    // What logs people in belongs to no session and types for them.
    Row(place: .none, isOfRoot: true, permits: "tp"),
    Row(place: .none, isOfRoot: true, isOfLogin: true, permits: "p"),
    Row(place: .none, isOfLogin: true, permits: ""),
    Row(place: .none, lid: .closed, isOfRoot: true, permits: "p"),
    Row(place: .none, lid: .closedButDocked, isOfRoot: true, permits: "p"),
    Row(place: .remote, isOfRoot: true, permits: "p"),
    Row(place: .seatless, isOfRoot: true, permits: "p"),
    Row(place: .unknown("?"), isOfRoot: true, permits: "p"),
    Row(place: .seat(isActive: true), isOfRoot: true, permits: "tpaf"),
    Row(place: .seat(isActive: false), isOfRoot: true, permits: "p"),
  ]

  @Test("A6: touch, own prompt and agent, by place, lid, terminal and user", arguments: rows)
  func rule(row: Row) {
    let found = ForegroundPermission.decide(
      ForegroundFacts(
        SessionSituation(row.place, lid: row.lid), terminal: row.terminal, isOfRoot: row.isOfRoot,
        isOfLogin: row.isOfLogin, hasOwnWindow: row.hasOwnWindow))
    let permits =
      (found.touch ? "t" : "") + (found.ownPrompt ? "p" : "") + (found.agent ? "a" : "")
      + (found.agentTouch ? "f" : "")
    #expect(permits == row.permits)
    #expect((found.objection == nil) == (permits == "tpaf"), "what is refused has a reason")
    #expect(found.objection.map { $0.code == .notInteractive && $0.hint != nil } ?? true)
  }
}
