import CoreClient
import Foundation
import Protocol
import TestSupport
import Testing

@Suite("The service of the machine", .timeLimit(.minutes(60)))
struct ServiceTests {
  private func connect(to service: TestService) throws(Failure) -> CoreConnection {
    try CoreAccess(to: .service(socket: service.socket), program: "/none").connect()
  }

  @Test("commands use it where it is there, with the results of a core on demand")
  func commands() throws {
    let service = try TestService()
    let status = try service.authcore("status")
    #expect(status.json["mode"]?.string == "service", "\(status.account)")
    #expect(status.json["home"]?.string == "\(service.state)/users/\(getuid())")
    try service.succeed("passcode", "set", passcode: TestHome.passcode)
    try service.succeed("item", "add", "mail", "me", secret: "s3cret")
    #expect(try service.authcore("item", "get", "mail", json: false).text == "s3cret")
    try service.succeed("lock")
    try service.authcore("item", "get", "mail").expect(error: "errSecInteractionNotAllowed")
    try service.succeed("unlock", passcode: TestHome.passcode)
  }

  @Test("its folders are its own alone, one for each user")
  func folders() throws {
    let service = try TestService()
    try service.succeed("status")
    for folder in ["", "/users", "/users/\(getuid())", "/users/\(getuid())/enclave"] {
      let facts = try FileManager.default.attributesOfItem(atPath: service.state + folder)
      #expect(facts[.posixPermissions] as? Int == 0o700, "\(folder)")
    }
  }

  @Test("a file in the place of a user's folder is told from a folder of somebody else's")
  func fileForFolder() throws {
    let service = try TestService()
    for folder in [service.state, service.state + "/users"] {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
    let file = service.state + "/users/\(getuid())"
    try Data().write(to: URL(fileURLWithPath: file))
    let status = try service.authcore("status")
    #expect(status.errorName == "storageFailed", "\(status.account)")
    #expect(status.text.contains("move that away") && !status.text.contains("chown"))
    try FileManager.default.removeItem(atPath: file)
    try service.succeed("status")
  }

  @Test("it chooses its drivers, waits for no unseen touch, and ends for root only")
  func refusals() throws {
    let service = try TestService()
    #expect(try service.authcore("--driver", "elan", "status").errorName == "refusedByService")
    try service.succeed("passcode", "set", passcode: TestHome.passcode)
    try service.authcore("--unattended", "auth", "--reason", "r").expect(error: "refusedByService")
    // Synthetic prints never open anything real: they have a core of their own.
    if getuid() != 0 {
      try service.authcore("quit").expect(error: "refusedByService")
    }
    try service.succeed("status")
  }

  @Test("doctor and hints know the service: nothing that it refuses is recommended")
  func doctor() throws {
    let service = try TestService()
    let doctor = try service.succeed("--driver", "elan", "doctor")
    #expect(doctor.text.contains("the service runs and is of this version"), "\(doctor.account)")
    #expect(doctor.text.contains("elan, version "), "the driver that is named is looked at")
    for refused in ["chooses its drivers itself", "a driver: --driver", "authcore quit"] {
      #expect(!doctor.text.contains(refused), "\(doctor.account)")
    }
    // It asks the bus of this machine and ignores the environment.
    if !FileManager.default.fileExists(atPath: "/run/dbus/system_bus_socket") {
      #expect(doctor.text.contains("Nobody says who sits at this machine"), "\(doctor.account)")
      #expect(doctor.json["works"]?.bool == false)
    }
    try service.succeed("passcode", "set", passcode: TestHome.passcode)
    let enrolled = try service.authcore("finger", "enroll", passcode: TestHome.passcode)
    #expect(enrolled.errorName == "biometryNotAvailable", "\(enrolled.account)")
    #expect(!enrolled.text.contains("--driver"), "\(enrolled.account)")
    let moved = try service.authcore(
      "root-key", "migrate", "--to", "tpm", passcode: TestHome.passcode)
    if moved.errorName == "errSecNotAvailable" {
      #expect(moved.text.contains("sudo systemctl restart authcored"), "\(moved.account)")
      #expect(!moved.text.contains("authcore quit"), "\(moved.account)")
    }
  }

  @Test("who is not root is served as nobody else")
  func servedAsAnother() throws {
    guard getuid() != 0 else { return }
    let service = try TestService()
    let connection = try connect(to: service)
    for user in [getuid(), 0, 4_294_967_295] {
      do throws(Failure) {
        let _: Done = try connection.request(ServeUser(user: user))
        Issue.record("served as \(user)")
      } catch {
        #expect(error.code == .errSecMissingEntitlement)
      }
    }
    let status: CoreStatus = try connection.request(GetStatus())
    #expect(status.home == "\(service.state)/users/\(getuid())")
  }

  @Test("a restart ends what waits with systemCancel, and then it is before first unlock")
  func restart() throws {
    let service = try TestService()
    try service.succeed("passcode", "set", passcode: TestHome.passcode)
    try service.succeed("item", "add", "mail", secret: "kept")
    let connection = try connect(to: service)
    let first = try #require(service.process)
    let agent = RestartingAgent { try? service.signal(SIGTERM) }
    do throws(Failure) {
      let _: Evaluated = try connection.request(
        UnlockDevice(options: RestartingAgent.options), agent: agent)
      Issue.record("nobody gave a passcode")
    } catch {
      #expect(error.code == .systemCancel, "\(error)")
    }
    #expect(agent.hasShown)
    // The socket stays, and the next service answers behind it.
    let status = try service.succeed("status")
    #expect(service.process != first)
    #expect(status.json["firstUnlocked"]?.bool == false)
    try service.authcore("item", "get", "mail").expect(error: "errSecInteractionNotAllowed")
    try service.succeed("unlock", passcode: TestHome.passcode)
    #expect(try service.authcore("item", "get", "mail", json: false).text == "kept")
  }

  @Test(
    "systemd-socket-activate starts it",
    .enabled(if: Self.activates, "systemd-socket-activate is not installed"))
  func activation() throws {
    let folder = try TemporaryFolder()
    let socket = folder.file("s")
    let process = Process()
    // It becomes the service, which closes the descriptors by which Foundation knows its children:
    // another process stays between them.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [
      "-c", Self.between, Self.activator, "-l", socket,
      "-E", "STATE_DIRECTORY=\(folder.url.path)/state", Products.program("authcored"), "--service",
    ]
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    #expect(eventually { FileManager.default.fileExists(atPath: socket) })
    let status = try run(
      "authcore", ["--json", "status"], environment: ["AUTHCORE_SERVICE": socket])
    #expect(status.json["mode"]?.string == "service", "\(status.account)")
  }

