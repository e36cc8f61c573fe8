import BuildIdentity
import Glibc
import Protocol

/// What the command line of the settings says: nothing but questions about the program itself.
enum SettingsArguments {
  static let usage = """
    Usage: authcore-settings

    Shows and changes fingers, the passcode, items, applications and readers in a window; see
    authcore-settings(1).

      --version   say which version this is
      --help      say this
    """

  /// Answers what is asked, and ends; returns where nothing is.
  /// - Throws: `usage`.
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
