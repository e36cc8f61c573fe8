package import Foundation

/// A state folder with its core, which ends when the value does. The folder is there from the
/// beginning: commands ask before they make one.
package final class TestHome: Sendable {
  package let folder: TemporaryFolder
  package let home: String

  /// `name` lets a test choose an unusual path below a temporary folder.
  package init(name: String = "state") throws {
    folder = try TemporaryFolder()
    home = folder.url.appendingPathComponent(name).path
    try FileManager.default.createDirectory(
      atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Runs `authcore --json --home HOME arguments…`.
  package func authcore(
    _ arguments: String..., passcode: String? = nil, newPasscode: String? = nil,
    secret: String = "",
    json: Bool = true, environment: [String: String] = [:]
  ) throws -> CommandRun {
    var all = (json ? ["--json"] : []) + ["--home", home] + arguments
    if let passcode { all += ["--passcode-file", try file(passcode)] }
    if let newPasscode { all += ["--new-passcode-file", try file(newPasscode)] }
    return try run("authcore", all, input: Data(secret.utf8), environment: environment)
  }

  /// A passcode in a file of its own, with the newline an editor leaves.
  private func file(_ passcode: String) throws -> String {
    try folder.write("passcode-\(UUID().uuidString)", Data("\(passcode)\n".utf8)).path
  }

  /// A tape of these lines behind the header, as `--driver` takes it.
  package func tape(_ lines: [String]) throws -> String {
    let text = (["authcore-tape 1", "ppi 500"] + lines).joined(separator: "\n") + "\n"
    let file = try folder.write("tape-\(UUID().uuidString).tape", Data(text.utf8))
    return "replay:tape=\(file.path)"
  }

  /// A tape of touches.
  package func tape(_ touches: [URL]) throws -> String {
    try tape(touches.map { "touch \($0.path)" })
  }

  /// The processes of this folder's core: the core and its hosts.
  package var processes: [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap(Int32.init).filter { process in
      guard let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else {
        return false
      }
      return String(decoding: line, as: UTF8.self).contains(home)
    }
  }

  /// The process id of the core, or nil where none runs.
  package var core: Int32? {
    processes.first { process in
      FileManager.default.contents(atPath: "/proc/\(process)/comm").map {
        String(decoding: $0, as: UTF8.self) == "authcored\n"
      } ?? false
    }
  }

  deinit { _ = try? run("authcore", ["--home", home, "quit"]) }
}
