import ArgumentParser
import CoreClient
import LinuxSystem
import Protocol

struct AgentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "agent", "Serve the keys of the enclave to other programs.",
    subcommands: [AgentSSHCommand.self])
}

/// Becomes `authcore-ssh-agent`, which has no more than it needs in its memory.
private struct AgentSSHCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "ssh", "Be an SSH agent: ssh and Git sign with keys that never leave the enclave.",
    discussion: """
      Runs in the foreground. Programs find it by SSH_AUTH_SOCK or IdentityAgent; authcore ssh \
      setup writes that. A signature asks for what the key's --access says.

          authcore agent ssh --upstream "$SSH_AUTH_SOCK"
      """)

  @Option(
    help: ArgumentHelp(
      "The socket to serve. Without it: authcore-ssh.sock in XDG_RUNTIME_DIR.", valueName: "path"),
    completion: .file())
  var socket: String?

  @Option(
    help: ArgumentHelp(
      "The socket of another agent, which gets what is not about keys of the enclave.",
      valueName: "path"),
    completion: .file())
  var upstream: String?

  @Option(
    help: ArgumentHelp("Offer this key only. May be repeated.", valueName: "name"),
    completion: .keys)
  var only: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Let a proof serve the same running program and destination for so long (1…300), for keys \
      made with --reusable. Never over a forwarded connection.
      """,
      valueName: "seconds"))
  var reuse: UInt32?

  @Option(
    help: ArgumentHelp("Append a line of JSON for each signature.", valueName: "file"),
    completion: .file())
  var log: String?

  @Option(
    help: ArgumentHelp(
      "Name hosts by this file. Without it: the user's and the system's.", valueName: "file"),
    completion: .file())
  var knownHosts: [String] = []

  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  func run(_ invocation: Invocation) throws(Failure) {
    guard reuse.map({ 1...longestReuse ~= $0 }) ?? true else {
      throw .usage("--reuse is between 1 and \(longestReuse) seconds")
    }
    try invocation.settleStateFolder()
    var arguments: [String] = []
    func pass(_ option: String, _ values: [String?]) {
      for case let value? in values { arguments += [option, value] }
    }
    pass("--socket", [socket])
    pass("--upstream", [upstream])
    pass("--only", only)
    pass("--reuse", [reuse.map { String($0) }])
    pass("--log", [log])
    pass("--known-hosts", knownHosts)
    pass("--home", [options.home])
    pass("--driver", [options.driver])
    pass("--timeout", [String(options.timeout)])
    throw CoreProgram.become("authcore-ssh-agent", arguments)
  }
}
