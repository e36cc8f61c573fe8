import Glibc
import LinuxSystem
import Protocol
import TestSupport
import Testing

@testable import CoreClient

@Suite("Coming to a core", .timeLimit(.minutes(60)))
struct CoreAccessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func access(_ folder: String, program: String = "/nonexistent/authcored") -> CoreAccess {
    CoreAccess(to: .folder(folder), program: program)
  }

  @Test("without a folder, or a core in it, no core runs")
  func none() throws {
    #expect(try access(folder.path + "/folder").connectIfRunning() == nil)
    #expect(try access(folder.path).connectIfRunning() == nil)
    #expect(try access(folder.path).quit() == false)
  }

  @Test("a socket without a listener counts as none")
  func stale() throws {
    let path = folder.path + "/" + StateFolder.socket
    _ = try Listening(path)
    #expect(try access(folder.path).connectIfRunning() == nil)
  }

  @Test("a folder that others may enter is refused, with the command that mends it")
  func openFolder() throws {
    #expect(unsafe chmod(folder.path, 0o755) == 0)
    let failure = #expect(throws: Failure.self) { try access(folder.path).connectIfRunning() }
    #expect(failure?.code == .coreFailed)
    #expect(failure?.hint?.contains("chmod 700") == true)
  }

  @Test("an unlocked core of another version is not ended, and both versions are named")
  func otherVersion() throws {
    let address = folder.path + "/" + StateFolder.socket
    let listening = try Listening(address)
    SystemThread.start(name: "other core") {
      // A script that fails closes the connection, which the test sees.
      try? listening.serve { core in
        try core.greet(version: ClientEnvelope.version + 1)
        let quit: FakeCore.Heard<Quit> = try core.hear()
        guard quit.message.unlessUnlocked else { return }
        try core.say(Failure(.busy, "unlocked"), to: quit.request)
      }
    }
    let failure = #expect(throws: Failure.self) { try access(folder.path).connect() }
    #expect(failure?.code == .coreVersionMismatch)
    #expect(failure?.message.contains("protocol \(ClientEnvelope.version + 1)") == true)
    #expect(failure?.message.contains("protocol \(ClientEnvelope.version))") == true)
    #expect(failure?.hint?.contains("authcore quit") == true)
  }

  @Test("a service of another version is not ended, and its unit is named")
  func otherService() throws {
    let address = folder.path + "/service"
    let listening = try Listening(address)
    SystemThread.start(name: "other service") {
      try? listening.serve { core in
        try core.greet(version: ClientEnvelope.version + 1, isService: true)
      }
    }
    let access = CoreAccess(to: .service(socket: address), program: "/nonexistent/authcored")
    let failure = #expect(throws: Failure.self) { try access.connect() }
    #expect(failure?.code == .coreVersionMismatch)
    #expect(failure?.hint == "Run: sudo systemctl restart \(Self.unit)")
  }

  @Test("the service's units are named if nobody listens on its socket")
  func noService() throws {
    let address = folder.path + "/service"
    _ = try Listening(address)
    let access = CoreAccess(to: .service(socket: address), program: "/nonexistent/authcored")
    let failure = #expect(throws: Failure.self) { try access.connect() }
    #expect(failure?.code == .coreFailed)
    #expect(failure?.hint == "Run: systemctl status \(Self.unit).socket \(Self.unit)")
  }

  @Test("authcored is searched for only if it has to be started")
  func programIsNotNeeded() throws {
    let missing = Failure(.untrustedPlugin, "authcored is 65534's")
    let address = folder.path + "/service"
    let listening = try Listening(address)
    SystemThread.start(name: "service") {
      try? listening.serve { core in try core.greet(isService: true) }
    }
    let there = CoreAccess(
      to: .service(socket: address), program: try { () throws(Failure) in throw missing }())
    #expect(try there.connectToAnyRelease().welcome.isService)
    let nowhere = CoreAccess(
      to: .folder(folder.path), program: try { () throws(Failure) in throw missing }())
    let failure = #expect(throws: Failure.self) { try nowhere.connectToAnyRelease() }
    #expect(failure?.code == .untrustedPlugin)
  }

  @Test(
    "a service that ends before it answers is looked for in the journal", arguments: [true, false])
  func lostService(beforeGreeting: Bool) throws {
    let address = folder.path + "/service"
    let listening = try Listening(address)
    SystemThread.start(name: "ending service") {
      try? listening.serve { core in
        if !beforeGreeting { try core.greet(isService: true) }
      }
    }
    let access = CoreAccess(to: .service(socket: address), program: "/nonexistent/authcored")
    let failure = #expect(throws: Failure.self) {
      let _: CoreStatus = try access.connect().request(GetStatus())
    }
    #expect(failure?.code == .coreFailed)
    #expect(failure?.message.contains("service was lost") == true)
    #expect(failure?.hint?.contains("journalctl -u \(Self.unit)") == true)
    #expect(failure?.hint?.contains("a new core is started") == false)
  }

  @Test(
    "the hint for an incomprehensible core says how to end it",
    arguments: [(false, "authcore quit"), (true, "sudo systemctl restart \(Self.unit)")])
  func notUnderstood(isService: Bool, way: String) throws {
    let connection = try FakeCore.connect { core in
      try core.greet(isService: isService)
      let asked: FakeCore.Heard<GetStatus> = try core.hear()
      try core.say(Done(), to: asked.request)
    }
    let failure = #expect(throws: Failure.self) {
      let _: CoreStatus = try connection.request(GetStatus())
    }
    #expect(
      failure?.code == .coreFailed && failure?.hint == "Run: \(way)",
      "\(String(describing: failure))")
  }

  /// As packaging/systemd has it.
  private static let unit = "authcored"

  @Test("a missing program is named")
  func noProgram() throws {
    let failure = #expect(throws: Failure.self) { try access(folder.path).connect() }
    #expect(failure?.code == .coreFailed)
    #expect(failure?.message.contains("/nonexistent/authcored") == true)
  }

  @Test("a program that ends without a word is an error, not a hang")
  func silentProgram() throws {
    let failure = #expect(throws: Failure.self) {
      try access(folder.path, program: "/bin/true").connect()
    }
    #expect(failure?.code == .coreFailed)
    #expect(failure?.message.contains("ended with status 0") == true)
  }
}

