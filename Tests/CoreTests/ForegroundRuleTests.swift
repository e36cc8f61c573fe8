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

@Suite("What the owner turned down")
struct PromptRefusalsTests {
  private static let second: UInt64 = 1_000_000_000
  private let item = PromptRefusals.Subject.item([1])

  @Test("FINDINGS A9: after a Cancel nobody is asked for the same for five minutes")
  func pause() {
    var refusals = PromptRefusals()
    refusals.noteCancel(of: item, at: 0)
    let failure = refusals.objection(to: item, at: Self.second)
    #expect(failure?.code == .errSecInteractionNotAllowed)
    #expect(failure?.hint == "wait 299 s, or lock the device and unlock it")
    #expect(refusals.objection(to: .item([2]), at: Self.second) == nil)
    #expect(refusals.objection(to: .everything, at: Self.second) == nil)
    #expect(refusals.objection(to: nil, at: Self.second) == nil)
    #expect(refusals.objection(to: item, at: 300 * Self.second) == nil)
  }

  @Test(
    "FINDINGS A9: after a cancelled unlock nobody is asked for anything, until the owner unlocks")
  func everything() {
    var refusals = PromptRefusals()
    refusals.noteCancel(of: .everything, at: 0)
    refusals.noteProof()
    for subject in [item, .everything] {
      #expect(refusals.objection(to: subject, at: 0)?.code == .errSecInteractionNotAllowed)
    }
    #expect(refusals.objection(to: nil, at: 0)?.code == .notInteractive)
    refusals.noteUnlock()
    #expect(refusals.objection(to: item, at: 0) == nil)
  }

  @Test("of many Cancels the last ones count")
  func many() {
    var refusals = PromptRefusals()
    for number in 0..<10_000 {
      refusals.noteCancel(of: .item([UInt8(number & 255), UInt8(number >> 8)]), at: 0)
      refusals.noteTurnedDown(at: 0)
    }
    #expect(refusals.objection(to: .item([0x0F, 0x27]), at: 0) != nil, "the last one")
    #expect(refusals.objection(to: .item([0, 0]), at: 0) == nil, "the first one")
  }

  @Test("the fifth prompt that is turned down within a minute is the last for a while")
  func five() {
    var refusals = PromptRefusals()
    for time in 0..<5 {
      #expect(refusals.rateObjection(at: UInt64(time) * Self.second) == nil)
      refusals.noteTurnedDown(at: UInt64(time) * Self.second)
    }
    let failure = refusals.rateObjection(at: 10 * Self.second)
    #expect(failure?.code == .notInteractive && failure?.hint == "wait 50 s")
    #expect(refusals.rateObjection(at: 60 * Self.second) == nil)
    refusals.noteTurnedDown(at: 60 * Self.second)
    // Those of the second to the fifth second, and the last.
    #expect(refusals.rateObjection(at: 60 * Self.second + 1)?.hint == "wait 1 s")
  }

  @Test("a prompt that is answered makes good those before")
  func proof() {
    var refusals = PromptRefusals()
    for _ in 0..<5 { refusals.noteTurnedDown(at: 0) }
    #expect(refusals.rateObjection(at: 1) != nil)
    refusals.noteProof()
    #expect(refusals.rateObjection(at: 1) == nil)
  }
}
