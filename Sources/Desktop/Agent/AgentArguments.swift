import BuildIdentity
import CoreClient
import Glibc
import Protocol

/// What the agent's command line says.
struct AgentArguments {
  private var home: String?

  static let usage = """
    Usage: authcore-agent [--home DIR]

    Shows the prompts of programs that have no terminal, as windows of this session. It is started
    with the session; see authcore-agent(1).

      --home DIR  the state folder of the core to serve, in place of the usual one
      --version   say which version this is
      --help      say this
    """

  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--version":
        print(BuildIdentity.text(of: "authcore-agent"))
        exit(0)
      case "--help", "-h":
        print(Self.usage)
        exit(0)
      case "--home":
        guard let folder = rest.popFirst() else {
          throw Failure(.usage, "--home names no folder", hint: Self.usage)
        }
        home = folder
      default: throw Failure(.usage, "unknown argument: \(argument)", hint: Self.usage)
      }
    }
  }

  /// Which core it serves: the one that programs of this person find.
  func location() throws(Failure) -> CoreLocation {
    try CoreLocation.choose(
      home: home, prints: .real, environment: .current(),
      service: ServiceChoice.current().presentSocket)
  }
}
