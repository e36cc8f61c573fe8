package import Foundation
import Testing

/// A state folder with its core, which ends when the value does. The folder is there from the
/// beginning: commands ask before they make one.
package final class TestHome: CommandTarget, Sendable {
  package let folder: TemporaryFolder
  package let home: String

  /// `name` lets a test choose an unusual path below a temporary folder.
  package init(name: String = "state") throws {
    folder = try TemporaryFolder()
    home = folder.url.appendingPathComponent(name).path
    try FileManager.default.createDirectory(
      atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  package func authcore(
    _ arguments: [String], passcode: String?, newPasscode: String?, secret: String, input: Data?,
    json: Bool, environment: [String: String]
  ) throws -> CommandRun {
    var all = (json ? ["--json"] : []) + ["--home", home] + arguments
    if let passcode { all += ["--passcode-file", try folder.writeLine(passcode)] }
    if let newPasscode { all += ["--new-passcode-file", try folder.writeLine(newPasscode)] }
    return try run("authcore", all, input: input ?? Data(secret.utf8), environment: environment)
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

  /// The process id of the core, or nil if none runs.
  package var core: Int32? {
    processes.first { process in
      FileManager.default.contents(atPath: "/proc/\(process)/comm").map {
        String(decoding: $0, as: UTF8.self) == "authcored\n"
      } ?? false
    }
  }

  /// A client that was ended may have begun to start a core, which no command can end yet.
  deinit {
    _ = eventually {
      _ = try? run("authcore", ["--home", home, "quit"])
      return core == nil
    }
  }
}

extension TestHome {
  /// The passcode that ``setUp()`` sets.
  package static let passcode = "correct horse"

  /// A state folder with the passcode and a finger, whose core has ended; made once for all tests.
  private static let prepared = Result {
    let state = try TestHome()
    try state.succeed("passcode", "set", passcode: passcode)
    try state.enroll(Array(Prints.owner.get().prefix(5)))
    try state.succeed("quit")
    let copy = try TemporaryFolder.shared.get().makeFolder("prepared")
    try copyFiles(from: state.home, to: copy)
    return copy
  }

  /// Sets the passcode and enrolls the owner's finger from five touches; unlocked afterwards.
  package func setUp() throws {
    let prepared = try Self.prepared.get()
    if try FileManager.default.contentsOfDirectory(atPath: home).isEmpty {
      try Self.copyFiles(from: prepared, to: home)
      try succeed("unlock", passcode: Self.passcode)
    } else {
      try succeed("passcode", "set", passcode: Self.passcode)
      try enroll(Array(Prints.owner.get().prefix(5)))
    }
  }

  /// Copies the files of a core that has ended, without its socket.
  private static func copyFiles(from: String, to: String) throws {
    let files = FileManager.default
    for entry in try files.contentsOfDirectory(atPath: from) where entry != "core.sock" {
      try files.copyItem(atPath: from + "/" + entry, toPath: to + "/" + entry)
    }
  }

  /// A fresh state folder after ``setUp()``.
  package static func enrolled() throws -> TestHome {
    let state = try TestHome()
    try state.setUp()
    return state
  }

  /// A fresh state folder with the passcode alone.
  package static func withPasscode() throws -> TestHome {
    let state = try TestHome()
    try state.succeed("passcode", "set", passcode: passcode)
    return state
  }

  /// Enrolls a finger.
  package func enroll(_ touches: [URL], name: String = "right-index") throws {
    try succeed(
      "--driver", tape(touches), "finger", "enroll", "--name", name, "--yes",
      passcode: Self.passcode)
  }

  /// A tape of one fresh touch of the owner.
  package func ownerTouch(_ impression: Int = 6) throws -> String {
    try tape([Prints.owner.get()[impression]])
  }

  /// A tape of `count` touches of a stranger.
  package func strangerTouches(_ count: Int) throws -> String {
    try tape((0..<count).map { try Prints.stranger.get()[$0 % 8] })
  }

  /// Starts a core in the foreground that locks after so many seconds, with these options of env(1),
  /// and waits until it serves.
  package func serve(lockAfter seconds: Int, _ options: [String] = []) throws -> Process {
    let server = Process()
    server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    server.arguments =
      options + [
        Products.program("authcore"), "--home", home, "serve", "--lock-after", "\(seconds)",
      ]
    let log = Pipe()
    server.standardError = log
    try server.run()
    // The core says on standard error that it serves.
    var said = Data()
    while !String(decoding: said, as: UTF8.self).contains("serves") {
      let more = log.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the core ended: \(String(decoding: said, as: UTF8.self))")
      said += more
    }
    return server
  }
}
