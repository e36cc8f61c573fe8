import DBus
import Foundation

/// A session bus for one test. It starts a gnome-keyring with an open login keyring on demand; both,
/// and their folder, end with the value.
package final class PrivateKeyring {
  /// Where the bus listens.
  package let address: String
  private let folder: URL
  private let bus = Process()

  private static let programs = ["/usr/bin/dbus-daemon", "/usr/bin/gnome-keyring-daemon"]
  /// Whether the programs are there.
  package static let isInstalled = programs.allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private static let service = BusConnection.Object(
    service: "org.freedesktop.secrets", path: "/org/freedesktop/secrets")
  /// The login keyring's object.
  package static let loginCollection = "/org/freedesktop/secrets/collection/login"

  /// A keyring without items.
  package init() throws {
    // The path of a socket has little room (unix(7)).
    folder = URL(fileURLWithPath: NSTemporaryDirectory())
      .appendingPathComponent("keyring-\(UUID().uuidString.prefix(8))")
    address = "unix:path=\(folder.path)/bus"
    for name in ["home", "data", "run"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(name), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
    try write("password", "the keyring's password")
    try write("start", startScript)
    try write(
      "org.freedesktop.secrets.service",
      """
      [D-BUS Service]
      Name=org.freedesktop.secrets
      Exec=/bin/sh \(folder.path)/start
      """)
    try write("bus.conf", configuration)
    bus.executableURL = URL(fileURLWithPath: Self.programs[0])
    bus.arguments = [
      "--config-file=\(folder.path)/bus.conf", "--nofork", "--nosyslog", "--print-address=1",
    ]
    bus.environment = ["PATH": "/usr/bin:/bin"]
    let said = Pipe()
    bus.standardOutput = said
    bus.standardError = FileHandle.nullDevice
    try bus.run()
    // It says its address when it listens.
    _ = said.fileHandleForReading.availableData
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  /// Its number is kept: it must end with the test.
  private var startScript: String {
    """
    echo $$ > \(folder.path)/pid
    export HOME=\(folder.path)/home XDG_DATA_HOME=\(folder.path)/data
    export XDG_RUNTIME_DIR=\(folder.path)/run DBUS_SESSION_BUS_ADDRESS=\(address)
    exec \(Self.programs[1]) --foreground --unlock --components=secrets \\
      --control-directory=\(folder.path)/run < \(folder.path)/password > /dev/null 2>&1
    """
  }

  private var configuration: String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>\(address)</listen>
      <auth>EXTERNAL</auth>
      <servicedir>\(folder.path)</servicedir>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """
  }

  /// Puts items into the login keyring.
  package func store(
    _ items: [(label: String, attributes: [String: String], secret: [UInt8])]
  ) throws {
    let bus = try BusConnection(to: .at(address))
    let opening = try bus.makeCall(Self.service, "org.freedesktop.Secret.Service", "OpenSession")
    try opening.append("plain")
    try opening.append(.variant, of: "s") { () throws(BusError) in try opening.append("") }
    let opened = try bus.send(opening)
    try opened.skip("v")
    let session = try opened.readText(.objectPath)
    for item in items { try store(item.label, item.attributes, item.secret, session, bus) }
  }

  private func store(
    _ label: String, _ attributes: [String: String], _ secret: [UInt8], _ session: String,
    _ bus: BusConnection
  ) throws(BusError) {
    let call = try bus.makeCall(
      BusConnection.Object(service: Self.service.service, path: Self.loginCollection),
      "org.freedesktop.Secret.Collection", "CreateItem")
    func property(
      _ name: String, of type: String, _ value: () throws(BusError) -> Void
    ) throws(BusError) {
      try call.append(.dictionaryEntry, of: "sv") { () throws(BusError) in
        try call.append("org.freedesktop.Secret.Item.\(name)")
        try call.append(.variant, of: type, value)
      }
    }
    try call.append(.array, of: "{sv}") { () throws(BusError) in
      try property("Label", of: "s") { () throws(BusError) in try call.append(label) }
      try property("Attributes", of: "a{ss}") { () throws(BusError) in
        try call.append(.array, of: "{ss}") { () throws(BusError) in
          for (name, value) in attributes {
            try call.append(.dictionaryEntry, of: "ss") { () throws(BusError) in
              try call.append(name)
              try call.append(value)
            }
          }
        }
      }
    }
    let parameters: [UInt8] = []
    try call.append(.structure, of: "oayays") { () throws(BusError) in
      try call.append(session, .objectPath)
      try call.append(parameters.span)
      try call.append(secret.span)
      try call.append("text/plain")
    }
    try call.append(false)
    _ = try bus.send(call)
  }

  /// Locks the login keyring. Nobody can be asked for its password.
  package func lock() throws {
    let bus = try BusConnection(to: .at(address))
    let call = try bus.makeCall(Self.service, "org.freedesktop.Secret.Service", "Lock")
    try call.append(.array, of: "o") { () throws(BusError) in
      try call.append(Self.loginCollection, .objectPath)
    }
    _ = try bus.send(call)
  }

  deinit {
    if let text = try? String(contentsOf: folder.appendingPathComponent("pid"), encoding: .utf8),
      let number = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
    {
      kill(number, SIGKILL)
    }
    kill(bus.processIdentifier, SIGKILL)
    bus.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}