  private static let between = """
    import signal, subprocess, sys
    process = subprocess.Popen(sys.argv[1:])
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    process.wait()
    """
  private static let activator = "/usr/bin/systemd-socket-activate"
  private static let activates = FileManager.default.isExecutableFile(atPath: activator)

  @Test("without its socket, or with a state folder that others may enter, it says so and ends")
  func badBeginnings() throws {
    for environment in [
      [:], ["LISTEN_FDS": "1"], ["LISTEN_FDS": "1", "LISTEN_PID": "1"],
      ["LISTEN_FDS": "x", "LISTEN_PID": "\(getpid())"],
    ] {
      let run = try run("authcored", ["--service"], environment: environment)
      #expect(run.status == 5, "\(run.account)")
      #expect(run.errors.contains("LISTEN_") && run.errors.contains("hint: "), "\(run.errors)")
    }
    try run("authcored", ["--service", "--home", "/tmp"]).expect(status: 64)

    let service = try TestService()
    try FileManager.default.createDirectory(
      atPath: service.state, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o750])
    let client = Process()
    client.executableURL = URL(fileURLWithPath: Products.program("authcore"))
    client.arguments = ["status"]
    client.environment = service.environment
    client.standardError = FileHandle.nullDevice
    try client.run()
    #expect(service.awaitLog("chmod 700"))
    #expect(service.log.contains("Others may enter the state folder"), "\(service.log)")
    // Afterwards it serves the client that waited.
    _ = unsafe chmod(service.state, 0o700)
    client.waitUntilExit()
    #expect(client.terminationStatus == 0)
  }

  @Test("every release, miss and change is written down with user, application and outcome")
  func audit() throws {
    let service = try TestService()
    _ = try service.authcore("passcode", "set", passcode: TestHome.passcode)
    _ = try service.authcore("item", "add", "planted-service", "planted-account", secret: "s3cret")
    _ = try service.authcore("item", "get", "planted-service")
    _ = try service.authcore("key", "create", "planted-key")
    // Nothing is locked, and nobody proves anything.
    try service.succeed("unlock")
    _ = try service.authcore("lock")
    _ = try service.authcore("item", "get", "planted-service")
    _ = try service.authcore("unlock", passcode: "wrong one")
    let user = getuid()
    for line in [
      "passcode-set for authcore: done", "item-add for authcore: done",
      "release for authcore: done", "key-create for authcore: done", "lock for authcore: done",
      "release for authcore: errSecInteractionNotAllowed", "wrong-passcode for authcore: counted",
      "unlock for authcore: authenticationFailed",
    ] { #expect(service.log.contains("user \(user): \(line)"), "\(line)\n\(service.log)") }
    #expect(!service.log.contains("unlock for authcore: done"), "\(service.log)")
    for secret in ["s3cret", "planted", TestHome.passcode, "wrong one"] {
      #expect(!service.log.contains(secret), "\(service.log)")
    }
  }

  @Test(
    "a policy that somebody besides root may change is not believed",
    .enabled(if: getuid() != 0, "as root no policy is refused"))
  func policyOfOwnUser() throws {
    let service = try TestService()
    try service.write(policy: "")
    try service.succeed("status")
    #expect(
      service.log.contains("somebody besides root may change \(service.policyFile)"),
      "\(service.log)")
    #expect(service.log.contains("run: chown root \(service.policyFile)"))
    #expect(service.log.contains("the strictest one holds until it is mended"))
  }

  @Test("systemd hears that it is ready, well, reading its policy, and about to end")
  func notices() throws {
    let folder = try TemporaryFolder()
    let notices = folder.file("notices")
    let listener = Process()
    listener.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    listener.arguments = ["-c", Self.listening, "\(folder.url.path)/notify", notices]
    try listener.run()
    defer {
      kill(listener.processIdentifier, SIGKILL)
      listener.waitUntilExit()
    }
    func hears(_ text: String) -> Bool {
      eventually {
        ((try? String(contentsOfFile: notices, encoding: .utf8)) ?? "").contains(text)
      }
    }
    #expect(hears("listening"))
    let service = try TestService(environment: [
      "NOTIFY_SOCKET": "\(folder.url.path)/notify", "WATCHDOG_USEC": "3000000",
    ])
    try service.succeed("status")
    #expect(hears("READY=1"))
    #expect(hears("WATCHDOG=1"))
    try service.signal(SIGHUP)
    #expect(hears("RELOADING=1"))
    try service.restart()
    #expect(hears("STOPPING=1"))
  }

  private static let listening = """
    import socket, sys
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listener.bind(sys.argv[1])
    with open(sys.argv[2], "w") as said:
        print("listening", file=said, flush=True)
        while True:
            print(listener.recv(4096).decode(), file=said, flush=True)
    """

  @Test(
    "the unit leaves little to whoever takes the service over: exposure below 1.5",
    .enabled(if: Self.canAnalyze, "systemd-analyze is not installed"))
  func unit() throws {
    let folder = try TemporaryFolder()
    let text = try String(
      contentsOf: Products.sources.appendingPathComponent("packaging/systemd/authcored.service"),
      encoding: .utf8
    ).replacingOccurrences(of: "@libexec@", with: "/usr/lib/authcore/bin")
    let unit = try folder.write("authcored.service", Data(text.utf8))
    let analysis = try run(
      Self.analyzer, ["security", "--offline=true", "--threshold=14", "--no-pager", unit.path]
    ).expectSuccess()
    #expect(!analysis.errors.contains("ignoring"), "\(analysis.errors)")
  }

  private static let analyzer = "/usr/bin/systemd-analyze"
  private static let canAnalyze = FileManager.default.isExecutableFile(atPath: analyzer)
}

/// Restarts the service when it is asked for a passcode.
private final class RestartingAgent: PromptAgent {
  private(set) var hasShown = false
  private let restart: () -> Void

  static let options = PromptOptions(
    reason: "to test", fallbackTitle: nil, cancelTitle: nil, timeoutMilliseconds: 240_000,
    mayPrompt: true, touch: .none, canGivePasscode: true, prefersPasscode: true,
    mayUseAgent: false)

  init(_ restart: @escaping () -> Void) { self.restart = restart }

  func show(_ prompt: Prompt, in conversation: any PromptConversation) throws(Failure) {
    hasShown = true
    restart()
  }

  func tell(_ progress: Protocol.Progress.Event) {}
  var watchedDescriptors: [Int32] { [] }
  func descriptorIsReady(_ number: Int32, in conversation: any PromptConversation) {}
  func requestEnded() {}
}
