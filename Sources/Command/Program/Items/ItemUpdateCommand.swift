import ArgumentParser
import CoreClient
import Protocol

struct ItemUpdateCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "update", "Change an item's attributes, what guards it, or its secret.",
    discussion: """
      A protected item asks for what it wants. With --secret, the new secret comes from standard \
      input or the terminal.

      --set-access changes what guards the item, and needs what guards it today. none removes the \
      guard. An item keeps its application password, unless --new-app-password-fd or \
      --new-app-password-file gives another. An item without one gets that of --app-password-fd or \
      --app-password-file.
      """)

  @OptionGroup var selection: ItemSelection

  @Option(help: ArgumentHelp("The new service.", valueName: "text"))
  var setService: String?

  @Option(help: ArgumentHelp("The new account.", valueName: "text"))
  var setAccount: String?

  @Option(help: ArgumentHelp("The new label.", valueName: "text"))
  var setLabel: String?

  @Option(help: ArgumentHelp("The new server.", valueName: "host"))
  var setServer: String?

  @Option(
    help: ArgumentHelp(
      "Set any other attribute. NAME= removes it. May be repeated.", valueName: "name=value"))
  var setAttribute: [String] = []

  @Option(
    help: ArgumentHelp(
      "Move it to this access group. authcore is the command's own.", valueName: "name"))
  var setGroup: String?

  @Option(
    help: ArgumentHelp("What has to be proved to open it, or none.", valueName: "constraints"))
  var setAccess: String?

  @Flag(help: "With --set-access: refuse a finger that matches only at a relaxed rate.")
  var strictMatch = false

  @Flag(help: "Replace the secret.")
  var secret = false

  @Flag(help: "Change all items that match, not only one.")
  var all = false

  @OptionGroup var input: SecretInputOptions
  @OptionGroup var appPassword: SecretOptions<AppPassword>
  @OptionGroup var newAppPassword: SecretOptions<NewAppPassword>
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let query = try selection.selectingQuery()
    let changes = try changes()
    guard secret || !input.stripNewline else {
      throw .usage(
        "--strip-newline without --secret strips nothing",
        hint: "Add --secret to replace the secret.")
    }
    let (current, replacement) = (
      try appPassword.answering(invocation), try newAppPassword.given(invocation)
    )
    try SecretSource.checkDistinct(
      [invocation.given, current, replacement].compactMap { $0?.source })
    let request = UpdateItems(
      query: query, changes: changes, allowsSeveral: all, replacesSecret: secret,
      secret: secret
        ? try invocation.itemSecret(input, beside: [current, replacement]) : SecretBytes(count: 0))
    let title = invocation.promptOptions()
    let session = try invocation.openSession()
    session.use(appPassword: current)
    let reply: ItemsChanged
    if let password = try sealingPassword(changes, current, replacement, query, session, invocation)
    {
      reply = try session.ask(request, title, sealingWith: password)
    } else {
      reply = try session.ask(request, title)
    }
    invocation.output.result(
      .object(["updated": .count(reply.count)]), ["Changed \(ItemText.count(reply.count))."])
  }

  /// The application password to seal the items with; nil if they keep theirs or need none.
  private func sealingPassword(
    _ changes: ItemChanges, _ current: GivenPasscode?, _ replacement: GivenPasscode?,
    _ query: ItemQuery, _ session: CoreSession, _ invocation: Invocation
  ) throws(Failure) -> SecretBytes? {
    guard case .by(let control) = changes.guarding, control.needsAppPassword else {
      guard replacement == nil else { throw ItemText.unusedAppPassword }
      return nil
    }
    if replacement == nil {
      let items = try session.find(query)
      if items.allSatisfy({ $0.accessControl?.needsAppPassword == true }) { return nil }
    }
    return try invocation.newAppPassword(replacement ?? current)
  }

  private func changes() throws(Failure) -> ItemChanges {
    var changes = ItemChanges()
    changes.terms = try AttributeArguments.terms(setAttribute, option: "--set-attribute")
    let named: [(AttributeName, String?)] = [
      (.service, setService), (.account, setAccount), (.server, setServer), (.label, setLabel),
    ]
    for (name, text) in named {
      guard let text = try ItemSelection.checked(text, "--set-\(name.name)") else { continue }
      changes.terms[name] = .text(text)
    }
    changes.group = setGroup
    guard setAccess != nil || !strictMatch else {
      throw .usage(
        "--strict-match without --set-access guards nothing",
        hint: "Say what opens the item, such as: --set-access biometry-any")
    }
    switch setAccess {
    case nil: break
    case "none": changes.guarding = .nothing
    case .some(let text):
      changes.guarding = .by(try ItemText.accessControl(text, isStrict: strictMatch))
    }
    guard secret || changes != ItemChanges() else {
      throw .usage(
        "There is nothing to change",
        hint: """
          Say what: --secret, --set-service, --set-account, --set-server, --set-label, \
          --set-attribute, --set-group, --set-access.
          """)
    }
    return changes
  }
}
