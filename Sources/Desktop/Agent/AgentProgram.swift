import BuildIdentity
import CoreClient
import Glibc
import LinuxSystem
import Protocol
import Sandbox
import WindowContents
import Windows

/// `authcore-agent`: shows the prompts of programs that have no terminal, in the session it is
/// started in, for as long as that lasts.
///
/// GTK begins with the first prompt: until then the process is as small as its thread that waits.
@main
enum AgentProgram {
  /// That of its desktop file.
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
      // What is said before there is a desk waits until there is one.
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
