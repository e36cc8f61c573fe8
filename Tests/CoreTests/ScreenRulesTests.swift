import DBus
import LinuxSystem
import TestSupport
import Testing

@testable import AuthCore

@Suite("Locking with the screen")
struct ScreenRulesTests {
  private static let second: UInt64 = 1_000_000_000

  private func screens(
    _ name: String = "c1", isActive: Bool = true, isLocked: Bool = false, desktop: String = ""
  ) -> UserScreens {
    var session = UserScreens.Session(name: name)
    (session.isActive, session.isLocked, session.desktop) = (isActive, isLocked, desktop)
    var screens = UserScreens()
    screens.sessions = [session]
    return screens
  }

  /// Rules that know of a session that is open.
  private func open(desktop: String = "") -> ScreenRules {
    var rules = ScreenRules()
    #expect(rules.take(screens(desktop: desktop), suspended: 0) == false)
    return rules
  }

  @Test("a screen keeps the device open where its desktop is known to say when it locks")
  func knownDesktop() {
    #expect(open(desktop: "gnome").keepsOpen && open(desktop: "KDE").keepsOpen)
    #expect(!open(desktop: "sway").keepsOpen && !open().keepsOpen)
  }

  @Test("any other desktop has to have said so once in this session")
  func seenLocked() {
    var rules = open(desktop: "sway")
    #expect(rules.take(screens(isLocked: true), suspended: 0) == true)
    #expect(!rules.keepsOpen)
    #expect(rules.take(screens(), suspended: 0) == false)
    #expect(rules.keepsOpen)
    _ = rules.take(screens("c2"), suspended: 0)
    #expect(!rules.keepsOpen, "that was another session")
    _ = rules.take(screens(), suspended: 0)
    #expect(!rules.keepsOpen, "it has ended and begun since")
  }

  @Test("the device locks with the screen, when another session takes its place, and at logout")
  func leaving() {
    for gone in [screens(isLocked: true), screens(isActive: false), UserScreens()] {
      var rules = open(desktop: "gnome")
      #expect(rules.take(gone, suspended: 0) == true)
      #expect(!rules.keepsOpen)
      #expect(rules.take(gone, suspended: 0) == false, "once")
    }
  }

  @Test("of two screens each that is locked locks the device")
  func twoScreens() {
    var both = screens()
    both.sessions += screens("c2").sessions
    var rules = ScreenRules()
    _ = rules.take(both, suspended: 0)
    both.sessions[1].isLocked = true
    #expect(rules.take(both, suspended: 0) == true)
  }

  @Test("the device locks before the machine is suspended, and after it was")
  func sleep() {
    var rules = open()
    var going = screens()
    going.isGoingToSleep = true
    #expect(rules.take(going, suspended: 0) == true)
    #expect(rules.take(screens(), suspended: 30 * Self.second) == true)
    #expect(rules.take(screens(), suspended: 30 * Self.second) == false)
  }

  @Test("a logind that is lost locks the device; one that never was does not")
  func lost() {
    var rules = open(desktop: "gnome")
    #expect(rules.take(nil, suspended: 0) == true)
    #expect(!rules.keepsOpen)
    #expect(rules.take(nil, suspended: 0) == false)
    var without = ScreenRules()
    #expect(without.take(nil, suspended: 0) == false)
  }
}

@Suite("Screens of logind", .enabled(if: PrivateLogind.isInstalled))
struct ScreenWatchTests {
  @Test("a screen that is locked at logind locks the device; until then it keeps it open")
  func locked() throws {
    let logind = try PrivateLogind()
    try logind.addSession("c1", user: 1000, isActive: true)
    try logind.draw(session: "c1", by: "gnome")
    let watch = ScreenWatch(
      of: 1000, LoginManager(at: logind.address),
      LoginChanges(at: logind.address, intervalMicroseconds: 3_600_000_000), suspended: { 0 })
    let locks = Guarded(0)
    #expect(!watch.keepsOpen)
    watch.begin { locks.update { $0 += 1 } }
    watch.waitUntilKnown()
    #expect(watch.keepsOpen)
    try logind.change(session: "c1", "LockedHint", to: true)
    locks.wait { $0 == 1 ? () : nil }
    #expect(!watch.keepsOpen)
    watch.end()
  }
}
