import Foundation
import TestSupport
import Testing

@Suite("An application that asks at a terminal", .timeLimit(.minutes(60)))
struct ApplicationTerminalTests {
  private let device: TestHome

  init() throws {
    device = try TestHome()
    try device.setUp()
  }

  private func run(
    _ arguments: String..., driver: String? = nil,
    steps: KeyValuePairs<String, String> = [:], in shell: TerminalRun.Shell = .foreground
  ) throws -> TerminalRun {
    var environment = ["AUTHCORE_HOME": device.home, "AUTHCORE_TPM": "off"]
    environment["AUTHCORE_DRIVER"] = try driver ?? device.strangerTouches(1) + ",hold=1"
    return try TerminalRun(
      ["authentication"] + arguments, steps.map { TerminalRun.Step(seen: $0, typed: $1) },
      in: shell,
      program: "exercise", environment: environment)
  }

  @Test("L5: the prompt shows who asks, the reason and both titles; Escape is −2 userCancel")
  func userCancel() throws {
    let run = try run(
      "owner", "open the chest of notes", "--fallback", "Say the word", "--cancel", "Leave it",
      steps: ["Not recognized": "\u{1B}"])
    #expect(run.shown.contains("answer: -2"), "\(run)")
    for words in ["exercise", "open the chest of notes", "Say the word", "Leave it"] {
      #expect(run.shown.contains(words), "\(words): \(run)")
    }
    #expect(run.isTerminalAsBefore)
  }

  @Test("L5: the prompt calls the application what the Info.plist beside it does")
  func statedName() throws {
    let moved = device.folder.url.appendingPathComponent("exercise")
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: Products.program("exercise")), to: moved)
    let list: [String: Any] = [
      "CFBundleName": "Treasury", "CFBundleIdentifier": "org.example.treasury",
    ]
    _ = try device.folder.write(
      "Info.plist",
      PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0))
    let run = try TerminalRun(
      ["authentication", "owner", "open the chest"],
      [.init(seen: "Not recognized", typed: "\u{1B}")],
      in: .foreground, program: moved.path,
      environment: [
        "AUTHCORE_HOME": device.home, "AUTHCORE_TPM": "off",
        "AUTHCORE_DRIVER": try device.strangerTouches(1) + ",hold=1",
        "AUTHCORE_CORE": Products.program("authcored"),
      ])
    #expect(run.shown.contains("Treasury"), "\(run)")
    #expect(run.shown.contains("answer: -2"), "\(run)")
  }

  @Test("L4: the fallback of biometrics is the application's: −3 userFallback")
  func userFallback() throws {
    let run = try run("biometrics", "open it", steps: ["Not recognized": "\r"])
    #expect(run.shown.contains("answer: -3"), "\(run)")
  }

  @Test("L4: the passcode is typed in place of a touch, once for both evaluations of a context")
  func passcode() throws {
    let run = try run(
      "owner", "open it", "--twice",
      steps: ["Not recognized": "wrong\r", "not the passcode": TestHome.passcode + "\r"])
    #expect(run.shown.components(separatedBy: "answer: yes").count == 3, "\(run)")
    #expect(!run.shown.contains("horse"))
  }

  @Test("−1: three wrong passcodes")
  func wrongPasscodes() throws {
    let run = try run(
      "owner", "open it",
      steps: [
        "Not recognized": "wrong\r", "not the passcode": "worse\r", "not the passcode": "worst\r",
      ])
    #expect(run.shown.contains("answer: -1\r"), "\(run)")
  }

  @Test("an empty fallback title hides the fallback")
  func hiddenFallback() throws {
    let run = try run(
      "owner", "open it", "--fallback", "", steps: ["Not recognized": "\r\u{1B}"])
    #expect(run.shown.contains("answer: -2"), "\(run)")
    #expect(!run.shown.contains("asscode"), "\(run)")
  }

  @Test("A6: in the terminal's background nobody is asked: −1004 notInteractive")
  func background() throws {
    let run = try run("owner", "open it", driver: try device.ownerTouch(), in: .background)
    #expect(run.shown.contains("answer: -1004"), "\(run)")
  }

  @Test("FINDINGS A1: beside another program that reads the terminal no passcode is read")
  func otherReader() throws {
    let typed = TestHome.passcode + "\n"
    let run = try TerminalRun(
      ["authentication", "owner", "open it"], [.init(seen: "answer", typed: typed + "\u{4}")],
      in: .besideReader, program: "exercise",
      environment: ["AUTHCORE_HOME": device.home, "AUTHCORE_TPM": "off"])
    #expect(run.shown.contains("answer: -1004") && run.typed == typed, "\(run)")
  }
}

/// For root, since only root can give a program another group; `scripts/test` also runs this suite
/// as root, if it is root.
@Suite(
  "A program with more rights than its caller's", .timeLimit(.minutes(60)),
  .enabled(if: getuid() == 0))
struct PrivilegedProgramTests {
  private let device: TestHome

  init() throws {
    device = try TestHome()
    try device.setUp()
  }

  /// The output of a copy of the application in an attacker's environment: a core with a finger on
  /// a tape. Root owns its folder, but the attacker chose it.
  private func answer(mode: mode_t, name: String) throws -> TerminalRun {
    let copy = device.folder.url.appendingPathComponent(name).path
    try FileManager.default.copyItem(
      atPath: Products.program("exercise"), toPath: copy)
    // The path of an installation, so that only the environment matters.
    try? FileManager.default.createSymbolicLink(
      atPath: device.folder.url.appendingPathComponent("authcored").path,
      withDestinationPath: Products.program("authcored"))
    // A group that root is not in.
    try #require(unsafe chown(copy, 0, 65_530) == 0 && chmod(copy, mode) == 0)
    return try TerminalRun(
      ["authentication", "owner", "open the chest"], [], in: .foreground, program: copy,
      environment: [
        "AUTHCORE_HOME": device.home, "AUTHCORE_TPM": "off",
        "AUTHCORE_DRIVER": try device.ownerTouch(),
        "AUTHCORE_CORE": Products.program("authcored"),
        "XDG_STATE_HOME": device.folder.url.path, "HOME": device.folder.url.path,
      ])
  }

  @Test("FINDINGS A9: a set-group-ID program asks no core that its caller's environment names")
  func setGroupID() throws {
    let ordinary = try answer(mode: 0o755, name: "ordinary")
    #expect(ordinary.shown.contains("answer: yes"), "\(ordinary)")
    let privileged = try answer(mode: 0o2755, name: "privileged")
    #expect(privileged.shown.contains("answer: -"), "\(privileged)")
    #expect(!privileged.shown.contains("answer: yes"), "\(privileged)")
  }
}
