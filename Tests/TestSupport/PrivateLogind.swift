package import DBus
import Foundation

/// A system bus of a test's own with a logind made of python-dbusmock; both end with the value, and
/// their folder is gone.
package final class PrivateLogind {
  /// Where the bus listens.
  package let address: BusConnection.Address
  private let folder: URL
  private let bus = Process()
  private let mock = Process()
  private let control: BusConnection

  private static let python = "/usr/bin/python3"
  /// Whether the programs are there.
  package static let isInstalled =
    FileManager.default.isExecutableFile(
      atPath: "/usr/bin/dbus-daemon")
    && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/dbusmock")

  private static let name = "org.freedesktop.login1"
  private static let manager = BusConnection.Object(
    service: name, path: "/org/freedesktop/login1")
  private static let mockInterface = "org.freedesktop.DBus.Mock"

  private struct NothingAnswers: Error {}

  /// One without sessions, whose lid is open.
  package init() throws {
    // The path of a socket has little room (unix(7)).
    folder = URL(fileURLWithPath: NSTemporaryDirectory())
      .appendingPathComponent("logind-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = "unix:path=\(folder.path)/bus"
    address = .at(text)
    try Data(Self.configuration(text).utf8).write(to: folder.appendingPathComponent("bus.conf"))
    bus.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
    bus.arguments = [
      "--config-file=\(folder.path)/bus.conf", "--nofork", "--nosyslog", "--print-address=1",
    ]
    bus.environment = ["PATH": "/usr/bin:/bin"]
    try Self.start(bus)
    mock.executableURL = URL(fileURLWithPath: Self.python)
    mock.arguments = ["-c", Self.script]
    mock.environment = ["PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": text]
    try Self.start(mock)
    control = try BusConnection(to: address)
    try place([:])
  }

  /// Starts a process that says a line when it is ready.
  private static func start(_ process: Process) throws {
    let said = Pipe()
    process.standardOutput = said
    process.standardError = FileHandle.nullDevice
    try process.run()
    guard !said.fileHandleForReading.availableData.isEmpty else { throw NothingAnswers() }
  }

  /// The template of dbusmock, which says when its name is taken.
  private static let script = """
    import dbus, dbus.mainloop.glib, dbus.service, dbusmock
    from gi.repository import GLib
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SystemBus()
    name = dbus.service.BusName("org.freedesktop.login1", bus, allow_replacement=True, replace_existing=True)
    mock = dbusmock.DBusMockObject(name, "/org/freedesktop/login1", "org.freedesktop.login1.Manager", {})
    mock.AddTemplate("logind", dbus.Dictionary({}, signature="sv"))
    mock.AddProperty("org.freedesktop.login1.Manager", "LidClosed", False)
    mock.AddProperty("org.freedesktop.login1.Manager", "Docked", False)
    print("ready", flush=True)
    GLib.MainLoop().run()
    """

  private static func configuration(_ address: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>system</type>
      <listen>\(address)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow user="*"/>
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """
  }

  // MARK: Sessions

  /// Where processes belong.
  package enum Place {
    case session(String)
    /// Of this user's service manager.
    case manager(UInt32)
  }

  /// Says to which session or user processes belong; all others belong to none.
  package func place(_ places: [Int32: Place]) throws {
    let sessions = places.compactMap { process, place -> String? in
      guard case .session(let name) = place else { return nil }
      return "\(process): '/org/freedesktop/login1/session/\(name)'"
    }
    let users = places.compactMap { process, place -> String? in
      guard case .manager(let user) = place else { return nil }
      return "\(process): '/org/freedesktop/login1/user/\(user)'"
    }
    try answer("GetSessionByPID", from: sessions, absence: "NoSessionForPID")
    try answer("GetUserByPID", from: users, absence: "NoUserForPID")
  }

  private func answer(_ method: String, from table: [String], absence: String) throws {
    try call("AddMethod") { (call) throws(BusError) in
      for text in [
        "org.freedesktop.login1.Manager", method, "u", "o",
        """
        ret = {\(table.joined(separator: ", "))}.get(int(args[0]))
        if ret is None:
            raise dbus.exceptions.DBusException("none", name="org.freedesktop.login1.\(absence)")
        """,
      ] { try call.append(text) }
    }
  }

  /// Makes a session at `seat0`.
  package func addSession(_ name: String, user: UInt32, isActive: Bool) throws {
    try call("AddSession") { (call) throws(BusError) in
      try call.append(name)
      try call.append("seat0")
      try call.append(user)
      try call.append("someone")
      try call.append(isActive)
    }
  }

  /// Says something else of a session, and signals it.
  package func change(session: String, _ property: String, to flag: Bool) throws {
    try update(
      BusConnection.Object(
        service: Self.name, path: "/org/freedesktop/login1/session/\(session)"),
      "org.freedesktop.login1.Session", [(property, flag)])
  }

  /// Makes a session one with a screen, which this desktop draws.
  package func draw(session: String, by desktop: String) throws {
    let object = BusConnection.Object(
      service: Self.name, path: "/org/freedesktop/login1/session/\(session)")
    try call("UpdateProperties", of: object) { (call) throws(BusError) in
      try call.append("org.freedesktop.login1.Session")
      try call.append(.array, of: "{sv}") { () throws(BusError) in
        try call.append(.dictionaryEntry, of: "sv") { () throws(BusError) in
          try call.append("Type")
          try call.append(.variant, of: "s") { () throws(BusError) in try call.append("wayland") }
        }
      }
    }
    try call("AddProperty", of: object) { (call) throws(BusError) in
      try call.append("org.freedesktop.login1.Session")
      try call.append("Desktop")
      try call.append(.variant, of: "s") { () throws(BusError) in try call.append(desktop) }
    }
  }

  /// The machine is about to be suspended, or no more.
  package func prepareForSleep(_ isPreparing: Bool) throws {
    try update(
      Self.manager, "org.freedesktop.login1.Manager", [("PreparingForSleep", isPreparing)])
  }

  /// Takes a session its seat.
  package func takeSeat(ofSession session: String) throws {
    try set("Seat", ("", "/"), of: "session/\(session)", "org.freedesktop.login1.Session")
  }

  /// Says which session a user sees.
  package func setDisplay(_ session: String, ofUser user: UInt32) throws {
    try set(
      "Display", (session, "/org/freedesktop/login1/session/\(session)"), of: "user/\(user)",
      "org.freedesktop.login1.User")
  }

  private func set(
    _ property: String, _ value: (name: String, path: String), of object: String,
    _ interface: String
  ) throws {
    let call = try control.makeCall(
      BusConnection.Object(service: Self.name, path: "/org/freedesktop/login1/\(object)"),
      "org.freedesktop.DBus.Properties", "Set")
    try call.append(interface)
    try call.append(property)
    try call.append(.variant, of: "(so)") { () throws(BusError) in
      try call.append(.structure, of: "so") { () throws(BusError) in
        try call.append(value.name)
        try call.append(value.path, .objectPath)
      }
    }
    _ = try control.send(call)
  }

  /// Closes or opens the lid.
  package func setLid(isClosed: Bool, isDocked: Bool) throws {
    try update(
      Self.manager, "org.freedesktop.login1.Manager",
      [("LidClosed", isClosed), ("Docked", isDocked)])
  }

  private func update(
    _ object: BusConnection.Object, _ interface: String, _ flags: [(String, Bool)]
  ) throws {
    try call("UpdateProperties", of: object) { (call) throws(BusError) in
      try call.append(interface)
      try call.append(.array, of: "{sv}") { () throws(BusError) in
        for (name, flag) in flags {
          try call.append(.dictionaryEntry, of: "sv") { () throws(BusError) in
            try call.append(name)
            try call.append(.variant, of: "b") { () throws(BusError) in try call.append(flag) }
          }
        }
      }
    }
  }

  private func call(
    _ member: String, of object: BusConnection.Object = manager,
    _ body: (borrowing BusMessage) throws(BusError) -> Void
  ) throws {
    let call = try control.makeCall(object, Self.mockInterface, member)
    try body(call)
    _ = try control.send(call)
  }

  /// Stops answering, without leaving the bus.
  package func hang() { kill(mock.processIdentifier, SIGSTOP) }

  /// Answers again.
  package func goOn() { kill(mock.processIdentifier, SIGCONT) }

  deinit {
    for process in [mock, bus] {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: folder)
  }
}
