import Foundation
import TestSupport
import Testing

@Suite("A client in another language, written from docs/protocol.md", .timeLimit(.minutes(15)))
struct ExampleClientTests {
  @Test("X1 W2 W3: a Python client unlocks, adds a protected item and opens it with a touch")
  func wholeUse() throws {
    let state = try TestHome()
    try start(coreOf: state)
    try setUp(state)

    let locked = try python(state, "status")
    #expect(locked.json["isLocked"]?.bool == true, "\(locked.account)")
    #expect(locked.json["fingers"]?.number == 1)

    let unlock = try python(state, "unlock", input: "\(TestHome.passcode)\n")
    #expect(unlock.status == 0, "\(unlock.account)")
    let unlocked = try python(state, "status")
    #expect(unlocked.json["isLocked"]?.bool == false, "\(unlocked.account)")
    #expect(unlocked.json["driverName"]?.string == "replay")

    let add = try python(state, "add", "vault", input: "göld\n")
    #expect(add.status == 0, "\(add.account)")
    let get = try python(state, "get", "vault")
    #expect(get.output == Data("göld\n".utf8), "\(get.account)")
    #expect(get.errors == "touch the sensor\nrecognized\n")
    // Python is an application of its own.
    let stored = try state.authcore("item", "find", "--service", "vault")
    #expect(stored.errorName == "errSecItemNotFound", "\(stored.account)")
  }

  @Test("L10: a Python client tells a wrong passcode and a missing item from success")
  func failures() throws {
    let state = try TestHome()
    try start(coreOf: state)
    try setUp(state)
    let wrong = try python(state, "unlock", input: "not the passcode\n")
    #expect(wrong.status == 1)
    #expect(wrong.errors.contains("(-1)"), "\(wrong.account)")
    #expect(try python(state, "unlock", input: "\(TestHome.passcode)\n").status == 0)
    let missing = try python(state, "get", "nothing")
    #expect(missing.status == 1)
    #expect(missing.errors.contains("(-25300)"), "\(missing.account)")
  }

  private func python(
    _ state: TestHome, _ arguments: String..., input: String = ""
  ) throws -> CommandRun {
    let client = Products.sources.appendingPathComponent("docs/examples/authcore_client.py")
    return try run(
      "/usr/bin/env", ["python3", client.path, state.home] + arguments, input: Data(input.utf8),
      environment: ["AUTHCORE_DRIVER": "replay"])
  }

  /// A passcode and the finger of the built-in tape; locked.
  private func setUp(_ state: TestHome) throws {
    let passcode = TestHome.passcode
    let steps = [
      try state.authcore("passcode", "set", passcode: passcode),
      try state.authcore("--driver", "replay", "finger", "enroll", passcode: passcode),
      try state.authcore("lock"),
    ]
    for step in steps { #expect(step.status == 0, "\(step.account)") }
  }

  /// Starts `authcored` as the protocol says, and returns when it serves.
  private func start(coreOf state: TestHome) throws {
    let core = Process()
    core.executableURL = URL(fileURLWithPath: "/bin/sh")
    core.arguments = [
      "-c", "exec \"$0\" \"$@\" 3>&1 >&2", Products.program("authcored"), "--home", state.home,
      "--ready-fd", "3", "--on-demand",
    ]
    core.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
    let ready = Pipe()
    core.standardInput = FileHandle.nullDevice
    core.standardOutput = ready
    core.standardError = FileHandle.nullDevice
    try core.run()
    // Length, number, the process, and whether another core was there.
    let report = try #require(try ready.fileHandleForReading.readToEnd())
    #expect(Array(report.prefix(5)) == [0, 0, 0, 6, 2], "\(Array(report))")
  }
}
