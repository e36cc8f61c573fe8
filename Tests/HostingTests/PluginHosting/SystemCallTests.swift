import Foundation
import Glibc
import LinuxSystem
import PluginHosting
import Protocol
import Sandbox
import Synchronization
import TestSupport
import Testing

/// The filters are descriptions until the kernel runs them: here a plugin that has taken over its
/// host, and so outlives what is trapped, makes every system call, and what came of each is compared
/// with what the filter's description gives for the same arguments.
@Suite("Every system call, made from where plugins run", .timeLimit(.minutes(60)))
struct SystemCallTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Numbers that the kernel has, or may have one day.
  private static let numbers: ClosedRange<Int32> = 0...511

  #if arch(x86_64)
    /// uretprobe(2) and uprobe(2), which the kernel writes into programs that it looks into: some
    /// ask no filter about them. Elsewhere the first ends its caller, the second does nothing.
    private static let probes: Set<Int32> = [335, 336]
  #else
    private static let probes: Set<Int32> = []
  #endif

  @Test(
    "what the filter of a driver refuses the kernel refuses, number by number",
    arguments: [
      ("0", Confinement.closed), ("AC_SENSOR_READS_FILES", .readsFiles),
      ("AC_SENSOR_OPENS_DEVICES", .opensDevices),
    ])
  func driver(flags: String, confinement: Confinement) throws {
    let lines = Lines()
    let session = try Fixture.session(
      mode: "calls", ["CALLS", "FLAGS=" + flags], in: folder, log: lines.add)
    #expect(session.ready.report.confinement == confinement)
    guard case .end = try session.captureTouch(timeoutMilliseconds: Fixture.lastResort) else {
      Issue.record("no end")
      return
    }
    try compare(lines, with: .running(confinement))
  }

  @Test("what the filter of the enclave refuses the kernel refuses, number by number")
  func enclave() throws {
    let host = try startEngine()
    let lines = Lines()
    _ = try call(host, "c", lines)
    // The folder's number does not matter: no call names it.
    try compare(lines, with: .running(.enclave, folder: -2))
  }

  @Test("what the filter of the watcher refuses the kernel refuses, number by number")
  func watcher() throws {
    _ = try Fixture.compile(
      "transport.c", ["CALLS"], as: "libauthcore-transport-usb.so", in: folder)
    let host = try HostProcess.startWatch(in: Fixture.installation(pluginPath: folder.path))
    let lines = Lines()
    while !lines.areComplete, let event = try host.receive() {
      if case .log(let level, let text) = consume event { lines.add(level, text) }
    }
    try compare(lines, with: .running(.watchesDevices))
  }

  @Test("a transport in its driver's host gets no more than the driver")
  func transport() throws {
    _ = try Fixture.compile(
      "transport.c", ["CALLS"], as: "libauthcore-transport-recording.so", in: folder)
    let lines = Lines()
    let recording = try folder.write("recording", "")
    let driver = try Fixture.driver(in: folder)
    #expect(throws: Failure.self) {
      try SensorSession(
        driver, options: [], source: .recording(path: recording, text: ""),
        in: Fixture.installation(pluginPath: folder.path), log: lines.add)
    }
    try compare(lines, with: .running(.closed))
  }

  #if arch(x86_64)
    @Test(
      "the numbers of another ABI end a driver's host at once",
      arguments: [("x32", "3"), ("i386", "i")])
    func otherABI(mode: String, request: String) throws {
      // Not every kernel has them; then its own answer has to be the same without a sandbox.
      let unconfined = try outcome(mode, sandbox: "off")
      let confined = try outcome(mode, sandbox: nil)
      let isKnown = !unconfined.contains("was ended by signal 11")
      #expect(confined.contains("was ended by signal \(isKnown ? SIGSYS : SIGSEGV)"), "\(confined)")
      let host = try startEngine()
      let failure = try #require(throws: Failure.self) { try call(host, request, Lines()) }
      #expect(
        failure.message.contains("was ended by signal \(isKnown ? SIGSYS : SIGSEGV)"), "\(failure)")
    }

    @Test("a call that the kernel passes by every filter, for its probes, ends the host")
    func probeCall() throws {
      let host = try startEngine()
      let failure = try #require(throws: Failure.self) { try call(host, "r", Lines()) }
      // Kernels that do not have it ask the filter.
      #expect(
        failure.message.contains("was ended by signal \(SIGILL)")
          || failure.message.contains("system call number 335"), "\(failure)")
    }

    private func outcome(_ mode: String, sandbox: String?) throws -> String {
      let driver = try Fixture.driver(["CALLS"], in: folder)
      let options = try SensorOption.check(
        [.init(name: "mode", value: mode)], against: driver.description, relativeTo: "/")
      let session = try SensorSession(
        driver, options: options, in: Fixture.installation(sandbox: sandbox))
      do {
        guard case .end(let end) = try session.captureTouch(timeoutMilliseconds: Fixture.lastResort)
        else {
          return "no end"
        }
        return end.message
      } catch {
        return error.message
      }
    }
  #endif

  @Test("an engine that is hostile reaches nothing outside its folder")
  func hostileEngine() throws {
    let host = try startEngine()
    try plantOutside()
    #expect(try call(host, "a", Lines()) == " nothing")
    #expect(try String(contentsOfFile: folder.file("outside"), encoding: .utf8) == "secret")
    let beside = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(beside.sorted() == ["enclave", "outside", "plugin.so"])
  }

  @Test("without a sandbox the same engine gets all of it: it does reach for it")
  func unconfinedEngine() throws {
    let host = try startEngine(sandbox: "off")
    try plantOutside()
    let had = try call(host, "a", Lines())
    for prize in [
      "rwx-pages", "rx-pages", "data-to-code", "memory-file", " signal ", "signal-to-a-thread",
      "signal-by-tkill", "process-descriptor", "tracing", " process ", "program", "socket",
      "a-path", "/etc/passwd", "../outside", "../outside-to-write", " link ", "link-to-write",
      "the-folder-above", "../new", "file-moved-out", "file-moved-in", "link-made", "folder-made",
      "root-changed",
    ] {
      #expect(had.contains(prize), "\(prize) in \(had)")
    }
  }

  // MARK: Support

  /// What a plugin logged, from the thread that waits for it.
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ level: PluginLogLevel, _ text: String) { lines.withLock { $0.append(text) } }

    var areComplete: Bool { lines.withLock { $0.last == "calls made" } }

    /// `NUMBER=RESULT` and `NUMBER(ARGUMENTS)=RESULT`.
    var words: [Substring] { lines.withLock { $0.dropLast().flatMap { $0.split(separator: " ") } } }
  }

  private func compare(_ lines: Lines, with filter: SystemCallFilter) throws {
    try #require(lines.areComplete, "the plugin did not come to its end")
    let interpreter = FilterInterpreter(filter)
    var seen: Set<Int32> = []
    for word in lines.words {
      let (number, arguments, result) = try parse(word)
      if arguments == nil { seen.insert(number) }
      let given = arguments ?? [UInt64](repeating: .max, count: 6)
      let verdict = interpreter.verdict(number, given: given)
      let name = "\(word), \(SystemCall.name(of: number)): \(String(describing: verdict))"
      switch verdict {
      case .trap where Self.probes.contains(number): #expect(result != "0", "\(name)")
      // What the kernel makes of it is its own affair.
      case .allow: #expect(result != "trap", "\(name)")
      case .fail(let code): #expect(result == "\(code)", "\(name)")
      case .trap: #expect(result == "trap", "\(name)")
      default: Issue.record("\(name)")
      }
    }
    // Those that a plugin does not come back from.
    let leftOut = Set(Self.numbers).subtracting(seen).subtracting(Self.probes)
    for number in leftOut { #expect(interpreter.verdict(number) == .allow, "\(number)") }
    #expect(leftOut.count <= 4, "\(leftOut)")
  }

  private func parse(_ word: Substring) throws -> (Int32, [UInt64]?, Substring) {
    let sides = word.split(separator: "=")
    try #require(sides.count == 2, "\(word)")
    let parts = sides[0].split { "(,)".contains($0) }
    let number = try #require(parts.first.flatMap { Int32($0) })
    guard parts.count > 1 else { return (number, nil, sides[1]) }
    return (number, try parts.dropFirst().map { try #require(UInt64($0, radix: 16)) }, sides[1])
  }

  private func startEngine(sandbox: String? = nil) throws -> HostProcess {
    let path = try Fixture.compile("engine.c", ["HOSTILE"], in: folder)
    return try HostProcess.startEnclave(
      TrustedFile(checking: path), folder: folder.file("enclave"),
      in: Fixture.installation(sandbox: sandbox))
  }

  private func plantOutside() throws {
    try folder.write("outside", "secret")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("enclave/link"), withDestinationPath: "../outside")
  }

  /// The text that a request is answered with.
  private func call(_ host: HostProcess, _ request: String, _ lines: Lines) throws -> String {
    try host.send(EngineCall(SecretBytes(copying: Array(request.utf8).span)))
    while let event = try host.receive() {
      switch consume event {
      case .log(let level, let text): lines.add(level, text)
      case .reply(let reply):
        let bytes = (0..<reply.count).map { reply.bytes[$0] }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      default: continue
      }
    }
    Issue.record("no reply")
    return ""
  }
}
