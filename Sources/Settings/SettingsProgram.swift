import CoreConnections
import Glibc
import WindowContents
import Windows

/// `authcore-settings`: fingers, passcode, applications and readers in a window.
@main
enum SettingsProgram {
  /// That of its desktop file.
  private static let identifier = "org.authcore.Settings"

  @MainActor private static var shown: SettingsWindow?

  @MainActor
  static func main() {
    Catalogue.open()
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
