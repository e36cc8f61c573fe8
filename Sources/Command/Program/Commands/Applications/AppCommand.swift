import ArgumentParser

struct AppCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "app", abstract: "List the applications that keep something here, or forget one.",
    subcommands: [AppListCommand.self, AppForgetCommand.self])
}
