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
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
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

@Suite("Whose code a process runs")
struct CodeInspectorTests {
  /// Runs `/bin/cat` until it has answered, so that what it loads is loaded, and looks at it.
  private func isForeign(_ environment: [String]) throws -> Bool {
    let input = try LinuxSystem.Pipe(nonBlocking: .both)
    let output = try LinuxSystem.Pipe(nonBlocking: .writer)
    _ = fcntl(input.reader, F_SETFL, 0)
    var launch = ProgramLaunch(path: "/bin/cat", arguments: [])
    launch.environment = environment
    launch.standardStreams = [input.reader, output.writer, nil]
    let child = try launch.start()
    defer {
      child.kill()
      _ = child.wait()
    }
    var byte: UInt8 = 10
    #expect(unsafe write(input.writer, &byte, 1) == 1)
    #expect(unsafe read(output.reader, &byte, 1) == 1)
    let code = LoadedCode(of: child.identifier)
    return CodeInspector.isForeign(try #require(code))
  }

  /// A library of the system's that the caller has a copy of.
  private func library(_ name: String, in folder: URL) throws -> String {
    let maps = try #require(FileHandle(forReadingAtPath: "/proc/self/maps")).readDataToEndOfFile()
    let libraries = String(decoding: maps, as: UTF8.self).split(separator: "\n")
      .compactMap { $0.split(separator: " ").last.map(String.init) }
    let system = try #require(libraries.first { $0.hasSuffix("/" + name) })
    let copy = folder.appendingPathComponent(name).path
    try FileManager.default.copyItem(atPath: system, toPath: copy)
    return copy
  }

  @Test("FINDINGS A12: code that its caller preloads is seen in the owning program")
  func preloaded() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let own = try library("libm.so.6", in: folder)
    #expect(try !isForeign([]))
    #expect(try !isForeign(["LD_LIBRARY_PATH=/usr/lib", "PATH=\(folder.path)"]))
    #expect(try isForeign(["LD_PRELOAD=\(own)"]))
    _ = try library("libc.so.6", in: folder)
    #expect(try isForeign(["LD_LIBRARY_PATH=/usr/bin:\(folder.path)"]))
  }

  @Test(
    "FINDINGS A12: a file of the caller's that is mapped to run is seen; so is one put in place of root's"
  )
  func mapped() throws {
    var status = stat()
    try #require(unsafe stat("/usr/bin/env", &status) == 0)
    func isRoots(_ path: String, inode: UInt64 = UInt64(status.st_ino), isGone: Bool = false)
      -> Bool
    {
      let device = UInt64(status.st_dev)
      let (major, minor) = (device >> 8 & 0xfff, device & 0xff | device >> 12 & 0xfff00)
      let line =
        "1-2 r-xp 0 \(String(major, radix: 16)):\(String(minor, radix: 16)) \(inode) \(path)"
      let code = LoadedCode(maps: Array((line + (isGone ? " (deleted)" : "")).utf8))
      #expect(code.mapped.count == 1)
      return !CodeInspector.isForeign(code)
    }
    #expect(isRoots("/usr/bin/env"))
    #expect(!isRoots("/usr/bin/env", inode: 7))
    #expect(!isRoots("/usr/bin/not-there"))
    #expect(isRoots("/usr/bin/not-there", isGone: true))
    #expect(!isRoots("/tmp/not-there", isGone: true))
  }

  @Test(
    "FINDINGS A12: a process that cannot be looked at in time counts as one with foreign code, and its user waits"
  )
  func slow() {
    let inspector = CodeInspector(limit: 1_000_000)
    let (looks, mayEnd) = (Guarded<[Int32]>([]), Guarded(false))
    let look: @Sendable (Int32) -> LoadedCode? = { process in
      looks.update { $0.append(process) }
      return mayEnd.wait { $0 ? LoadedCode(maps: []) : nil }
    }
    #expect(inspector.isForeign(in: 1, of: 1000, look: look))
    #expect(inspector.isForeign(in: 2, of: 1000, look: look))
    // Another user's is looked at meanwhile.
    _ = inspector.isForeign(in: 3, of: 1001, look: look)
    let seen = looks.wait { $0.contains(3) && $0.contains(1) ? $0 : nil }
    #expect(seen.sorted() == [1, 3])
    mayEnd.update { $0 = true }
  }

  @Test("what nobody may look at counts as foreign")
  func unseen() {
    let inspector = CodeInspector(limit: 60_000_000_000)
    #expect(inspector.isForeign(in: 1, of: 1000) { _ in nil })
    #expect(!inspector.isForeign(in: 1, of: 1000) { _ in LoadedCode(maps: []) })
  }
}
