import Foundation
import TestSupport
import Testing

private let registries = ["skopeo", "docker-registry"].map { "/usr/bin/" + $0 }

@Suite("docker's credential helper", .timeLimit(.minutes(60)))
struct DockerCredentialTests {
  private let state: TestHome
  private let bin: TemporaryFolder

  init() throws {
    state = try TestHome()
    bin = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: bin.file("docker-credential-authcore"),
      withDestinationPath: Products.program("docker-credential-authcore"))
  }

  private var environment: [String: String] {
    ["PATH": "\(bin.url.path):/usr/bin:/bin", "AUTHCORE_HOME": state.home, "HOME": bin.url.path]
  }

  private func helper(_ action: String?, _ input: String = "") throws -> CommandRun {
    try run(
      bin.file("docker-credential-authcore"), action.map { [$0] } ?? [], input: Data(input.utf8),
      environment: environment)
  }

  private func login(_ server: String, _ user: String, _ secret: String) -> String {
    #"{"ServerURL":"\#(server)","Username":"\#(user)","Secret":"\#(secret)"}"# + "\n"
  }

  /// Expects an answer, and nothing on standard error.
  private func expect(
    _ run: CommandRun, _ text: String, status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      run.text == text && run.status == status && run.errors == "", "\(run.account)",
      sourceLocation: sourceLocation)
  }

  @Test("K8: of logins that are stored for a server at once one stays")
  func race() throws {
    try state.succeed("status")
    let program = bin.file("docker-credential-authcore")
    for round in 0..<3 {
      let writers = (0..<8).map { number in
        BackgroundRun(
          "/bin/sh",
          [
            "-c", "printf '%s' \"$1\" | \"$2\" store", "sh",
            login("r\(round)", "u\(number % 4)", "s\(number)"), program,
          ], environment: environment)
      }
      for writer in writers { expect(try writer.end(), "") }
      let left = try helper("get", "r\(round)")
      #expect(left.status == 0, "\(left.account)")
      expect(try helper("store", login("r\(round)", "last", "s")), "")
      expect(try helper("get", "r\(round)"), login("r\(round)", "last", "s"))
    }
  }

  @Test("K8: a login is stored, given, listed and erased, by the bytes of its server")
  func life() throws {
    let hub = "https://index.docker.io/v1/"
    expect(try helper("list"), "{}\n")
    expect(try helper("store", login(hub, "ann", "tü\\u003cken")), "")
    expect(try helper("store", login("127.0.0.1:5000", "<token>", "")), "")
    expect(try helper("get", " \t\(hub)\r\n"), login(hub, "ann", "tü<ken"))
    expect(try helper("get", "127.0.0.1:5000"), login("127.0.0.1:5000", "<token>", ""))
    expect(try helper("list"), #"{"127.0.0.1:5000":"<token>","\#(hub)":"ann"}"# + "\n")
    for other in ["https://index.docker.io/v1", "index.docker.io", "127.0.0.1"] {
      expect(
        try helper("get", other), "credentials not found in native keychain\n", status: 1)
    }
    let found = try state.succeed("item", "find", "--server", hub)
    let item = found.json["items"]?.array?.first
    #expect(item?["label"]?.string == "Docker: \(hub)", "\(found.account)")
    #expect(item?["class"]?.string == "internet", "\(found.account)")
    expect(try helper("erase", hub + "\n"), "")
    expect(try helper("erase", hub), "")
    expect(try helper("get", hub), "credentials not found in native keychain\n", status: 1)
    expect(try helper("list"), #"{"127.0.0.1:5000":"<token>"}"# + "\n")
  }

  @Test("K8: a new login replaces the server's only one, whatever user it had")
  func replaced() throws {
    for (user, secret) in [("ann", "1"), ("bob", "2"), ("bob", "3")] {
      expect(try helper("store", login("r.example", user, secret)), "")
      expect(try helper("get", "r.example"), login("r.example", user, secret))
    }
    expect(try helper("list"), #"{"r.example":"bob"}"# + "\n")
    // An item of another kind for the same server is another matter.
    try state.succeed("item", "add", "--server", "r.example", "--account", "eve", secret: "x")
    expect(try helper("get", "r.example"), login("r.example", "bob", "3"))
    expect(try helper("erase", "r.example"), "")
    try state.succeed("item", "get", "--server", "r.example")
  }

  @Test("K8: wrong input gets the sentence that clients look for, or one of ours")
  func wrong() throws {
    expect(
      try helper("store", #"{"Username":"a","Secret":"b"}"#), "no credentials server URL\n",
      status: 1)
    expect(
      try helper("store", #"{"ServerURL":"a","Secret":"b"}"#), "no credentials username\n",
      status: 1)
    for action in ["get", "erase"] {
      expect(try helper(action, " \n"), "no credentials server URL\n", status: 1)
    }
    let long = String(repeating: "x", count: 200_000)
    for input in [
      "", "nonsense", login("a", "b", String(repeating: "x", count: 60_000)), login("a", "b", long),
      login(String(repeating: "x", count: 2000), "b", "c"), login("a\\n", "b", "c"),
      login("a", "b\\u001b", "c"),
    ] {
      let refused = try helper("store", input)
      #expect(refused.status == 1 && refused.text.hasSuffix("\n"), "\(refused.account)")
      #expect(!refused.text.contains("not found") && refused.errors == "", "\(refused.account)")
    }
    #expect(try helper("get", long).status == 1)
    for action in ["", "GET", "stor", nil] {
      let usage = try helper(action)
      #expect(usage.status == 1 && usage.text.hasPrefix("Usage:"), "\(usage.account)")
    }
    #expect(try helper("--help").status == 0)
    #expect(try helper("version").text.hasPrefix("docker-credential-authcore "))
    #expect(try state.authcore("item", "list").json["items"] == .array([]))
  }

  @Test("K6: while the device is locked nothing is given, and docker does not go on as nobody")
  func locked() throws {
    try state.setUp()
    expect(try helper("store", login("r.example", "ann", "1")), "")
    try state.succeed("lock")
    for (action, input) in [
      ("get", "r.example"), ("get", "other.example"), ("store", login("r.example", "ann", "2")),
      ("erase", "r.example"), ("list", ""),
    ] {
      let refused = try helper(action, input)
      #expect(refused.status == 1 && refused.text.contains("locked"), "\(refused.account)")
      #expect(refused.errors == "", "\(refused.account)")
    }
    try state.succeed("unlock", passcode: TestHome.passcode)
    expect(try helper("get", "r.example"), login("r.example", "ann", "1"))
  }

  @Test("A1: a login that a person guards is given for a touch alone")
  func guarded() throws {
    try state.setUp()
    expect(try helper("store", login("r.example", "ann", "1")), "")
    try state.succeed(
      "item", "update", "--server", "r.example", "--set-access", "presence",
      passcode: TestHome.passcode)
    let nobody = try helper("get", "r.example")
    #expect(nobody.status == 1 && !nobody.text.contains("not found"), "\(nobody.account)")
    let touched = try run(
      "docker-credential-authcore", ["get"], input: Data("r.example".utf8),
      environment: environment.merging(["AUTHCORE_DRIVER": try state.ownerTouch()]) { $1 })
    expect(touched, login("r.example", "ann", "1"))
  }

  @Test("FINDINGS A5: a background job gets no login by a touch, though its shell is in front")
  func backgroundJob() throws {
    try state.setUp()
    expect(try helper("store", login("r.example", "ann", "s3cret")), "")
    try state.succeed(
      "item", "update", "--server", "r.example", "--set-access", "presence",
      passcode: TestHome.passcode)
    let program = bin.file("docker-credential-authcore")
    let server = try bin.write("server", Data("r.example".utf8)).path
    func get(_ end: String) throws -> TerminalRun {
      try TerminalRun(
        ["-c", "set -m; \"$1\" get <\"$2\" \(end)", "sh", program, server], program: "/bin/sh",
        environment: environment.merging(["AUTHCORE_DRIVER": try state.ownerTouch()]) { $1 })
    }
    let hidden = try get("& wait $!")
    #expect(hidden.status == 1 && !hidden.shown.contains("s3cret"), "\(hidden)")
    #expect(!hidden.shown.contains("Touch the reader"), "\(hidden)")
    let seen = try get("")
    #expect(seen.status == 0 && seen.shown.contains("s3cret"), "\(seen)")
  }

  @Test(
    "K8: skopeo logs in to a registry with it, and no secret is in its file",
    .enabled(
      if: registries.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) },
      "skopeo or docker-registry is not installed"))
  func skopeo() throws {
    // For the password s3cret.
    let hash = "ann:$2b$04$09iKS9hrU/BIM3kickksT.5.8pgGH32q.qjUf32a0jSDZTrDFcH5.\n"
    let passwords = try bin.write("htpasswd", Data(hash.utf8)).path
    let configuration = """
      version: 0.1
      storage: {inmemory: {}}
      http: {addr: "127.0.0.1:0"}
      auth: {htpasswd: {realm: test, path: "\(passwords)"}}
      """
    let registry = Process()
    registry.executableURL = URL(filePath: registries[1])
    registry.arguments = [
      "serve", try bin.write("registry.yml", Data(configuration.utf8)).path,
    ]
    let log = Pipe()
    registry.standardError = log
    registry.standardOutput = FileHandle.nullDevice
    try registry.run()
    defer {
      registry.terminate()
      registry.waitUntilExit()
    }
    var said = ""
    let listening = /listening on (127\.0\.0\.1:[0-9]+)/
    while said.firstMatch(of: listening) == nil {
      let more = log.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the registry ended: \(said)")
      said += String(decoding: more, as: UTF8.self)
    }
    let server = try #require(said.firstMatch(of: listening).map { String($0.1) })
    let file = try bin.write(
      "auth.json", Data(#"{"credHelpers":{"\#(server)":"authcore"}}"#.utf8)
    ).path
    func skopeo(_ arguments: String..., input: String = "") throws -> CommandRun {
      try run(
        registries[0], arguments, input: Data(input.utf8),
        environment: environment.merging(["REGISTRY_AUTH_FILE": file]) { $1 })
    }
    func login(_ password: String) throws -> CommandRun {
      try skopeo(
        "login", "--tls-verify=false", "-u", "ann", "--password-stdin", server, input: password)
    }
    // The registry knows no such image, and says so only to those it lets in.
    func look() throws -> String {
      try skopeo("inspect", "--tls-verify=false", "docker://\(server)/image").errors
    }
    #expect(try login("wrong").status != 0)
    expect(try helper("list"), "{}\n")
    #expect(try look().contains("unauthorized"))
    try login("s3cret").expectSuccess()
    expect(try helper("get", server), self.login(server, "ann", "s3cret"))
    #expect(try look().contains("manifest unknown"))
    let kept = try String(contentsOfFile: file, encoding: .utf8)
    #expect(
      !kept.contains("s3cret") && !kept.contains(Data("ann:s3cret".utf8).base64EncodedString()))
    try skopeo("logout", server).expectSuccess()
    expect(try helper("list"), "{}\n")
    #expect(try look().contains("unauthorized"))
  }
}
