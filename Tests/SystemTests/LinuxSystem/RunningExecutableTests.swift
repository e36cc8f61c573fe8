import Foundation
import Glibc
import LinuxSystem
import Testing

@Suite("What a process runs")
struct RunningExecutableTests {
  /// A program that does nothing for as long as a test takes.
  private static let idle = "/bin/sleep"
  private let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    .appendingPathComponent("authcore-executable-\(UUID().uuidString)").path

  /// Copies the program to a name of a folder of this test's own, and runs what lies at `path`
  /// while `body` looks.
  private func running(
    _ name: String, at path: String? = nil, _ body: (borrowing RunningProcess) throws -> Void
  ) throws {
    let copy = "\(folder)/\(name)"
    if !FileManager.default.fileExists(atPath: copy) {
      try FileManager.default.createDirectory(
        atPath: (copy as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: Self.idle, toPath: copy)
    }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let child = try ProgramLaunch(path: path ?? copy, arguments: ["600"]).start()
    defer {
      child.kill()
      _ = child.wait()
    }
    try look(at: RunningProcess(child.identifier), body)
  }

  private func look(
    at process: consuming RunningProcess?, _ body: (borrowing RunningProcess) throws -> Void
  ) throws {
    guard let process else {
      Issue.record("there is no such process")
      return
    }
    try body(process)
  }

  private func path(_ process: borrowing RunningProcess) -> String? {
    RunningExecutable(of: process).map { String(decoding: $0.path, as: UTF8.self) }
  }

  @Test("of a process at the other end of a socket it is known which file it runs")
  func peer() throws {
    let pair = try SocketPair()
    try look(at: RunningProcess(connectedTo: pair.near.number)) { process in
      let identifier = process.identifier
      #expect(identifier == getpid())
      let executable = RunningExecutable(of: process)
      let found = try #require(executable)
      #expect(found == RunningExecutable.ofThisProcess())
      #expect(found.isFile(at: Array("/proc/self/exe".utf8)))
      #expect(!found.isFile(at: Array(Self.idle.utf8)))
    }
    let pipe = try Pipe(nonBlocking: .reader)
    let isNobody = RunningProcess(connectedTo: pipe.reader) == nil
    #expect(isNobody)
  }

  @Test("the path is canonical, whatever the program was called by")
  func canonical() throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/link", withDestinationPath: "programs/one")
    try running("programs/one", at: folder + "/programs/../link") { process in
      let executable = RunningExecutable(of: process)
      let found = try #require(executable)
      #expect(String(decoding: found.path, as: UTF8.self) == folder + "/programs/one")
      #expect(found.isFile(at: Array((folder + "/link").utf8)))
    }
  }

  @Test("a file that was removed or replaced is where it lay")
  func removed() throws {
    try running("one") { process in
      try FileManager.default.linkItem(atPath: folder + "/one", toPath: folder + "/kept")
      try FileManager.default.removeItem(atPath: folder + "/one")
      let removed = path(process)
      #expect(removed == folder + "/one")
      try FileManager.default.copyItem(atPath: Self.idle, toPath: folder + "/one")
      let executable = RunningExecutable(of: process)
      let found = try #require(executable)
      #expect(String(decoding: found.path, as: UTF8.self) == folder + "/one")
      #expect(!found.isFile(at: Array((folder + "/one").utf8)))
      #expect(found.isFile(at: Array((folder + "/kept").utf8)))
    }
  }

  @Test("a file whose name says that it is deleted keeps its name")
  func calledDeleted() throws {
    try running("one (deleted)") { process in
      let called = path(process)
      #expect(called == folder + "/one (deleted)")
      try FileManager.default.removeItem(atPath: folder + "/one (deleted)")
      let removed = path(process)
      #expect(removed == folder + "/one (deleted)")
    }
  }

  @Test("what has ended runs nothing that could be named, and has no number of its own")
  func ended() throws {
    try running("one") { process in
      let hadEnded = process.hasEnded
      #expect(!hadEnded)
      kill(process.identifier, SIGKILL)
      let hasEnded = process.awaitEnd(milliseconds: .max)
      #expect(hasEnded)
      let named = path(process)
      #expect(named == nil)
    }
    for number in [0, -1, Int32.max] {
      let isNobody = RunningProcess(number) == nil
      #expect(isNobody, "\(number)")
    }
  }

  @Test("what never lay in a folder has no path")
  func inMemory() throws {
    let pair = try SocketPair()
    var launch = ProgramLaunch(path: "/usr/bin/python3", arguments: ["-c", Self.beginInMemory])
    launch.standardStreams = [pair.far.number, pair.far.number, nil]
    let child = try launch.start()
    defer {
      child.kill()
      _ = child.wait()
    }
    // What comes back was read by the program in memory.
    var byte: [UInt8] = [7]
    #expect(unsafe write(pair.near.number, byte, 1) == 1)
    byte = [0]
    #expect(unsafe read(pair.near.number, &byte, 1) == 1 && byte == [7])
    try look(at: RunningProcess(child.identifier)) { process in
      let named = path(process)
      #expect(named == nil)
    }
  }

  /// Copies `cat` into memory and becomes it.
  private static let beginInMemory = """
    import os
    program = os.memfd_create("one")
    with open("/bin/cat", "rb") as file: os.write(program, file.read())
    os.execve(program, ["cat"], {})
    """
}
