import LinuxSystem
import Synchronization

/// Asks logind (org.freedesktop.login1(5)) about the sessions of processes. Any thread; one
/// question at a time.
///
/// If logind or the bus does not answer, the result is unknown for a while without asking again, so
/// that requests do not queue up.
package final class LoginManager: Sendable {
  /// Tests wait shorter.
  package struct Timeouts: Sendable {
    /// Microseconds for one answer.
    package var answer: UInt64 = 2_000_000
    /// Nanoseconds without questions after it did not answer.
    package var pause: UInt64 = 5_000_000_000

    package init() {}
  }

  private struct State {
    /// Why it is not asked, and until when by ``LinuxSystem/Deadline/now``.
    var pause: (reason: String, until: UInt64)?
  }

  private let address: BusConnection.Address
  private let timeouts: Timeouts
  private let state = Mutex(State())

  private static let name = "org.freedesktop.login1"
  private static let managerInterface = "org.freedesktop.login1.Manager"
  private static let manager = BusConnection.Object(service: name, path: "/org/freedesktop/login1")
  private static let nothing = "/"

  /// - Parameters:
  ///   - address: of the bus.
  ///   - timeouts: for tests.
  package init(at address: BusConnection.Address = .system, timeouts: Timeouts = Timeouts()) {
    (self.address, self.timeouts) = (address, timeouts)
  }

  /// Where the person sits that a process would ask.
  /// - Parameter process: its id in this process's namespace.
  /// - Returns: logind's answer, perhaps that it is unknown.
  package func situation(of process: Int32) -> SessionSituation {
    guard process > 0, let number = UInt32(exactly: process) else {
      return SessionSituation(.unknown("the process cannot be seen from here"))
    }
    return state.withLock { state in
      if let pause = state.pause, Deadline.now < pause.until {
        return SessionSituation(.unknown(pause.reason))
      }
      do throws(BusError) {
        let found = try ask(about: number)
        state.pause = nil
        return found
      } catch {
        let reason = "logind does not say: \(error.reason)"
        state.pause = (reason, Deadline.now + timeouts.pause)
        return SessionSituation(.unknown(reason))
      }
    }
  }

  /// What a user sees on screens of this machine; nil if unknown.
  package func screens(of user: UInt32) -> UserScreens? {
    do throws(BusError) {
      return try Self.screens(of: user, try connect())
    } catch {
      return nil
    }
  }

  private func ask(about process: UInt32) throws(BusError) -> SessionSituation {
    try Self.situation(of: process, try connect())
  }

  /// A connection for one question. Anybody may send messages to a connection that is kept, and
  /// they would pile up in this process.
  private func connect() throws(BusError) -> BusConnection {
    let bus = try BusConnection(to: address, timeout: timeouts.answer)
    try bus.awaitReadiness()
    return bus
  }

  // MARK: Questions

  private static func situation(
    of process: UInt32, _ bus: BusConnection
  ) throws(BusError) -> SessionSituation {
    let session = try session(of: process, bus)
    let place: SessionPlace = if let session { try self.place(of: session, bus) } else { .none }
    return SessionSituation(place, lid: try lid(bus), session: session)
  }

  /// The session of a process. If a user's service manager started it, as most desktops do, the
  /// session that this user sees.
  private static func session(
    of process: UInt32, _ bus: BusConnection
  ) throws(BusError) -> String? {
    if let session = try path("GetSessionByPID", "NoSessionForPID", process, bus) { return session }
    guard let user = try path("GetUserByPID", "NoUserForPID", process, bus) else { return nil }
    var display: String?
    try bus.readProperties(
      of: BusConnection.Object(service: name, path: user), "org.freedesktop.login1.User"
    ) { (name, message) throws(BusError) in
      guard name == "Display" else { return false }
      display = try readNamed(message).path
      return true
    }
    return display == nothing ? nil : display
  }

  private static func path(
    _ member: String, _ absence: String, _ process: UInt32, _ bus: BusConnection
  ) throws(BusError) -> String? {
    let call = try bus.makeCall(manager, managerInterface, member)
    try call.append(process)
    do throws(BusError) {
      return try bus.send(call).readText(.objectPath)
    } catch .refused("org.freedesktop.login1.\(absence)") {
      return nil
    }
  }

  private static func place(
    of session: String, _ bus: BusConnection
  ) throws(BusError) -> SessionPlace {
    var facts: (isActive: Bool?, isRemote: Bool?, seat: String?) = (nil, nil, nil)
    try bus.readProperties(
      of: BusConnection.Object(service: name, path: session), "org.freedesktop.login1.Session"
    ) { (name, message) throws(BusError) in
      switch name {
      case "Active": facts.isActive = try readFlag(message)
      case "Remote": facts.isRemote = try readFlag(message)
      case "Seat": facts.seat = try readNamed(message).name
      default: return false
      }
      return true
    }
    guard let isActive = facts.isActive, let isRemote = facts.isRemote, let seat = facts.seat else {
      throw .unreadable
    }
    if isRemote { return .remote }
    return seat.isEmpty ? .seatless : .seat(isActive: isActive)
  }

  private static func screens(
    of user: UInt32, _ bus: BusConnection
  ) throws(BusError) -> UserScreens {
    var screens = UserScreens()
    try bus.readProperties(of: manager, managerInterface) { (name, message) throws(BusError) in
      guard name == "PreparingForSleep" else { return false }
      screens.isGoingToSleep = try readFlag(message)
      return true
    }
    for path in try sessions(of: user, bus) {
      if let session = try screen(of: path, bus) { screens.sessions.append(session) }
    }
    return screens
  }

  private static func sessions(
    of user: UInt32, _ bus: BusConnection
  ) throws(BusError) -> [String] {
    let reply = try bus.send(try bus.makeCall(manager, managerInterface, "ListSessions"))
    var paths: [String] = []
    try reply.readEach(.structure, of: "susso") { () throws(BusError) in
      try reply.skip("s")
      let owner = try reply.readNumber()
      try reply.skip("ss")
      let path = try reply.readText(.objectPath)
      if owner == user { paths.append(path) }
    }
    return paths
  }

  /// A session with a screen; nil for any other, and if it has ended.
  private static func screen(
    of path: String, _ bus: BusConnection
  ) throws(BusError) -> UserScreens.Session? {
    var session = UserScreens.Session(name: path)
    var (type, kind) = ("", "")
    do throws(BusError) {
      try bus.readProperties(
        of: BusConnection.Object(service: name, path: path), "org.freedesktop.login1.Session"
      ) { (name, message) throws(BusError) in
        switch name {
        case "Active": session.isActive = try readFlag(message)
        case "LockedHint": session.isLocked = try readFlag(message)
        case "Type": type = try readText(message)
        case "Class": kind = try readText(message)
        case "Desktop": session.desktop = try readText(message)
        default: return false
        }
        return true
      }
    } catch .refused {
      return nil
    }
    return kind == "user" && ["wayland", "x11", "mir"].contains(type) ? session : nil
  }

  private static func lid(_ bus: BusConnection) throws(BusError) -> LidState {
    var (isClosed, isDocked) = (false, false)
    try bus.readProperties(of: manager, managerInterface) { (name, message) throws(BusError) in
      switch name {
      case "LidClosed": isClosed = try readFlag(message)
      case "Docked": isDocked = try readFlag(message)
      default: return false
      }
      return true
    }
    guard isClosed else { return .open }
    return isDocked ? .closedButDocked : .closed
  }

  // MARK: Values

  private static func readFlag(_ message: borrowing BusMessage) throws(BusError) -> Bool {
    try readVariant(of: "b", message) { () throws(BusError) in try message.readFlag() }
  }

  private static func readText(_ message: borrowing BusMessage) throws(BusError) -> String {
    try readVariant(of: "s", message) { () throws(BusError) in try message.readText() }
  }

  /// A name and the path of its object.
  private static func readNamed(
    _ message: borrowing BusMessage
  ) throws(BusError) -> (name: String, path: String) {
    let named = try readVariant(of: "(so)", message) { () throws(BusError) in
      try message.read(.structure, of: "so") { () throws(BusError) in
        let name = try message.readText()
        return (name, try message.readText(.objectPath))
      }
    }
    guard let named else { throw .unreadable }
    return named
  }

  private static func readVariant<Value>(
    of type: String, _ message: borrowing BusMessage, _ body: () throws(BusError) -> Value
  ) throws(BusError) -> Value {
    guard let value = try message.read(.variant, of: type, body) else { throw .unreadable }
    return value
  }
}
