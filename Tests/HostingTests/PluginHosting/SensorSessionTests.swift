import Foundation
import LinuxSystem
import PluginHosting
import Protocol
import Sandbox
import Synchronization
import TestSupport
import Testing

@Suite("A driver in its host")
struct SensorSessionTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func outcome(mode: String, _ macros: [String] = []) throws -> TouchOutcome {
    try Fixture.session(mode: mode, macros, in: folder).captureTouch(
      timeoutMilliseconds: Fixture.lastResort)
  }

  @Test("a frame arrives as it was delivered")
  func frame() throws {
    guard case .frame(let frame) = try outcome(mode: "plain") else {
      Issue.record("no frame")
      return
    }
    #expect([frame.width, frame.height, frame.pixelsPerInch] == [4, 3, 500])
    #expect(frame.pixels == Array(0..<12))
  }

  @Test("an inverted, mirrored, upside-down frame arrives upright, ridges dark")
  func flippedFrame() throws {
    guard case .frame(let frame) = try outcome(mode: "flip") else {
      Issue.record("no frame")
      return
    }
    let expected: [UInt8] = (244...255).map { $0 }
    #expect(frame.pixels == expected)
  }

  @Test("retry, failure and a frame that lies are told apart")
  func otherOutcomes() throws {
    guard case .retry(let retry) = try outcome(mode: "retry") else {
      Issue.record("no retry")
      return
    }
    #expect(retry.reason == 2)
    guard case .end(let gone) = try outcome(mode: "gone") else {
      Issue.record("no end")
      return
    }
    #expect(gone.status == SensorStatus.gone)
    #expect(gone.message == "the reader was unplugged; plug it in again")
    guard case .end(let lie) = try outcome(mode: "lie") else {
      Issue.record("no end")
      return
    }
    #expect(lie.status == SensorStatus.protocolViolation)
    #expect(lie.message.contains("400 × 3 pixels are 1200; it says that it has 12"))
    guard case .end(let nonsense) = try outcome(mode: "nonsense") else {
      Issue.record("no end")
      return
    }
    #expect(nonsense.message.contains("returned -5"))
  }

  @Test("a finger that is there when its prompt appears has to be lifted, and is not looked at")
  func presentFinger() throws {
    let session = try Fixture.session(mode: "plain", in: folder)
    func capture() throws -> TouchOutcome {
      try session.captureTouch(timeoutMilliseconds: Fixture.lastResort, ignoresPresentFinger: true)
    }
    guard case .retry(let retry) = try capture() else {
      Issue.record("the finger counts")
      return
    }
    #expect(retry.reason == SensorStatus.lift)
    guard case .frame = try session.captureTouch(timeoutMilliseconds: Fixture.lastResort) else {
      Issue.record("no frame")
      return
    }
    let absent = try Fixture.session(mode: "wait", in: folder)
    guard
      case .end(let end) = try absent.captureTouch(
        timeoutMilliseconds: 1, ignoresPresentFinger: true)
    else {
      Issue.record("no end")
      return
    }
    #expect(end.status == SensorStatus.timeout)
  }

  @Test(
    "frames without pixels, or of a size no sensor has, are refused", arguments: ["empty", "wide"])
  func impossibleSize(mode: String) throws {
    guard case .end(let end) = try outcome(mode: mode) else {
      Issue.record("no end")
      return
    }
    #expect(end.status == SensorStatus.protocolViolation, "\(end.message)")
  }

  @Test("the deadline of a capture is the driver's to keep, and a stop wakes it")
  func stop() throws {
    let session = try Fixture.session(mode: "wait", in: folder)
    guard case .end(let timeout) = try session.captureTouch(timeoutMilliseconds: 1) else {
      Issue.record("no end")
      return
    }
    #expect(timeout.status == SensorStatus.timeout)
    let stopper = Guarded(false)
    SystemThread.start(name: "stopper") {
      // Stopping before the capture began has no effect, so it is repeated until the capture is
      // over.
      while !stopper.read({ $0 }) {
        session.stop()
        _ = stopper.wait(nanoseconds: 5_000_000) { $0 ? true : nil }
      }
    }
    let outcome = try session.captureTouch(timeoutMilliseconds: Fixture.lastResort)
    stopper.update { $0 = true }
    guard case .end(let stopped) = outcome else {
      Issue.record("no end")
      return
    }
    #expect(stopped.status == SensorStatus.interrupted)
  }

  @Test("a file is opened by the one who starts the driver; the driver gets the descriptor")
  func fileOption() throws {
    let driver = try Fixture.driver(in: folder)
    let path = try folder.write("data", "\u{07}rest")
    let options = try SensorOption.check(
      [.init(name: "mode", value: "data"), .init(name: "data", value: "data")],
      against: driver.description, relativeTo: folder.path)
    #expect(options[1].value == path)
    let session = try SensorSession(driver, options: options, in: Fixture.installation())
    guard case .frame(let frame) = try session.captureTouch(timeoutMilliseconds: Fixture.lastResort)
    else {
      Issue.record("no frame")
      return
    }
    #expect(frame.pixels.first == 7)
  }

  @Test("what a driver logs arrives on one line")
  func output() throws {
    let lines = Mutex<[String]>([])
    let session = try Fixture.session(mode: "log", in: folder) { level, text in
      if level == .warning { lines.withLock { $0.append(text) } }
    }
    _ = try session.captureTouch(timeoutMilliseconds: Fixture.lastResort)
    #expect(lines.withLock { $0 } == ["a line of two"])
  }

  @Test("a refused option is the driver's own message")
  func refusedOption() throws {
    let failure = try #require(throws: Failure.self) {
      try Fixture.session(mode: "refuse", in: folder)
    }
    #expect(failure.code == .usage)
    #expect(failure.message == "the mode refuse is refused")
  }

  @Test(
    "a driver that breaks a rule is ended, and the error tells which",
    arguments: [
      ("crash", "crashed: its process was ended by signal 11"), ("exit", "status 7"),
      ("flood", "wrote more log lines"), ("garbage", "no message of a host"),
      ("no-frame", "delivers no frames"), ("print", "wrote to standard output"),
      ("mask", "signal mask"), ("handler", "changed what signal 15 does"),
      ("beyond", "wrote beyond the ac_frame"), ("socket", "system call socket"),
      ("exec", "system call execve"), ("fork", "system call clone"), ("kill", "system call kill"),
    ])
  func brokenRule(mode: String, reason: String) throws {
    let session = try Fixture.session(mode: mode, in: folder)
    let failure = try #require(throws: Failure.self) {
      try session.captureTouch(timeoutMilliseconds: Fixture.lastResort)
    }
    #expect(failure.code == .driverFailed)
    #expect(failure.message.contains(reason), "\(failure.message)")
    #expect(failure.message.contains(folder.path))
  }

  @Test(
    "what libraries ask for and can do without is refused without ending the driver",
    arguments: [
      ("open", "0", "it was refused"), ("write", "0", "it was refused"),
      ("pipe", "0", "it was refused"), ("code", "0", "it was refused"),
      ("device", "0", "it was refused"), ("memory", "0", "it was refused"),
      ("memory", "AC_SENSOR_OPENS_DEVICES", "it was refused"),
      ("open", "AC_SENSOR_READS_FILES", "it works"),
      ("write", "AC_SENSOR_READS_FILES", "it was refused"),
      ("device", "AC_SENSOR_READS_FILES", "it was refused"),
      ("pipe", "AC_SENSOR_READS_FILES", "it was refused"),
      ("device", "AC_SENSOR_OPENS_DEVICES", "it works"),
      ("pipe", "AC_SENSOR_OPENS_DEVICES", "it works"),
      ("write", "AC_SENSOR_OPENS_DEVICES", "it was refused"),
    ])
  func refusedCall(mode: String, flags: String, answer: String) throws {
    guard case .end(let end) = try outcome(mode: mode, ["FLAGS=\(flags)"]) else {
      Issue.record("no end")
      return
    }
    #expect(end.message == answer)
  }

  @Test("a driver that makes more threads than any needs is ended, and the error tells how many")
  func threads() throws {
    let session = try Fixture.session(mode: "threads", in: folder)
    let failure = try #require(throws: Failure.self) {
      try session.captureTouch(timeoutMilliseconds: Fixture.lastResort)
    }
    #expect(failure.message.contains("ran 102 threads at once, more than the 64 it may"))
    #expect(failure.message.contains(folder.path))
  }

  @Test("no driver may start programs, whatever its flags", arguments: ["exec", "fork", "socket"])
  func widestSandbox(mode: String) throws {
    let session = try Fixture.session(mode: mode, ["FLAGS=AC_SENSOR_OPENS_DEVICES"], in: folder)
    #expect(throws: Failure.self) {
      try session.captureTouch(timeoutMilliseconds: Fixture.lastResort)
    }
  }

  @Test("the host tells what it got of its sandbox")
  func report() throws {
    let report = try Fixture.session(mode: "plain", in: folder).ready.report
    #expect(report.confinement == .closed)
    #expect(report.seccomp)
    #expect(report.noNewPrivileges)
    #expect(report.landlockVersion == FileRules.version)
  }

  @Test("AUTHCORE_SANDBOX=off runs the driver without a sandbox, and says so")
  func sandboxOff() throws {
    let installation = Fixture.installation(sandbox: "off")
    #expect(installation.announcements.contains { $0.contains("AUTHCORE_SANDBOX=off") })
    let driver = try Fixture.driver(in: folder)
    let options = try SensorOption.check(
      [.init(name: "mode", value: "open")], against: driver.description, relativeTo: "/")
    let session = try SensorSession(driver, options: options, in: installation)
    #expect(!session.ready.report.isOn)
    #expect(session.ready.report.lacks.contains { $0.contains("switched off") })
    guard case .end(let end) = try session.captureTouch(timeoutMilliseconds: Fixture.lastResort)
    else {
      Issue.record("no end")
      return
    }
    #expect(end.message == "it works")
  }

  @Test("a closed session leaves no process")
  func noProcessLeft() throws {
    let driver = try Fixture.driver(in: folder)
    let pair = try SocketPair()
    let host = try HostProcess.startDriver(driver, frames: pair.far, in: Fixture.installation())
    let process = "/proc/\(host.identifier)"
    #expect(FileManager.default.fileExists(atPath: process))
    host.end()
    #expect(!FileManager.default.fileExists(atPath: process))
    #expect(throws: Failure.self) { try host.send(CloseSensor()) }
  }
}
