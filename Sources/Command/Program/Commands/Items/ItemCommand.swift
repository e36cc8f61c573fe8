import ArgumentParser

struct ItemCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "item",
    abstract: "Keep small secrets: add, get, find, list, update, remove, share, copy, generate.",
    subcommands: [
      ItemAddCommand.self, ItemGetCommand.self, ItemFindCommand.self, ItemListCommand.self,
      ItemUpdateCommand.self, ItemRemoveCommand.self, ItemShareCommand.self,
      ItemCopyCommand.self, ItemGenerateCommand.self,
    ])
}
