import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import DBus

@Suite("What logind says of processes", .enabled(if: PrivateLogind.isInstalled))
struct LoginManagerTests {
  private func manager(_ logind: PrivateLogind) -> LoginManager { LoginManager(at: logind.address) }

  private func path(_ session: String) -> String { "/org/freedesktop/login1/session/\(session)" }

  @Test("A6: a process of a session is at its seat, and active as that is")
  func seat() throws {
    let logind = try PrivateLogind()
    let manager = manager(logind)
    try logind.addSession("c1", user: 1000, isActive: true)
    try logind.place([41: .session("c1")])
    #expect(
      manager.situation(of: 41) == SessionSituation(.seat(isActive: true), session: path("c1")))
    try logind.change(session: "c1", "Active", to: false)
    #expect(
      manager.situation(of: 41) == SessionSituation(.seat(isActive: false), session: path("c1")))
  }

  /// Sends a descriptor to each client of a process, and prints how the bus refuses it. Its
  /// arguments: the bus and the process.
  private static let sender = """
    import dbus, dbus.bus, sys
    bus = dbus.bus.BusConnection(sys.argv[1])
    daemon = "org.freedesktop.DBus"
    def process(name): return bus.call_blocking(daemon, "/", daemon, "GetConnectionUnixProcessID", "s", (name,))
    for name in bus.list_names():
        if name[0] == ":" and process(name) == int(sys.argv[2]):
            try: bus.call_blocking(name, "/", "a.b", "c", "h", (dbus.types.UnixFd(0),))
            except dbus.DBusException as error: print(error.get_dbus_name())
    """

  @Test("FINDINGS A2: nobody on the bus can send its client a descriptor, which it would close")
  func descriptors() throws {
    let logind = try PrivateLogind()
    let manager = manager(logind)
    #expect(manager.situation(of: 41) == SessionSituation(.none))
    guard case .at(let address) = logind.address else { return }
    let run = try run("/usr/bin/python3", ["-c", Self.sender, address, "\(getpid())"])
    let answers = Set(run.text.split(separator: "\n"))
    #expect(answers == ["org.freedesktop.DBus.Error.NotSupported"], "\(run.account)")
    withExtendedLifetime(manager) {}
  }

  @Test("A6: who is logged in from afar is not at the seat, whatever else is said")
  func remote() throws {
    let logind = try PrivateLogind()
    try logind.addSession("c2", user: 1000, isActive: true)
    try logind.change(session: "c2", "Remote", to: true)
    try logind.place([41: .session("c2")])
    #expect(
      manager(logind).situation(of: 41) == SessionSituation(.remote, session: path("c2")))
  }

  @Test("a session without a seat, and no session, are told apart")
  func seatless() throws {
    let logind = try PrivateLogind()
    try logind.addSession("c3", user: 1000, isActive: true)
    try logind.takeSeat(ofSession: "c3")
    try logind.place([41: .session("c3")])
    #expect(
      manager(logind).situation(of: 41) == SessionSituation(.seatless, session: path("c3")))
    #expect(manager(logind).situation(of: 42) == SessionSituation(.none))
  }

  @Test("a program that the user's service manager started is in the session that this user sees")
  func managed() throws {
    let logind = try PrivateLogind()
    let manager = manager(logind)
    try logind.addSession("c4", user: 1000, isActive: true)
    try logind.place([41: .manager(1000)])
    #expect(manager.situation(of: 41) == SessionSituation(.none))
    try logind.setDisplay("c4", ofUser: 1000)
    #expect(
      manager.situation(of: 41) == SessionSituation(.seat(isActive: true), session: path("c4")))
  }

  @Test(
    "the lid is closed, or closed with a screen connected",
    arguments: [
      (true, false, LidState.closed), (true, true, .closedButDocked), (false, true, .open),
    ])
  func lid(isClosed: Bool, isDocked: Bool, expected: LidState) throws {
    let logind = try PrivateLogind()
    try logind.setLid(isClosed: isClosed, isDocked: isDocked)
    #expect(manager(logind).situation(of: 41).lid == expected)
  }

  @Test("the screens of a user are told from those of others, and from sessions without one")
  func screens() throws {
    let logind = try PrivateLogind()
    let manager = manager(logind)
    #expect(manager.screens(of: 1000) == UserScreens())
    try logind.addSession("c1", user: 1000, isActive: true)
    try logind.addSession("c2", user: 1001, isActive: false)
    #expect(manager.screens(of: 1000) == UserScreens(), "no screen")
    try logind.draw(session: "c1", by: "gnome")
    try logind.draw(session: "c2", by: "sway")
    var session = UserScreens.Session(name: path("c1"))
    (session.isActive, session.desktop) = (true, "gnome")
    var expected = UserScreens()
    expected.sessions = [session]
    #expect(manager.screens(of: 1000) == expected)
    try logind.change(session: "c1", "LockedHint", to: true)
    try logind.prepareForSleep(true)
    expected.sessions[0].isLocked = true
    expected.isGoingToSleep = true
    #expect(manager.screens(of: 1000) == expected)
    #expect(LoginManager(at: .at("unix:path=/nowhere/bus")).screens(of: 1000) == nil)
  }

  @Test("without a bus nobody knows, and a process that cannot be named is asked about nowhere")
  func absent() {
    let manager = LoginManager(at: .at("unix:path=/nowhere/bus"))
    guard case .unknown(let reason) = manager.situation(of: 41).place else {
      Issue.record("somebody knows")
      return
    }
    #expect(reason.contains("logind does not say"))
    guard case .unknown = manager.situation(of: 0).place else {
      Issue.record("a process of number 0 is this one, for logind")
      return
    }
  }

  @Test("a logind that hangs is waited for once, and asked again after a pause")
  func hanging() throws {
    let logind = try PrivateLogind()
    try logind.addSession("c1", user: 1000, isActive: true)
    try logind.place([41: .session("c1")])
    var timeouts = LoginManager.Timeouts()
    timeouts.answer = 200_000
    timeouts.pause = 60_000_000_000
    let manager = LoginManager(at: logind.address, timeouts: timeouts)
    logind.hang()
    defer { logind.goOn() }
    let first = manager.situation(of: 41)
    logind.goOn()
    // It would answer, but is not asked before the pause is over.
    #expect(manager.situation(of: 41) == first)
    guard case .unknown = first.place else {
      Issue.record("it hangs")
      return
    }
    timeouts.pause = 0
    let other = LoginManager(at: logind.address, timeouts: timeouts)
    #expect(other.situation(of: 41).place == .seat(isActive: true))
  }
}

