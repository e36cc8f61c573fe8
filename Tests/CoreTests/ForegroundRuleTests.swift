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

@Suite("Where a door is that its caller started")
struct DoorPlaceTests {
  private func process(
    _ terminal: ProcessStatus.TerminalUse, on device: UInt64 = 34816
  ) -> ProcessStatus {
    ProcessStatus(
      terminal: terminal, terminalDevice: terminal == .none ? 0 : device, startTime: 1, parent: 1)
  }

  @Test("FINDINGS A5: a door is in front if its caller and its own process are, of one terminal")
  func place() {
    func place(_ caller: ProcessStatus?, _ door: ProcessStatus?) -> ProcessStatus.TerminalUse {
      ForegroundFacts.terminal(of: caller, startingDoor: door)
    }
    let front = process(.foreground)
    #expect(place(front, front) == .foreground)
    #expect(place(front, process(.background)) == .background)
    #expect(place(front, process(.foreground, on: 34817)) == .background)
    #expect(place(front, process(.none)) == .background)
    #expect(place(process(.background), front) == .background)
    #expect(place(process(.none), front) == ProcessStatus.TerminalUse.none)
    #expect(place(nil, front) == .none && place(front, nil) == .none)
  }

  @Test("FINDINGS A5: age's and docker's helpers are started by their callers, the agent is not")
  func doors() {
    #expect(Door.allCases.filter(\.isStartedByCaller) == [.age, .docker])
  }
}

@Suite("How often an application may be turned down")
struct PromptRateTests {
  private static let second: UInt64 = 1_000_000_000

  @Test("the fifth prompt that is turned down within a minute is the last for a while")
  func five() {
    var rate = PromptRate()
    for time in 0..<5 {
      #expect(rate.wait(of: "/a", at: UInt64(time) * Self.second) == nil)
      rate.noteRefusal(of: "/a", at: UInt64(time) * Self.second)
    }
    #expect(rate.wait(of: "/a", at: 10 * Self.second) == 50 * Self.second)
    #expect(rate.wait(of: "/b", at: 10 * Self.second) == nil, "others may ask")
    let failure = rate.objection(to: "/a", at: 10 * Self.second)
    #expect(failure?.code == .notInteractive && failure?.hint == "it may ask again in 50 s")
    #expect(rate.wait(of: "/a", at: 60 * Self.second) == nil)
    rate.noteRefusal(of: "/a", at: 60 * Self.second)
    // Those of the second to the fifth second, and the last.
    #expect(rate.wait(of: "/a", at: 60 * Self.second + 1) == Self.second - 1)
  }

  @Test("a prompt that is answered makes good those before")
  func proof() {
    var rate = PromptRate()
    for _ in 0..<5 { rate.noteRefusal(of: "/a", at: 0) }
    rate.noteProof(for: "/b")
    #expect(rate.wait(of: "/a", at: 1) != nil)
    rate.noteProof(for: "/a")
    #expect(rate.wait(of: "/a", at: 1) == nil)
  }

  @Test("a program that takes many names is held to what all together may")
  func manyNames() {
    var rate = PromptRate()
    for index in 0..<20 {
      #expect(rate.wait(of: "/\(index)", at: 0) == nil)
      rate.noteRefusal(of: "/\(index)", at: 0)
    }
    #expect(rate.wait(of: "/new", at: Self.second) == 59 * Self.second)
    for index in 0..<10_000 { rate.noteRefusal(of: "/\(index)", at: Self.second) }
    #expect(rate.wait(of: "/new", at: 62 * Self.second) == nil)
  }
}
