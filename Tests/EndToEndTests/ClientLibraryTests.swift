import Foundation
import TestSupport
import Testing

@Suite("libauthcore-client", .timeLimit(.minutes(60)))
struct ClientLibraryTests {
  let device: TestHome
  init() throws { device = try TestHome() }

  @Test("W1 W2: a C program adds an item behind a finger, opens it with a touch and removes it")
  func programInC() throws {
    try device.setUp()
    let program = try compile("docs/examples/authcore_client.c")
    try use(program, ["add", "vault", "göld"]).expectSuccess()
    let opened = try use(program, ["get", "vault"], driver: try device.ownerTouch())
    #expect(opened.text == "göld", "\(opened.account)")
    let refused = try use(program, ["get", "vault"], driver: try device.strangerTouches(3))
    #expect(refused.status == 1)
    #expect(refused.text == "")
    #expect(try use(program, ["remove", "vault"]).status == 0)
    let missing = try use(program, ["get", "vault"])
    #expect(missing.errors.contains("(-25300)"), "\(missing.account)")
  }

  @Test(
    "L10: every misuse of the library is an error that names the argument, and none ends the program"
  )
  func misuse() throws {
    let program = try compile("Tests/EndToEndTests/Fixtures/client-misuse.c")
    let run = try use(program, []).expectSuccess()
    let lines = run.text.split(separator: "\n").map { $0.split(separator: "|").map(String.init) }
    let meant = ["settings of a later version", "open", "a context"]
    for line in lines where line.count > 3 {
      #expect(line[1] == line[2], "\(line)")
      switch line[0] {
      case "a field of a later version": #expect(line[3] == "unsupported", "\(line)")
      case "a context that is over": #expect(line[3] == "invalidContext", "\(line)")
      default: #expect(line[3] == "errSecParam", "\(line)")
      }
    }
    for name in meant { #expect(lines.contains([name, "0", "0"]), "\(run.text)") }
    #expect(lines.suffix(2) == [["unwanted", "-50"], ["nothing", "0"]], "\(run.text)")
    #expect(lines.count == 41, "\(run.text)")
    #expect(run.text.contains("|query->service is not UTF-8\n"))
    #expect(run.text.contains("|item->attributes[0].bytes is not UTF-8\n"))
  }

  @Test("W1 W2: a Python program evaluates, adds, gets and signs through the library")
  func programInPython() throws {
    try device.setUp()
    let evaluated = try python(["evaluate", "greet you"], driver: try device.ownerTouch())
    #expect(evaluated.text == "a finger\n", "\(evaluated.account)")
    try python(["add", "vault"], input: "s3cret").expectSuccess()
    let opened = try python(["get", "vault"], driver: try device.ownerTouch())
    #expect(opened.text == "s3cret", "\(opened.account)")
    let signature = try python(["sign", "deploy"], input: "ship", driver: try device.ownerTouch())
      .expectSuccess()
    // DER: a sequence of two numbers.
    #expect(signature.output.first == 0x30 && (68...72).contains(signature.output.count))
    let empty = try python(["evaluate", ""], driver: try device.ownerTouch())
    #expect(empty.errors.contains("(-7002)"), "\(empty.account)")
    let missing = try python(["get", "nothing"])
    #expect(missing.errors.contains("(-25300)"), "\(missing.account)")
  }

  @Test("X5: the library exports the functions of its header, and nothing else")
  func exports() throws {
    let header = try String(
      contentsOf: Products.sources.appendingPathComponent("include/authcore/client.h"),
      encoding: .utf8)
    let declared = Set(
      header.matches(of: /AC_CLIENT_EXPORT [a-z0-9_ ]*[ *](ac_client_[a-z_]+)\(/).map {
        String($0.1)
      })
    #expect(declared.count == 25)
    let listing = try run(
      "/usr/bin/env", ["nm", "-D", "--defined-only", "--extern-only", Self.library])
    let exported = Set(
      listing.text.split(separator: "\n").compactMap {
        $0.split(separator: " ").last.map(String.init)
      })
    #expect(exported == declared)
  }

  @Test("the library lies among the plugins of a build and is taken for none of them")
  func noPlugin() throws {
    let listed = try device.succeed("driver", "list")
    #expect(!listed.text.contains("authcore-client"), "\(listed.account)")
    #expect(listed.text.contains("replay"))
  }

  private static let library = Products.program("libauthcore-client.so")

  /// Compiles a program against the header and the library of this build.
  private func compile(_ source: String) throws -> String {
    let program = device.folder.file("program")
    let compiled = try run(
      "/usr/bin/env",
      [
        "cc", "-std=c11", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-I",
        Products.sources.appendingPathComponent("include").path,
        Products.sources.appendingPathComponent(source).path, Self.library,
        "-Wl,--allow-shlib-undefined", "-Wl,-rpath," + Products.folder.path, "-o", program,
      ])
    try #require(compiled.status == 0, "\(compiled.account)")
    return program
  }

  private func python(
    _ arguments: [String], input: String = "", driver: String? = nil
  ) throws -> CommandRun {
    let example = Products.sources.appendingPathComponent("docs/examples/authcore_ctypes.py")
    return try use(
      "/usr/bin/env", ["python3", example.path] + arguments, input: input, driver: driver)
  }

  private func use(
    _ program: String, _ arguments: [String], input: String = "", driver: String? = nil
  ) throws -> CommandRun {
    var environment = [
      "AUTHCORE_HOME": device.home, "AUTHCORE_CORE": Products.program("authcored"),
      "AUTHCORE_CLIENT": Self.library,
    ]
    environment["AUTHCORE_DRIVER"] = driver
    return try run(program, arguments, input: Data(input.utf8), environment: environment)
  }
}

@Suite("A client in another language, written from docs/protocol.md", .timeLimit(.minutes(60)))
struct ExampleClientTests {
  @Test("X1 W2 W3: a Python client unlocks, adds a protected item and opens it with a touch")
  func wholeUse() throws {
    let state = try TestHome()
    try start(coreOf: state)
    try setUp(state)

    let locked = try python(state, "status")
    #expect(locked.json["isLocked"]?.bool == true, "\(locked.account)")
    #expect(locked.json["fingers"]?.number == 1)

    try python(state, "unlock", input: "\(TestHome.passcode)\n").expectSuccess()
    let unlocked = try python(state, "status")
    #expect(unlocked.json["isLocked"]?.bool == false, "\(unlocked.account)")
    #expect(unlocked.json["driverName"]?.string == "replay")

    try python(state, "add", "vault", input: "göld\n").expectSuccess()
    let get = try python(state, "get", "vault")
    #expect(get.output == Data("göld\n".utf8), "\(get.account)")
    #expect(get.errors == "touch the sensor\nrecognized\n")
    // Python is an application of its own.
    try state.authcore("item", "find", "--service", "vault").expect(error: "errSecItemNotFound")
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