@Suite("What changes at logind")
struct LoginChangesTests {
  /// Long enough that only a signal can be why it is called.
  private static let never: UInt64 = 3_600_000_000

  @Test(
    "whoever watches is called when a session changes, and the thread ends with the last one",
    .enabled(if: PrivateLogind.isInstalled))
  func signals() throws {
    let logind = try PrivateLogind()
    try logind.addSession("c1", user: 1000, isActive: true)
    let changes = LoginChanges(at: logind.address, intervalMicroseconds: Self.never)
    let calls = Guarded(0)
    let watch = changes.watch { _ in calls.update { $0 += 1 } }
    // The first call says that it watches.
    calls.wait { $0 >= 1 ? () : nil }
    try logind.change(session: "c1", "Active", to: false)
    calls.wait { $0 >= 2 ? () : nil }
    changes.end(watch)
    try logind.change(session: "c1", "Active", to: true)
    changes.waitUntilQuiet()
  }

  @Test("without a bus it calls at intervals, so that what is not known is noticed")
  func withoutBus() {
    let changes = LoginChanges(at: .at("unix:path=/nowhere/bus"), intervalMicroseconds: 1000)
    let calls = Guarded(0)
    let watch = changes.watch { _ in calls.update { $0 += 1 } }
    calls.wait { $0 >= 3 ? () : nil }
    changes.end(watch)
    changes.waitUntilQuiet()
    let again = changes.watch { _ in calls.update { $0 = -1 } }
    calls.wait { $0 == -1 ? () : nil }
    changes.end(again)
    changes.waitUntilQuiet()
  }
}
