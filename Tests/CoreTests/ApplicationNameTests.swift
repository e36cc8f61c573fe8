import Foundation
import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

@Suite("How applications are named")
struct ApplicationNameTests {
  /// Programs in a folder of their own; each is a copy of one that does nothing.
  private final class Programs {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("authcore-applications-\(UUID().uuidString)").path

    init() throws {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false)
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Puts a file of its own under a name, in the place of what is there.
    func replace(_ name: String) throws {
      try? FileManager.default.removeItem(atPath: path(name))
      try FileManager.default.createDirectory(
        atPath: (path(name) as NSString).deletingLastPathComponent,
        withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: path(name))
    }

    /// Runs a program while `body` looks at it.
    func run(_ name: String, _ body: (RunningExecutable) throws -> Void) throws {
      let child = try ProgramLaunch(path: path(name), arguments: ["600"]).start()
      defer {
        child.kill()
        _ = child.wait()
      }
      guard let process = RunningProcess(child.identifier),
        let executable = RunningExecutable(of: process)
      else {
        Issue.record("\(name) does not run")
        return
      }
      try body(executable)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
  }

  @Test("K2: the command beside the core has a name of its own, wherever it is installed")
  func command() throws {
    let programs = try Programs()
    for name in ["one/authcored", "one/authcore", "one/other", "two/authcore"] {
      try programs.replace(name)
    }
    try programs.run("one/authcored") { core in
      let names = ApplicationNames(beside: core)
      try programs.run("one/authcore") { command in
        #expect(names.application(running: command) == commandApplication)
        // While both run, another version of both is installed.
        try programs.replace("one/authcored")
        try programs.replace("one/authcore")
        #expect(names.application(running: command) == commandApplication)
        try programs.run("one/authcore") { updated in
          #expect(names.application(running: updated) == commandApplication)
        }
      }
      for name in ["one/other", "two/authcore", "one/authcored"] {
        try programs.run(name) { #expect(names.application(running: $0) == programs.path(name)) }
      }
    }
  }

  @Test("K2: a command that is a link beside the core is the file it leads to, and no copy of it")
  func linkedCommand() throws {
    let programs = try Programs()
    for name in ["bin/authcored", "libexec/command", "libexec/copy"] { try programs.replace(name) }
    try FileManager.default.createSymbolicLink(
      atPath: programs.path("bin/authcore"), withDestinationPath: "../libexec/command")
    try programs.run("bin/authcored") { core in
      let names = ApplicationNames(beside: core)
      try programs.run("bin/authcore") {
        #expect(names.application(running: $0) == commandApplication)
      }
      try programs.run("libexec/copy") {
        #expect(names.application(running: $0) == programs.path("libexec/copy"))
      }
    }
  }

  @Test("K2: a program that was removed while it runs is the same application")
  func removed() throws {
    let programs = try Programs()
    try programs.replace("one")
    let names = ApplicationNames(beside: nil)
    try programs.run("one") { program in
      #expect(names.application(running: program) == programs.path("one"))
      try FileManager.default.removeItem(atPath: programs.path("one"))
      #expect(names.application(running: program) == programs.path("one"))
    }
  }

  @Test("K2: no two paths are one application, however long and of whatever bytes")
  func paths() {
    func name(_ path: String) -> String { ApplicationNames.name(ofPath: Array(path.utf8)) }
    #expect(name("/usr/bin/mail") == "/usr/bin/mail")
    let folder = "/" + String(repeating: "d", count: longestApplication - 2) + "/"
    let longest = String(folder.dropLast())
    #expect(name(longest) == longest)
    // With a last character of several bytes, cut in the middle of one, and with what is no text.
    let tails = ["a", "b", "ä", "ab", String(repeating: "€", count: 200)]
    var names = tails.map { name(folder + $0) }
    names += [[0xFF], [0xFE], [0xEF, 0xBF, 0xBD]].map {
      ApplicationNames.name(ofPath: Array("/usr/bin/".utf8) + $0)
    }
    // By bytes: Swift takes texts for equal that Unicode does.
    names += ["/usr/bin/\u{E9}", "/usr/bin/e\u{301}"].map(name)
    #expect(Set(names.map { Array($0.utf8) }).count == names.count)
    for name in names { #expect(name.utf8.count <= longestApplication, "\(name)") }
    // Nobody else is called so: no canonical path begins with two slashes.
    #expect(names[0].hasPrefix("//") && names[0].hasSuffix("/a"))
    #expect(names[0].utf8.count == 2 + 64 + 2)
  }
}
