package import Foundation
import Testing

/// `authcored --service` with its own state folder, behind a socket held as by systemd: the first
/// client starts the service, and so does the first one after its end. Ends with the value.
package final class TestService: CommandTarget {
  package let folder: TemporaryFolder
  package let socket: String
  /// The service's state folder.
  package let state: String
  private let holder = Process()

  /// What systemd does with a socket unit, and nothing else. Its own descriptor 3 may be what
  /// Foundation knows it by, and is left alone.
  private static let activation = """
    import os, select, signal, socket, subprocess, sys
    path, pid_file, log, program, *arguments = sys.argv[1:]
    listening = socket.socket(socket.AF_UNIX)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    listening.bind(path)
    os.chmod(path, 0o666)
    listening.listen(128)
    service = None
    def end(*_):
        raise SystemExit
    signal.signal(signal.SIGTERM, end)
    def announce():
        os.dup2(listening.fileno(), 3)
        os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
    print("listens", flush=True)
    try:
        while True:
            select.select([listening], [], [])
            with open(log, "ab") as output:
                service = subprocess.Popen([program, *arguments], pass_fds=[3], preexec_fn=announce, stderr=output)
            with open(pid_file + ".new", "w") as file:
                file.write(str(service.pid))
            os.rename(pid_file + ".new", pid_file)
            service.wait()
    finally:
        if service:
            service.terminate()
            service.wait()
    """

  /// - Parameters:
  ///   - arguments: after `--service`.
  ///   - environment: in addition to systemd's.
  ///   - prefix: a program and its arguments that run the service, as another user for instance.
  /// - Throws: if the socket cannot be held.
  package init(
    _ arguments: [String] = [], environment: [String: String] = [:], prefix: [String] = []
  ) throws {
    folder = try TemporaryFolder()
    socket = folder.url.appendingPathComponent("core.sock").path
    state = folder.url.appendingPathComponent("state").path
    let command = prefix + [Products.program("authcored"), "--service"] + arguments
    holder.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    holder.arguments = ["-c", Self.activation, socket, pidFile, logFile] + command
    holder.environment = [
      "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "STATE_DIRECTORY": state,
      "CONFIGURATION_DIRECTORY": folder.url.appendingPathComponent("etc").path,
    ].merging(environment) { $1 }
    let said = Pipe()
    holder.standardOutput = said
    try holder.run()
    try #require(!said.fileHandleForReading.availableData.isEmpty, "nobody holds the socket")
  }

  private var pidFile: String { folder.url.appendingPathComponent("pid").path }
  private var logFile: String { folder.url.appendingPathComponent("log").path }

  /// What clients are told of it.
  package var environment: [String: String] { ["AUTHCORE_SERVICE": socket] }

  /// What it has said.
  package var log: String {
    FileManager.default.contents(atPath: logFile).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The process that serves, or served last; nil before the first client.
  package var process: Int32? {
    FileManager.default.contents(atPath: pidFile).flatMap {
      Int32(String(decoding: $0, as: UTF8.self))
    }
  }

  /// The processes that the service started, with these words in their command line.
  package func children(named words: String) -> [Int32] {
    guard let parent = process else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { process in
      let data = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
      let fields = String(decoding: data, as: UTF8.self).split(separator: ")").last?
        .split(separator: " ")
      guard let fields, fields.count > 1, fields[1] == "\(parent)" else { return false }
      let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
      return words.isEmpty || String(decoding: line, as: UTF8.self).contains(words)
    }
  }

  /// Waits until the service has said something.
  package func awaitLog(_ text: String) -> Bool {
    eventually { log.contains(text) }
  }

  /// The folder of the policy.
  package var configuration: String { folder.url.appendingPathComponent("etc").path }
  /// Where the policy is.
  package var policyFile: String { configuration + "/policy.toml" }

  /// Writes the policy that it reads at its start and when it is told to (`SIGHUP`).
  package func write(policy: String) throws {
    try FileManager.default.createDirectory(
      atPath: configuration, withIntermediateDirectories: true)
    try Data(policy.utf8).write(to: URL(fileURLWithPath: policyFile))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: policyFile)
  }

  /// Runs `authcore` as a client of the service.
  package func authcore(
    _ arguments: [String], passcode: String?, newPasscode: String?, secret: String, input: Data?,
    json: Bool, environment: [String: String]
  ) throws -> CommandRun {
    var all = (json ? ["--json"] : []) + arguments
    if let passcode { all += ["--passcode-file", try folder.writeLine(passcode)] }
    if let newPasscode { all += ["--new-passcode-file", try folder.writeLine(newPasscode)] }
    return try run(
      "authcore", all, input: input ?? Data(secret.utf8),
      environment: self.environment.merging(environment) { $1 })
  }

  /// Sends the service a signal.
  package func signal(_ signal: Int32) throws {
    let process = try #require(process, "the service has not been started")
    kill(process, signal)
  }

  /// Asks the service to end, as systemd does, and waits until it is gone.
  package func restart() throws {
    let process = try #require(process, "the service has not been started")
    kill(process, SIGTERM)
    #expect(eventually { kill(process, 0) != 0 }, "the service does not end")
  }

  deinit {
    holder.terminate()
    holder.waitUntilExit()
  }
}

/// Users whom root becomes in tests. Their numbers have no account.
package enum UnprivilegedUser {
  /// Whom the service runs as.
  package static let service: UInt32 = 65_531

  /// What runs a program as a user.
  /// - Parameters:
  ///   - user: the number of the user, and of the user's only group.
  ///   - capabilities: those it keeps, in the notation of setpriv(1).
  /// - Returns: the beginning of its command line.
  package static func prefix(_ user: UInt32, keeping capabilities: String? = nil) -> [String] {
    let kept = capabilities.map { ",+\($0)" } ?? ""
    return [
      "/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups",
      "--inh-caps=-all\(kept)", "--ambient-caps=-all\(kept)", "--no-new-privs",
    ]
  }
}

extension TestService {
  /// What runs the service as its own user, with the one capability that its unit gives it.
  package static let ownUserPrefix = UnprivilegedUser.prefix(
    UnprivilegedUser.service, keeping: "sys_ptrace")

  /// Makes a service that runs as its own user, and its state folder, as systemd does.
  /// - Parameter prefix: what runs the program that becomes that user.
  /// - Returns: the service, which the first client starts.
  /// - Throws: what ``init(_:environment:prefix:)`` throws.
  package static func ofItsOwnUser(prefix: [String] = []) throws -> TestService {
    let service = try TestService(prefix: prefix + ownUserPrefix)
    _ = unsafe chmod(service.folder.url.path, 0o755)
    _ = unsafe mkdir(service.state, 0o700)
    _ = unsafe chown(service.state, UnprivilegedUser.service, UnprivilegedUser.service)
    return service
  }
}
