import BuildIdentity
import CoreClient
import Glibc
import LinuxSystem
import Protocol
import Sandbox
import WindowContents
import Windows

/// `authcore-agent`: shows the prompts of programs without a terminal, as long as its session
/// lasts.
///
/// GTK is started with the first prompt. Until then the process is small.
@main
enum AgentProgram {
  /// The name of its desktop file.
  private static let identifier = "org.authcore.Agent"

  @MainActor private static var desk: PromptDesk?

  @MainActor
  static func main() {
    Catalog.open()
    _ = ProcessHardening.apply(isTraceable: true)
    let location: CoreLocation
    do throws(Failure) {
      location = try AgentArguments(Array(CommandLine.arguments.dropFirst())).location()
    } catch {
      StandardError.say("authcore-agent: \(error.message)" + (error.hint.map { "\n\($0)" } ?? ""))
      exit(64)
    }
    guard ["WAYLAND_DISPLAY", "DISPLAY"].contains(where: isSet) else { endWithoutDisplay() }
    let isWanted = Guarded(false)
    let loop = AgentLoop(location) { event, connection in
      // This waits until there is a desk.
      MainLoop.perform { desk?.take(event, from: connection) }
      if case .prompt = event { isWanted.update { $0 = true } }
    }
    loop.start()
    isWanted.wait { $0 ? () : nil }
    guard Application.hasDisplay else { endWithoutDisplay() }
    let application = Application(identifier, isAlone: false) { application in
      application.stayWithoutWindows()
      desk = PromptDesk(of: application)
    }
    exit(application.run())
  }

  private static func isSet(_ name: String) -> Bool {
    EnvironmentVariable.value(of: name)?.isEmpty == false
  }

  private static func endWithoutDisplay() -> Never {
    StandardError.say(
      "authcore-agent: "
        + localized("There is no display to show prompts on; they stay on the terminal."))
    exit(2)
  }
}

private struct AgentArguments {
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

  /// The core that other programs of this user find.
  func location() throws(Failure) -> CoreLocation {
    try CoreLocation.choose(
      home: home, prints: .real, environment: .current(),
      service: ServiceChoice.current().presentSocket)
  }
}
