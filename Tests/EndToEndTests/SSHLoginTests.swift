import Foundation
import TestSupport
import Testing

/// For root, whom an sshd of root's lets in. The server serves one connection, on pipes.
@Suite(
  "SSH agent: programs log in", .timeLimit(.minutes(10)),
  .enabled(if: getuid() == 0, "takes root, whom sshd lets in"))
struct SSHLoginTests {
  private let state: TestHome
  private let agent: RunningAgent
  private let server: String
  private let knownHosts: String
  private let fingerprint: String

  init() throws {
    try FileManager.default.createDirectory(
      atPath: "/run/sshd", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755]
    )
    state = try TestHome.enrolled()
    let key = try state.makeKey("deploy", "--access", "presence")
    let host = state.folder.file("host")
    try #require(
      run("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", host]).status == 0)
    let line = try String(contentsOfFile: host + ".pub", encoding: .utf8)
    knownHosts = try state.folder.write("known", Data("server \(line)".utf8)).path
    let described = try run("/usr/bin/ssh-keygen", ["-l", "-f", host + ".pub"]).text
    fingerprint = String(try #require(described.split(separator: " ").dropFirst().first))
    let settings = """
      HostKey \(host)
      AuthorizedKeysFile \(key.path)
      StrictModes no
      PermitRootLogin yes
      UsePAM no
      LogLevel QUIET
      """
    let file = try state.folder.write("sshd", Data(settings.utf8))
    server = "/usr/sbin/sshd -i -f \(file.path)"
    agent = try RunningAgent(
      state, driver: try state.ownerTouch(), ["--known-hosts", knownHosts])
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
      agent.run(
        "/usr/bin/ssh",
        [
          "-F", "none", "-o", "ProxyCommand=\(server)", "-o", "UserKnownHostsFile=\(knownHosts)",
          "-o", "BatchMode=yes", "root@server", "echo inside",
        ]),
      #""destination":{"host":"server","fingerprint":"\#(fingerprint)","verified":true}"#)
  }

  @Test("X8: PuTTY's plink logs in with a touch")
  func putty() throws {
    try expectLogin(
      agent.run(
        "/usr/bin/plink",
        [
          "-batch", "-agent", "-proxycmd", server, "-hostkey", fingerprint, "root@server",
          "echo inside",
        ]),
      "“root”. Asked by plink")
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
    try expectLogin(
      agent.run("/usr/bin/python3", ["-c", script, server, knownHosts]), "“root”. Asked by python3")
  }
}