@Suite("Which core a client talks to")
struct CoreLocationTests {
  private let person = ClientEnvironment(stateFolder: "/home/ann/.local/state", workingFolder: "/w")

  private func choose(
    _ home: String? = nil, _ prints: CoreLocation.Prints = .real, service: String? = nil,
    environment: ClientEnvironment? = nil
  ) throws -> CoreLocation {
    try CoreLocation.choose(
      home: home, prints: prints, environment: environment ?? person, service: service)
  }

  @Test("a named folder precedes everything else, and is made absolute")
  func named() throws {
    #expect(try choose("/x", .synthetic, service: "/run/s") == .folder("/x"))
    #expect(try choose("x", service: "/run/s") == .folder("/w/x"))
    let both = ClientEnvironment(home: "/from/environment", stateFolder: "/s", workingFolder: "/w")
    #expect(try choose("/x", environment: both) == .folder("/x"))
    #expect(try choose(service: "/run/s", environment: both) == .folder("/from/environment"))
  }

  @Test("synthetic prints have a folder of their own, with a service there too")
  func synthetic() throws {
    #expect(
      try choose(nil, .synthetic, service: "/run/s")
        == .folder("/home/ann/.local/state/authcore-replay"))
  }

  @Test("without a named folder the service is used if it exists, else the person's own core")
  func own() throws {
    #expect(try choose(service: "/run/s") == .service(socket: "/run/s"))
    #expect(try choose() == .folder("/home/ann/.local/state/authcore"))
  }

  @Test("AUTHCORE_SERVICE names a socket or none; other values are ignored")
  func serviceChoice() {
    #expect(ServiceChoice("/tmp/s") == .socket("/tmp/s"))
    #expect(ServiceChoice("/tmp/s").presentSocket == "/tmp/s")
    #expect(ServiceChoice("off").presentSocket == nil)
    for value in [nil, "", "relative/s", "OFF"] { #expect(ServiceChoice(value) == .usual) }
  }

  @Test("FINDINGS A9: a program with more rights than its caller's asks the service or nobody")
  func privileged() throws {
    let socket = ServiceChoice.current(.privileged).presentSocket
    #expect(socket == "/run/authcore/core.sock")
    #expect(try choose(service: socket) == .service(socket: "/run/authcore/core.sock"))
  }

  @Test("no folder at all, and one without a name, are errors")
  func nowhere() {
    #expect(throws: Failure.self) {
      try choose(environment: ClientEnvironment(stateFolder: nil, workingFolder: "/"))
    }
    #expect(throws: Failure.self) { try choose("") }
  }
}
