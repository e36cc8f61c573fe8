import Foundation

/// A desk for one test: an X server without a screen, a session bus and the accessibility
/// bus (Tests/Windows/desk.py). A program on it is driven as a screen reader and a keyboard do.
///
/// Everything on it ends with the value. One thread.
package final class Desk {
  /// What a screen reader knows of a widget.
  package struct Widget: Equatable {
    package let name: String
    package let description: String
    /// Of widgets that have one.
    package let text: String?
    package let isEnabled: Bool
    package let hasFocus: Bool
    /// Pixels from the corner of its window.
    package let right: Double
    package let bottom: Double
  }

  /// What could not be done, with all that is shown.
  package struct Trouble: Error, CustomStringConvertible {
    package let description: String
  }

  /// Whether this machine has what a desk takes.
  package static let isInstalled: Bool = {
    let programs = ["Xvfb", "dbus-daemon", "python3"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", "import gi; gi.require_version('Atspi', '2.0')"]
    process.standardError = FileHandle.nullDevice
    guard programs, (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  private let process = Process()
  private let requests = Pipe()
  private let answers = Pipe()
  private var pending = Data()

  /// Returns when it stands, with a screen of so many pixels, and so many of them to the inch.
  package init(width: Int = 900, height: Int = 760, dotsPerInch: Int = 96) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [Products.sources.appendingPathComponent("Tests/Windows/desk.py").path]
    process.environment = [
      "PATH": "/usr/bin:/bin", "HOME": try TemporaryFolder.shared.get().path,
      "TMPDIR": NSTemporaryDirectory(),
      "LANG": "C.UTF-8", "DESK_SIZE": "\(width)x\(height)",
      "DESK_DPI": "\(dotsPerInch)",
    ]
    process.standardInput = requests
    process.standardOutput = answers
    process.standardError = FileHandle.nullDevice
    try process.run()
    _ = try answer()
  }

  deinit {
    try? requests.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Starts a program of this build; the widgets looked for from here on are its own.
  package func start(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws {
    _ = try request(
      "start",
      [
        "program": Products.program(program), "arguments": arguments, "environment": environment,
      ])
  }

  /// The names that the session bus may start, but its own.
  package func startable() throws -> [String] {
    let names = try request("startable", [:])?.array?.compactMap(\.string) ?? []
    return names.filter { $0 != "org.freedesktop.DBus" }
  }

  /// Waits until a process holds a lock on this file.
  package func waitForLock(on path: String) throws { _ = try request("locked", ["path": path]) }

  /// Waits for a widget.
  @discardableResult
  package func find(_ role: String? = nil, _ name: String? = nil) throws -> Widget {
    let found = try request("find", Self.place(role, name))
    return Widget(
      name: found?["name"]?.string ?? "", description: found?["description"]?.string ?? "",
      text: found?["text"]?.string, isEnabled: found?["enabled"]?.bool ?? false,
      hasFocus: found?["focused"]?.bool ?? false, right: found?["right"]?.number ?? .infinity,
      bottom: found?["bottom"]?.number ?? .infinity)
  }

  /// Waits until there is no such widget.
  package func waitUntilGone(_ role: String? = nil, _ name: String? = nil) throws {
    _ = try request("gone", Self.place(role, name))
  }

  /// Waits for a widget, and then until it has another name, were it for a moment.
  package func see(_ role: String, _ name: String, become next: String) throws {
    _ = try request("becomes", Self.place(role, name).merging(["to": next]) { $1 })
  }

  /// Presses it as a screen reader does.
  package func press(_ name: String, role: String = "push button") throws {
    _ = try request("press", Self.place(role, name))
  }

  /// Has the keys go to it.
  package func focus(_ role: String? = nil, _ name: String? = nil) throws {
    _ = try request("focus", Self.place(role, name))
  }

  /// Replaces a text that is no secret.
  package func write(_ text: String, into name: String, role: String? = nil) throws {
    _ = try request("write", Self.place(role, name).merging(["text": text]) { $1 })
  }

  /// Types on the keyboard, letter by letter.
  package func type(_ text: String) throws { _ = try request("type", ["text": text]) }

  /// Presses a key of XStringToKeysym(3), with another one held.
  package func key(_ name: String, held: String? = nil) throws {
    _ = try request("key", ["name": name].merging(held.map { ["held": $0] } ?? [:]) { $1 })
  }

  /// All that is shown, for a person.
  package func tree() throws -> String { try request("tree", [:])?.string ?? "" }

  /// Writes the screen into a PNG file.
  package func picture(_ file: String) throws { _ = try request("picture", ["file": file]) }

  /// Ends the program that was started first, which hears nothing of it (SIGKILL).
  package func kill() throws { _ = try request("kill", [:]) }

  /// Waits for the program's end.
  /// - Returns: its exit status and all that it wrote.
  package func end() throws -> (status: Int32, output: String) {
    let end = try request("wait", [:])
    return (Int32(end?["status"]?.number ?? -1), end?["output"]?.string ?? "")
  }

  private static func place(_ role: String?, _ name: String?) -> [String: Any] {
    var place: [String: Any] = [:]
    place["role"] = role
    place["name"] = name
    return place
  }

  private func request(_ action: String, _ details: [String: Any]) throws -> ParsedJSON? {
    let object = details.merging(["do": action]) { $1 }
    let line = try JSONSerialization.data(withJSONObject: object) + Data("\n".utf8)
    try requests.fileHandleForWriting.write(contentsOf: line)
    return try answer()
  }

  private func answer() throws -> ParsedJSON? {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Data(pending[..<end])
        pending = Data(pending[(end + 1)...])
        let answer = try JSONDecoder().decode(ParsedJSON.self, from: line)
        if let trouble = answer["error"]?.string { throw Trouble(description: trouble) }
        return answer["ok"]
      }
      let more = answers.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Trouble(description: "the desk is gone") }
      pending += more
    }
  }
}
