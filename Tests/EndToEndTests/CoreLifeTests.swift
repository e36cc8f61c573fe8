import CoreClient
import Foundation
import Protocol
import TestSupport
import Testing

@Suite("The core on demand", .timeLimit(.minutes(60)))
struct CoreLifeTests {
  @Test("status works without a reader and names engines and paths")
  func status() throws {
    let state = try TestHome()
    let status = try state.succeed("status")
    #expect(status.json["mode"]?.string == "on-demand")
    for engine in ["enclave", "keychain", "policy"] {
      let path = try #require(status.json["engines"]?[engine]?.string)
      #expect(FileManager.default.fileExists(atPath: path))
    }
    #expect(status.json["driver"] == .null)
    #expect(status.json["passcodeSet"]?.bool == false)
    #expect(status.json["locked"]?.bool == false)
    #expect(status.json["rootKey"]?.string == "file")
  }

  @Test("FINDINGS B13: status shows people no path of a plugin without --verbose")
  func statusPaths() throws {
    let state = try TestHome()
    let paths = ["/libauthcore-enclave.so", "/libauthcore-driver-replay.so"]
    let brief = try state.succeed("--driver", "replay", "status", json: false)
    #expect(brief.text.contains("replay"), "\(brief.account)")
    for path in paths { #expect(!brief.text.contains(path), "\(brief.account)") }
    let verbose = try state.authcore("--driver", "replay", "status", "--verbose", json: false)
    for path in paths { #expect(verbose.text.contains(path), "\(verbose.account)") }
  }

  @Test("the command that started the core lets go of its output when it exits")
  func outputCloses() throws {
    let state = try TestHome()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Products.program("authcore"))
    process.arguments = ["--json", "--home", state.home, "status"]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    // Returns at the end of file, which never comes if the core keeps the descriptor.
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(!output.isEmpty)
    #expect(state.core != nil)
  }

  @Test("FINDINGS F: neither a hang-up under nohup nor Ctrl-C in a script's background ends a core")
  func ignored() throws {
    let state = try TestHome()
    let server = try state.serve(lockAfter: 300, ["--ignore-signal=HUP,INT"])
    let core = try #require(state.core)
    let status = try String(contentsOfFile: "/proc/\(core)/status", encoding: .utf8)
    func mask(_ name: String) throws -> UInt64 {
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
      return try #require(UInt64(line.dropFirst(name.count + 2), radix: 16))
    }
    let asking: UInt64 = 1 << (SIGHUP - 1) | 1 << (SIGINT - 1)
    // A blocked signal waits for the core even if it is ignored.
    #expect(try mask("SigIgn") & asking == asking && mask("SigBlk") & asking == 0, "\(status)")
    kill(core, SIGTERM)
    server.waitUntilExit()
    #expect(state.core == nil)
  }

  @Test("quit ends the core and its hosts before it returns, and never starts one")
  func quit() throws {
    let state = try TestHome()
    try state.succeed("quit")
    #expect(!FileManager.default.fileExists(atPath: state.home) || state.processes.isEmpty)
    try state.succeed("status")
    #expect(!state.processes.isEmpty)
    try state.succeed("quit")
    #expect(state.processes.isEmpty)
  }

  @Test("two commands that start the core at once share one")
  func race() async throws {
    let state = try TestHome()
    let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
      for _ in 0..<4 { group.addTask { try state.authcore("status").status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == [0, 0, 0, 0])
    let cores = state.processes.filter {
      FileManager.default.contents(atPath: "/proc/\($0)/comm") == Data("authcored\n".utf8)
    }
    #expect(cores.count == 1)
  }

  @Test("a state folder with a path of 300 characters works")
  func longPath() throws {
    let state = try TestHome(
      name: (0..<6).map { _ in String(repeating: "p", count: 50) }.joined(separator: "/"))
    try state.succeed("status")
  }

  @Test("ATTACKS 8: 64 silent connections stop neither status nor quit")
  func silentConnections() throws {
    let state = try TestHome()
    try state.succeed("status")
    let path = state.home + "/core.sock"
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    var sockets: [Int32] = []
    defer { for socket in sockets { close(socket) } }
    for _ in 0..<64 {
      sockets.append(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
      let result = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe connect(sockets[sockets.count - 1], $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      #expect(result == 0)
    }
    try state.succeed("status")
    try state.succeed("quit")
  }

  @Test("a killed enclave comes back before first unlock")
  func killedEnclave() throws {
    let state = try TestHome.enrolled()
    let core = try #require(state.core)
    for process in state.processes where process != core { kill(process, SIGKILL) }
    var status = try state.authcore("status")
    // The first command may meet the end and fail; the next one has a new enclave.
    if status.status == 5 { status = try state.authcore("status") }
    #expect(status.status == 0, "\(status.account)")
    #expect(status.json["firstUnlocked"]?.bool == false, "\(status.account)")
  }

  @Test("a folder that cannot be written is an error with a hint")
  func readOnlyHome() throws {
    guard geteuid() != 0 else { return }
    let folder = try TemporaryFolder()
    _ = unsafe chmod(folder.url.path, 0o500)
    let added = try run(
      "authcore",
      ["--json", "--home", folder.file("s"), "item", "add", "mail"],
      input: Data("secret".utf8))
    _ = unsafe chmod(folder.url.path, 0o700)
    #expect(added.status == 5, "\(added.account)")
    #expect(added.json["error"]?["hint"]?.string?.isEmpty == false, "\(added.account)")
  }

  @Test(
    "a damaged state file is named, left alone, and every command says so",
    arguments: [true, false])
  func damagedState(cutInHalf: Bool) throws {
    let state = try TestHome.enrolled()
    try state.succeed("quit")
    let folder = URL(fileURLWithPath: state.home).appendingPathComponent("enclave")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let name = try #require(files.first { $0.contains("keybag") }, "\(files)")
    let file = folder.appendingPathComponent(name)
    var contents = try Data(contentsOf: file)
    if cutInHalf {
      contents = contents.prefix(contents.count / 2)
    } else {
      contents[contents.count / 2] ^= 1
    }
    try contents.write(to: file)
    let auth = try state.authcore("unlock", passcode: TestHome.passcode)
    #expect(auth.status == 5, "\(auth.account)")
    #expect(auth.text.contains("keybag"), "\(auth.account)")
    #expect(try Data(contentsOf: file) == contents)
  }
}

@Suite("A core that is killed", .timeLimit(.minutes(60)))
struct KilledCoreTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["AUTHCORE_DURABILITY"] == "full" ? 500 : 4

  private func connect(to state: TestHome) throws(Failure) -> CoreConnection {
    try CoreAccess(to: .folder(state.home), program: Products.program("authcored")).connect()
  }

  private static func secret(_ round: Int, _ number: Int) -> String {
    "secret \(round) \(number) " + String(repeating: "s", count: number * 97 % 3000)
  }

  private func add(_ round: Int, _ number: Int, to connection: CoreConnection) throws(Failure) {
    var attributes = ItemAttributes()
    (attributes.service, attributes.account) = ("round \(round)", "\(number)")
    let text = Array(Self.secret(round, number).utf8)
    let request = AddItem(attributes: attributes, secret: SecretBytes(copying: text.span))
    let _: ItemAdded = try connection.ask(request)
  }

  private func isWhole(
    _ round: Int, _ number: Int, in connection: CoreConnection
  ) throws(Failure) -> Bool {
    var query = ItemQuery()
    (query.service, query.account) = ("round \(round)", "\(number)")
    let got: GotItem = try connection.ask(GetItem(query: query))
    let text = Array(Self.secret(round, number).utf8)
    return got.secret.isEqual(to: text.span)
  }

  private func accounts(_ round: Int, in connection: CoreConnection) throws(Failure) -> [String] {
    var query = ItemQuery()
    query.service = "round \(round)"
    do throws(Failure) {
      let reply: FoundItems = try connection.ask(FindItems(query: query))
      return reply.items.map(\.account)
    } catch  where error.code == .errSecItemNotFound {
      return []
    }
  }

  /// Whether a command of a state folder runs, and sleeps (proc(5)).
  private func sleeps(_ program: String, of state: TestHome) -> Bool {
    state.processes.contains { process in
      let line = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
      return String(decoding: line, as: UTF8.self).contains("(\(program)) S ")
    }
  }

  @Test("a command that waits for a core which is killed has another one started")
  func killedBeforeGreeting() throws {
    let state = try TestHome()
    _ = try connect(to: state)
    let core = try #require(state.core)
    kill(core, SIGSTOP)
    let command = BackgroundRun("authcore", ["--json", "--home", state.home, "status"])
    // Most likely it sleeps for the greeting; it must succeed in any case.
    var looks = 0
    while looks < 20 { looks = sleeps("authcore", of: state) ? looks + 1 : 0 }
    kill(core, SIGKILL)
    try command.end().expectSuccess()
    #expect(state.core != core)
  }

  @Test("K1: whenever the core is killed (kill -9) while a client adds, what it answered is there")
  func killed() throws {
    let state = try TestHome()
    var generator = SystemRandomNumberGenerator()
    var total = 0
    for round in 0..<Self.rounds {
      let connection = try connect(to: state)
      let core = try #require(state.core)
      let delay = Double.random(in: 0..<0.08, using: &generator)
      DispatchQueue.global().asyncAfter(deadline: .now() + delay) { kill(core, SIGKILL) }
      var acknowledged = 0
      var end: Failure?
      while end == nil {
        do throws(Failure) {
          try add(round, acknowledged, to: connection)
          acknowledged += 1
        } catch {
          end = error
        }
      }
      #expect(end?.code == .coreFailed, "\(end.map { "\($0)" } ?? "")")
      total += acknowledged
      let next = try connect(to: state)
      let found = try accounts(round, in: next)
      #expect(acknowledged...acknowledged + 1 ~= found.count, "round \(round)")
      #expect(found == (0..<found.count).map(String.init), "round \(round)")
      for number in found.indices {
        #expect(try isWhole(round, number, in: next), "round \(round), item \(number)")
      }
    }
    if Self.rounds > 100 { print("kill -9 of the core: \(Self.rounds) times, \(total) items") }
    try state.succeed("keychain", "check")
  }
}
