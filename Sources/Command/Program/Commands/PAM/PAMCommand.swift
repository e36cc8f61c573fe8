import ArgumentParser
import CoreClient

struct PAMCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pam",
    abstract: "Let a finger or the passcode answer for sudo, login and others.",
    subcommands: [PAMEnableCommand.self, PAMDisableCommand.self])
}

/// What both commands are told.
struct PAMArguments: ParsableArguments {
  @Argument(help: "A service of PAM, a file of /etc/pam.d: sudo, login, polkit-1, …")
  var service: String

  /// Below which `etc/pam.d` lies; empty for this machine.
  @Option(name: .customLong("root"), help: .hidden)
  var folder = ""

  /// Where the files lie, without a slash at its end.
  func root(_ invocation: Invocation) -> String {
    guard !folder.isEmpty else { return "" }
    var root = invocation.environment.absolute(folder)
    while root.hasSuffix("/") { root.removeLast() }
    return root
  }
}
