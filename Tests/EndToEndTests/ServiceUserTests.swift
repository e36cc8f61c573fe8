import Foundation
import Protocol
import TestSupport
import Testing

/// For root, who can be several users. `scripts/test` as root runs this suite as root.
@Suite(
  "The service and several users", .timeLimit(.minutes(60)),
  .enabled(if: getuid() == 0, "takes root"))
struct ServiceUserTests {
  private static let users: [UInt32] = [65_533, 65_532]
  private func authcore(
    as user: UInt32, _ service: TestService, _ arguments: String..., secret: String = ""
  ) throws -> CommandRun {
    let prefix = UnprivilegedUser.prefix(user)
    return try run(
      prefix[0], prefix.dropFirst() + [Products.program("authcore"), "--json"] + arguments,
      input: Data(secret.utf8), environment: service.environment)
  }

  @Test("each has a keychain of their own, and nobody finds another's")
  func apart() throws {
    let service = try TestService.ofItsOwnUser()
    for user in Self.users {
      try authcore(as: user, service, "item", "add", "mail", secret: "of \(user)").expectSuccess()
    }
    for user in Self.users {
      let got = try authcore(as: user, service, "item", "get", "mail")
      let secret = got.json["secret"]?.string.flatMap { Data(base64Encoded: $0) }
      #expect(secret == Data("of \(user)".utf8), "\(got.account)")
      let list = try authcore(as: user, service, "item", "list")
      #expect(list.text.components(separatedBy: "\"mail\"").count == 2, "\(list.account)")
      let look = try run(
        UnprivilegedUser.prefix(user)[0],
        UnprivilegedUser.prefix(user).dropFirst() + ["/bin/ls", "\(service.state)/users"])
      #expect(look.status != 0)
      try authcore(as: user, service, "quit").expect(error: "refusedByService")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(service.state)/users").count == 2)
    #expect(service.log.contains("user 65533: release for "), "\(service.log)")
  }

  /// A client in Python that floods the service and says so. Its arguments: the socket and the manner.
  private static let flood = """
    import array, os, socket, struct, sys
    path, what = sys.argv[1:]
    def client():
        made = socket.socket(socket.AF_UNIX)
        made.connect(path)
        return made
    def lingering():
        listener = socket.create_server(("127.0.0.1", 0))
        sender = socket.create_connection(listener.getsockname())
        sender.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 3600))
        sender.setblocking(False)
        try:
            while True: sender.send(bytes(65536))
        except BlockingIOError:
            return listener, sender
    def give(to, number):
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [number]))]
        try:
            return to.sendmsg([b"x"], rights) == 1
        except PermissionError:
            return False
    held = []
    if what == "descriptors":
        listener, sender = lingering()
        passed = [give(client(), sender.fileno()) for _ in range(8)]
        print("passed" if any(passed) else "refused", flush=True)
        # Where it was not passed on, this one waits.
        sender.close()
    elif what == "lengths":
        # One process may hold less than its user.
        os.fork(), os.fork()
        for length in [60_000] * 20 + [1_000] * 100 + [100] * 50 + [10] * 50:
            held.append(client())
            held[-1].sendall(struct.pack(">IB", length, 20))
        print("sent")
    elif what == "places":
        try:
            for _ in range(900): held.append(client())
        except OSError as error: print(error)
        print("connected")
    elif what == "connects":
        for _ in range(4000): client().close()
        print("connected")
    sys.stdout.flush()
    sys.stdin.read()
    """

  /// A hostile user's process; it ends with the value.
  private final class Flood {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(by user: UInt32, of socket: String, _ what: String) throws {
      let prefix = UnprivilegedUser.prefix(user)
      process.executableURL = URL(fileURLWithPath: prefix[0])
      process.arguments =
        prefix.dropFirst() + ["/usr/bin/python3", "-c", ServiceUserTests.flood, socket, what]
      process.environment = ["PATH": "/usr/bin:/bin"]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
    }

    /// Its words when the flood has arrived.
    var said: String {
      String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }

    deinit {
      try? input.fileHandleForWriting.close()
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  @Test(
    "FINDINGS A3, FINDINGS A4, FINDINGS A8, FINDINGS A10, FINDINGS A11: two hostile users hold up no third one, and not root",
    arguments: ["descriptors", "lengths", "places", "connects"])
  func flooded(what: String) throws {
    let service = try TestService.ofItsOwnUser()
    let honest: UInt32 = 65_530
    #expect(try authcore(as: honest, service, "item", "add", "mail", secret: "kept").status == 0)
    // Their cores run: what they send is read at once.
    for user in Self.users { #expect(try authcore(as: user, service, "status").status == 0) }
    let floods = try Self.users.map { try Flood(by: $0, of: service.socket, what) }
    for flood in floods { #expect(!flood.said.isEmpty) }
    for _ in 0..<3 {
      try authcore(as: honest, service, "item", "get", "mail").expectSuccess()
    }
    let status = try service.authcore("status")
    #expect(status.status == 0, "root: \(status.account)")
    withExtendedLifetime(floods) {}
    try service.succeed("quit")
  }

  /// Whether another file can be mounted over /etc/subuid.
  private static let canReplaceRanges: Bool = {
    let bind = try? run(
      "/usr/bin/unshare", ["-m", "mount", "--bind", "/etc/subuid", "/etc/subuid"])
    return bind?.status == 0
  }()

  @Test(
    "K2: in another's range of /etc/subuid an account or a keychain is served, no other",
    .enabled(if: ServiceUserTests.canReplaceRanges, "no /etc/subuid, or nothing may be mounted"))
  func subordinate() throws {
    let folder = try TemporaryFolder()
    let ranges = try folder.write("subuid", Data()).path
    let service = try TestService.ofItsOwnUser(
      prefix: ["/usr/bin/unshare", "-m", "/bin/sh", "-c"] + [
        "mount --bind \(ranges) /etc/subuid && exec \"$@\"", "sh",
      ])
    #expect(try authcore(as: 65_533, service, "item", "add", "mail").status == 0)
    try Data("lxd:1:1\nlxd:65532:2\n".utf8).write(to: URL(fileURLWithPath: ranges), options: [])
    try service.restart()
    #expect(try authcore(as: 65_533, service, "item", "get", "mail").status == 0)
    try authcore(as: 1, service, "item", "add", "mail").expectSuccess()
    try authcore(as: 65_532, service, "item", "add", "mail").expect(error: "unsupported")
  }

  @Test("root may end it, and nobody loses anything")
  func quitting() throws {
    let service = try TestService.ofItsOwnUser()
    #expect(try authcore(as: 65_533, service, "item", "add", "mail", secret: "kept").status == 0)
    let first = service.process
    try service.succeed("quit")
    try authcore(as: 65_533, service, "item", "get", "mail").expectSuccess()
    #expect(service.process != first)
  }

  @Test("a state folder of somebody else's is refused, and named")
  func wrongOwner() throws {
    let service = try TestService(prefix: TestService.ownUserPrefix)
    _ = unsafe chmod(service.folder.url.path, 0o755)
    _ = unsafe mkdir(service.state, 0o700)
    let client = Process()
    client.executableURL = URL(fileURLWithPath: Products.program("authcore"))
    client.arguments = ["status"]
    client.environment = service.environment
    client.standardError = FileHandle.nullDevice
    client.standardOutput = FileHandle.nullDevice
    try client.run()
    #expect(service.awaitLog("chown -R 65531"), "\(service.log)")
    _ = unsafe chown(service.state, UnprivilegedUser.service, UnprivilegedUser.service)
    client.waitUntilExit()
    #expect(client.terminationStatus == 0)
  }

  @Test("K2: what the command kept on demand it finds in the service, which is another user's")
  func migrated() throws {
    let service = try TestService.ofItsOwnUser()
    let user = Self.users[0]
    let folder = try TemporaryFolder()
    let home = folder.file("state")
    _ = unsafe chown(folder.url.path, user, user)
    let passcode = try folder.write("passcode", TestHome.passcode + "\n")
    _ = unsafe chown(passcode, user, user)
    func alone(_ arguments: String...) throws -> CommandRun {
      let prefix = UnprivilegedUser.prefix(user)
      return try run(
        prefix[0],
        prefix.dropFirst() + [Products.program("authcore"), "--json", "--home", home] + arguments,
        input: Data("s3cret".utf8), environment: service.environment)
    }
    #expect(try alone("passcode", "set", "--passcode-file", passcode).status == 0)
    #expect(try alone("item", "add", "mail").status == 0)
    #expect(try alone("item", "add", "shared", "--group", "team").status == 0)
    #expect(try alone("key", "create", "signer").status == 0)
    // A look at the service leaves an enclave there that keeps nothing.
    #expect(try authcore(as: user, service, "item", "list").status == 0)
    let moved = try alone("migrate")
    #expect(moved.status == 0, "\(moved.account)\n\(service.log)")
    #expect(try authcore(as: user, service, "unlock", "--passcode-file", passcode).status == 0)
    for arguments in [["item", "get", "mail"], ["item", "get", "shared", "--group", "team"]] {
      let prefix = UnprivilegedUser.prefix(user)
      let got = try run(
        prefix[0], prefix.dropFirst() + [Products.program("authcore")] + arguments,
        environment: service.environment)
      #expect(got.text == "s3cret", "\(got.account)")
    }
    #expect(try authcore(as: user, service, "key", "sign", "signer", secret: "x").status == 0)
    try alone("migrate").expect(error: "errSecItemNotFound")
  }

  /// The witness of the service.
  private func witness(of service: TestService) throws -> Int32 {
    let parent = try #require(service.process)
    let children = try String(
      contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
    let found = children.split(separator: " ").compactMap { Int32($0) }.filter { child in
      let line = try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)
      return line?.contains("--witness") == true
    }
    #expect(found.count == 1)
    return try #require(found.first)
  }

  /// A field of `/proc/PID/status` (proc(5)).
  private func status(_ name: String, of process: Int32) throws -> String {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
    return String(line.dropFirst(name.count + 1)).trimmingCharacters(in: .whitespaces)
  }

  @Test("K2: the core has no right beyond its user's; a witness beside it sees who is calling")
  func rights() throws {
    let service = try TestService.ofItsOwnUser()
    #expect(try authcore(as: 65_533, service, "item", "add", "mail").status == 0)
    #expect(try status("CapEff", of: #require(service.process)) == "0000000000000000")
    // CAP_SYS_PTRACE, and nothing else.
    #expect(try status("CapEff", of: witness(of: service)) == "0000000000080000")
    // SECCOMP_MODE_FILTER.
    #expect(try status("Seccomp", of: witness(of: service)) == "2")
    #expect(service.log.contains("item-add for authcore"), "\(service.log)")
  }

  @Test("without its witness the service ends, and names nobody wrongly; the next one has its own")
  func lostWitness() throws {
    let service = try TestService.ofItsOwnUser()
    #expect(try authcore(as: 65_533, service, "item", "add", "mail", secret: "kept").status == 0)
    let first = try #require(service.process)
    kill(try witness(of: service), SIGKILL)
    // A client that comes meanwhile loses its connection.
    _ = try authcore(as: 65_533, service, "item", "get", "mail")
    let got = try authcore(as: 65_533, service, "item", "get", "mail")
    #expect(got.status == 0, "\(got.account)\n\(service.log)")
    #expect(service.process != first)
    #expect(service.log.contains("the witness of who is calling does not answer"))
  }

  /// Greets, and asks for the status itself and in a child.
  private static let forking = """
    import os, socket, struct, sys
    core = socket.socket(socket.AF_UNIX)
    core.connect(sys.argv[1])
    def send(number, fields):
        body = bytes([number]) + struct.pack(">I", number) + fields
        core.sendall(struct.pack(">I", len(body)) + body)
    def receive():
        count = struct.unpack(">I", core.recv(4, socket.MSG_WAITALL))[0]
        return core.recv(count, socket.MSG_WAITALL)
    send(2, struct.pack(">II", \(ClientEnvelope.version), 1) + b"x")
    print("welcome", receive()[0])
    send(6, b"")
    print("own", receive()[0])
    sys.stdout.flush()
    if os.fork() == 0:
        send(6, b"")
        print("child", receive()[0], core.recv(1))
        sys.stdout.flush()
        os._exit(0)
    os.wait()
    """

  @Test("K2: a process that inherits a connection is refused, and the connection ends")
  func inherited() throws {
    let service = try TestService.ofItsOwnUser()
    let prefix = UnprivilegedUser.prefix(65_533)
    let run = try run(
      prefix[0],
      prefix.dropFirst() + ["/usr/bin/python3", "-c", Self.forking, service.socket])
    let lines = run.text.split(separator: "\n")
    #expect(lines.contains("child 0 b''"), "\(run.account)\n\(run.text)")
    #expect(lines.count == 3 && lines[1].hasPrefix("own ") && lines[1] != "own 0", "\(run.text)")
  }
}
