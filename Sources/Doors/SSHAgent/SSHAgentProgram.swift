import CoreClient
import Glibc
import LinuxSystem
package import Protocol

/// `authcore-ssh-agent`: serves keys of the enclave to ssh, Git and other clients of an SSH agent.
/// `authcore agent ssh` becomes this program.
package enum SSHAgentProgram {
  /// Serves until the process is asked to end.
  /// - Parameter arguments: without the program's name.
  /// - Throws: `usage` for arguments that are not understood, and what keeps it from serving.
  package static func run(_ arguments: [String]) throws(Failure) -> Never {
    let options = try AgentArguments(arguments)
    SignalWatch.block()
    // In the background of a terminal it may write that a touch is awaited. It must not be stopped
    // for that (termios(4), TOSTOP): other programs wait for it.
    _ = signal(SIGTTOU, SIG_IGN)
    let environment = ClientEnvironment.current().with(home: options.home, driver: options.driver)
    let settings = ApplicationSettings(
      environment: environment, applicationName: "authcore-ssh-agent", asksOnTerminal: true,
      isDaemon: true, takesAnyRelease: false)
    let desk = SigningDesk(
      EnclaveKeys(only: options.only, folder: environment.sshFolder),
      try SigningLog(options.log.map(environment.absolute)),
      KnownHosts(
        files: options.knownHosts,
        configuration: EnvironmentVariable.value(of: "HOME").map { $0 + "/.ssh/config" }),
      touchTimeout: .milliseconds(Int(options.timeout * 1000)), reuseSeconds: options.reuse)
    let socket = options.socket.map(environment.absolute)
    let upstream = options.upstream.map(environment.absolute)
    guard upstream == nil || upstream != socket else {
      throw Failure(
        .usage, "--upstream and --socket name the same path",
        hint: "--upstream names the agent that ran before: its SSH_AUTH_SOCK.")
    }
    try AgentServer(socket, desk, settings, upstream: upstream).run()
  }
}

struct AgentArguments {
  private(set) var socket = EnvironmentVariable.value(of: "XDG_RUNTIME_DIR").map {
    $0 + "/authcore-ssh.sock"
  }
  private(set) var upstream: String?
  private(set) var log: String?
  private(set) var home: String?
  private(set) var driver: String?
  private(set) var only: [String] = []
  private(set) var reuse: UInt32 = 0
  private(set) var timeout = 30.0
  private(set) var knownHosts =
    (EnvironmentVariable.value(of: "HOME").map {
      [$0 + "/.ssh/known_hosts", $0 + "/.ssh/known_hosts2"]
    } ?? [])
    + ["/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"]

  private static let hint = "authcore help agent ssh"

  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    var namesKnownHosts = false
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else {
        throw Failure(.usage, "\(option) names nothing, or is no option", hint: Self.hint)
      }
      guard !value.isEmpty else { throw Failure(.usage, "\(option) is empty", hint: Self.hint) }
      switch option {
      case "--socket": socket = value
      case "--upstream": upstream = value
      case "--log": log = value
      case "--home": home = value
      case "--driver": driver = value
      case "--only": only.append(value)
      case "--known-hosts":
        if !namesKnownHosts { knownHosts = [] }
        namesKnownHosts = true
        knownHosts.append(value)
      case "--reuse":
        guard let seconds = UInt32(value), 1...longestReuse ~= seconds else {
          throw Failure(.usage, "--reuse is between 1 and \(longestReuse) seconds")
        }
        reuse = seconds
      case "--timeout":
        guard let seconds = Double(value), 0.001...3600 ~= seconds else {
          throw Failure(.usage, "--timeout is between 0.001 and 3600 seconds")
        }
        timeout = seconds
      default: throw Failure(.usage, "unknown argument: \(option)", hint: Self.hint)
      }
    }
  }
}
