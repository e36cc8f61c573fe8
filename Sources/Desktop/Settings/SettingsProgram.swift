import BuildIdentity
import CoreClient
import Glibc
import LinuxSystem
import Protocol
import WindowContents
import Windows

@main
enum SettingsProgram {
  /// The name of its desktop file.
  private static let identifier = "org.authcore.Settings"

  @MainActor private static var shown: SettingsWindow?

  @MainActor
  static func main() {
    Catalog.open()
    do throws(Failure) {
      try SettingsArguments.answer(Array(CommandLine.arguments.dropFirst()))
    } catch {
      StandardError.say(
        "authcore-settings: \(error.message)" + (error.hint.map { "\n\($0)" } ?? ""))
      exit(64)
    }
    guard Application.hasDisplay else {
      StandardError.say(
        localized("There is no display to show a window on.") + "\n"
          + localized("In a terminal everything here is done by: authcore --help"))
      exit(2)
    }
    let application = Application(identifier, isAlone: true) { application in
      if let shown { return shown.present() }
      shown = SettingsWindow(of: application, CoreLink(.ofEnvironment()))
    }
    exit(application.run())
  }
}

/// The command line, which takes only questions about the program.
private enum SettingsArguments {
  static let usage = """
    Usage: authcore-settings

    Shows and changes fingers, the passcode, items, applications and readers in a window; see
    authcore-settings(1).

      --version   say which version this is
      --help      say this
    """

  /// Answers a question and ends, or returns if there is none.
  static func answer(_ arguments: [String]) throws(Failure) {
    guard let argument = arguments.first else { return }
    switch argument {
    case "--version":
      print(BuildIdentity.text(of: "authcore-settings"))
      exit(0)
    case "--help", "-h":
      print(usage)
      exit(0)
    default: throw Failure(.usage, "unknown argument: \(argument)", hint: usage)
    }
  }
}
