import Foundation
import TestSupport
import Testing

@Suite("libauthcore-client", .timeLimit(.minutes(15)))
struct ClientLibraryTests {
  let device: TestHome
  init() throws { device = try TestHome() }

  @Test("W1 W2: a C program adds an item behind a finger, opens it with a touch and removes it")
  func programInC() throws {
    try device.setUp()
    let program = try compile("docs/examples/authcore_client.c")
    let added = try use(program, ["add", "vault", "göld"])
    #expect(added.status == 0, "\(added.account)")
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
    let run = try use(program, [])
    #expect(run.status == 0, "\(run.account)")
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
    let added = try python(["add", "vault"], input: "s3cret")
    #expect(added.status == 0, "\(added.account)")
    let opened = try python(["get", "vault"], driver: try device.ownerTouch())
    #expect(opened.text == "s3cret", "\(opened.account)")
    let signature = try python(["sign", "deploy"], input: "ship", driver: try device.ownerTouch())
    #expect(signature.status == 0, "\(signature.account)")
    // A sequence of two numbers.
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
    let listed = try device.authcore("driver", "list")
    #expect(listed.status == 0, "\(listed.account)")
    #expect(!listed.text.contains("authcore-client"), "\(listed.account)")
    #expect(listed.text.contains("replay"))
  }

  private static let library = Products.program("libauthcore-client.so")

  /// Compiles a program against the header and the library of this build.
  private func compile(_ source: String) throws -> String {
    let program = device.folder.url.appendingPathComponent("program").path
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

  /// Runs a program that uses the library, on this device.
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
