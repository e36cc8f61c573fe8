import Foundation
import TestSupport
import Testing

/// For root, whom an sshd of root's lets in. The server serves one connection, on pipes.
@Suite(
  "SSH agent: programs log in", .timeLimit(.minutes(60)),
  .enabled(if: getuid() == 0, "takes root, whom sshd lets in"))
struct SSHLoginTests {
  private let state: TestHome
  private let agent: RunningAgent
  private let key: URL
  private let host: String
  private let knownHosts: String
  private let fingerprint: String

  init() throws {
    try FileManager.default.createDirectory(
      atPath: "/run/sshd", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755]
    )
    state = try TestHome.enrolled()
    key = try state.makeKey("deploy", "--access", "presence")
    host = state.folder.file("host")
    try #require(
      run("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", host]).status == 0)
    let line = try String(contentsOfFile: host + ".pub", encoding: .utf8)
    knownHosts = try state.folder.write("known", Data("server \(line)".utf8)).path
    let described = try run("/usr/bin/ssh-keygen", ["-l", "-f", host + ".pub"]).text
    fingerprint = String(try #require(described.split(separator: " ").dropFirst().first))
    agent = try RunningAgent(
      state, driver: try state.ownerTouch(), ["--known-hosts", knownHosts])
  }

  /// The command of a server that lets in whom these lines name; without them the key.
  private func server(_ trusting: String? = nil) throws -> String {
    let settings = """
      \(trusting ?? "AuthorizedKeysFile \(key.path)")
      HostKey \(host)
      StrictModes no
      PermitRootLogin yes
      UsePAM no
      LogLevel QUIET

      """
    return "/usr/sbin/sshd -i -f \(try state.folder.write("sshd", settings))"
  }

  /// Logs in with ssh.
  private func ssh(to server: String) throws -> CommandRun {
    try agent.run(
      "/usr/bin/ssh",
      [
        "-F", "none", "-o", "ProxyCommand=\(server)", "-o", "UserKnownHostsFile=\(knownHosts)",
        "-o", "BatchMode=yes", "root@server", "echo inside",
      ])
  }

  private func expectLogin(_ run: CommandRun, _ destination: String) throws {
    #expect(run.status == 0 && run.text == "inside\n", "\(run.account)")
    let line = try #require(agent.lines.last)
    #expect(line.contains(#""purpose":"login","user":"root""#), "\(line)")
    #expect(line.contains(destination) && line.contains(#""result":"signed""#), "\(line)")
  }

  @Test("X8: ssh logs in with a touch, and the agent knows where")
  func openSSH() throws {
    try expectLogin(
      ssh(to: server()),
      #""destination":{"host":"server","fingerprint":"\#(fingerprint)","verified":true}"#)
  }

  @Test("X8: ssh logs in with a certificate that lies beside the key, where only that is trusted")
  func certificate() throws {
    let authority = state.folder.file("authority")
    let server = try server("TrustedUserCAKeys \(authority).pub\nAuthorizedKeysFile none")
    try run("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", authority])
      .expectSuccess()
    #expect(try ssh(to: server).status != 0)
    try run(
      "/usr/bin/ssh-keygen", ["-q", "-s", authority, "-I", "me", "-n", "root", key.path]
    ).expectSuccess()
    let folder = state.folder.file(".local/share/authcore/ssh")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: state.folder.file("deploy-cert.pub"), toPath: folder + "/deploy-cert.pub")
    try expectLogin(ssh(to: server), #""destination":{"host":"server""#)
  }

  @Test("X8: PuTTY's plink logs in with a touch")
  func putty() throws {
    try expectLogin(
      agent.run(
        "/usr/bin/plink",
        [
          "-batch", "-agent", "-proxycmd", server(), "-hostkey", fingerprint, "root@server",
          "echo inside",
        ]),
      "“root”. The key is “deploy”. Asked by plink")
  }

  @Test("X8: paramiko logs in with a touch")
  func paramiko() throws {
    let script = """
      import paramiko, sys
      client = paramiko.SSHClient()
      client.load_host_keys(sys.argv[2])
      client.connect(
          "server", username="root", sock=paramiko.ProxyCommand(sys.argv[1]), look_for_keys=False)
      print(client.exec_command("echo inside")[1].read().decode(), end="")
      client.close()
      """
    let command = ["-c", script, try server(), knownHosts]
    try expectLogin(
      agent.run("/usr/bin/python3", command), "“root”. The key is “deploy”. Asked by python3")
  }
}
