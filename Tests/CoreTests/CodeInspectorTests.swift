import Foundation
import LinuxSystem
import Testing

@testable import AuthCore

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
