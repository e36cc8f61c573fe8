import LinuxSystem
import Synchronization

/// Asks logind (org.freedesktop.login1(5)) about the sessions of processes. Any thread; one asks at a
/// time.
///
/// A logind or a bus that does not answer is waited for once, then said to be unknown for a while:
/// it holds up no queue of people who want something.
package final class LoginManager: Sendable {
  /// How it is asked; tests wait shorter.
  package struct Patience: Sendable {
    /// For one answer, in microseconds.
    package var answer: UInt64 = 2_000_000
    /// How long it is left alone after it did not answer, in nanoseconds.
    package var pause: UInt64 = 5_000_000_000

    package init() {}
  }

  private struct State {
    /// Why it is not asked until then; nanoseconds of ``LinuxSystem/Deadline/now``.
    var pause: (reason: String, until: UInt64)?
  }

  private let address: BusConnection.Address
  private let patience: Patience
  private let state = Mutex(State())

  private static let name = "org.freedesktop.login1"
  private static let managerInterface = "org.freedesktop.login1.Manager"
  private static let manager = BusConnection.Object(service: name, path: "/org/freedesktop/login1")
  /// The path that stands for no object.
  private static let nothing = "/"

  /// Asks nobody yet.
  /// - Parameters:
  ///   - address: of the bus, which the environment has no say in.
  ///   - patience: how long it may take.
  package init(at address: BusConnection.Address = .system, patience: Patience = Patience()) {
    (self.address, self.patience) = (address, patience)
  }

  /// Where the person sits whom a process would ask.
  /// - Parameter process: its number, in this process's namespace.
  /// - Returns: what logind says of it, be it that nobody knows.
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
        state.pause = (reason, Deadline.now + patience.pause)
        return SessionSituation(.unknown(reason))
      }
    }
  }

  /// By a connection of its own: what others send to one that is kept, and anybody may, would lie in
  /// this process until somebody reads it.
  private func ask(about process: UInt32) throws(BusError) -> SessionSituation {
    let bus = try BusConnection(to: address, patience: patience.answer)
    try bus.awaitReadiness()
    return try Self.situation(of: process, bus)
  }

  // MARK: Questions

  private static func situation(
    of process: UInt32, _ bus: BusConnection
  ) throws(BusError) -> SessionSituation {
    let session = try session(of: process, bus)
    let place: SessionPlace = if let session { try self.place(of: session, bus) } else { .none }
    return SessionSituation(place, lid: try lid(bus), session: session)
  }

  /// The session of a process; of one that a user's service manager started, as desktops have it for
  /// most, the session that this user sees.
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
    guard
      let flag = try message.read(
        .variant, of: "b", { () throws(BusError) in try message.readFlag() })
    else { throw .unreadable }
    return flag
  }

  /// A name and the path of its object.
  private static func readNamed(
    _ message: borrowing BusMessage
  ) throws(BusError) -> (name: String, path: String) {
    let named = try message.read(.variant, of: "(so)") { () throws(BusError) in
      try message.read(.structure, of: "so") { () throws(BusError) in
        let name = try message.readText()
        return (name, try message.readText(.objectPath))
      }
    }
    guard let named, let named else { throw .unreadable }
    return named
  }
}
