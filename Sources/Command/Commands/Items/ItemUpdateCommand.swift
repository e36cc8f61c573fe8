import ArgumentParser
import ClientProtocol
import Wire

/// `authcore item update`
struct ItemUpdateCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Change an item's attributes, or with --secret its secret.",
    discussion:
      """
      A protected item asks for what it says. The new secret comes from standard input or the \
      terminal.
      """
  )

  @OptionGroup var selection: ItemSelection

  @Option(help: ArgumentHelp("The new service.", valueName: "text"))
  var setService: String?

  @Option(help: ArgumentHelp("The new account.", valueName: "text"))
  var setAccount: String?

  @Option(help: ArgumentHelp("The new label.", valueName: "text"))
  var setLabel: String?

  @Flag(help: "Replace the secret.")
  var secret = false

  @Flag(help: "Change all items that match, not only one.")
  var all = false

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let query = try selection.query()
    var changes = ItemChanges()
    changes.service = try ItemSelection.checked(setService, "--set-service")
    changes.account = try ItemSelection.checked(setAccount, "--set-account")
    changes.label = try ItemSelection.checked(setLabel, "--set-label")
    guard secret || changes != ItemChanges() else {
      throw Failure(
        .usage, "There is nothing to change",
        hint: "Say what: --secret, --set-service, --set-account, --set-label.")
    }
    let replacement = secret ? try invocation.itemSecret() : SecretBytes(count: 0)
    let reply: ItemsChanged = try invocation.openSession().ask(
      UpdateItems(
        query: query, changes: changes, allowsSeveral: all, replacesSecret: secret,
        secret: replacement),
      invocation.promptOptions(reason: "Change " + ItemText.name(query)))
    invocation.output.result(
      .object(["updated": .count(reply.count)]), ["Changed \(ItemText.count(reply.count))."])
    return .done
  }
}
