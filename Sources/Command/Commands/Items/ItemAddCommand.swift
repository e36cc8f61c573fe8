import ArgumentParser
import ClientProtocol
import Wire

/// `authcore item add`
struct ItemAddCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add an item; its secret comes from standard input or the terminal.",
    discussion: """
      --access says what opens it: presence (a finger or the passcode), biometry-any, \
      biometry-current (nothing once the set of fingers changed), passcode; several joined by and, \
      or by or.

          printf %s "$TOKEN" | authcore item add --service mail --access biometry-current
      """)

  @OptionGroup var selection: ItemSelection

  @Option(
    help: ArgumentHelp(
      "When it can be reached: " + Accessibility.allCases.map(\.name).joined(separator: ", ") + ".",
      valueName: "class"),
    completion: .list(Accessibility.allCases.map(\.name)))
  var accessible = Accessibility.whenUnlocked.name

  @Option(help: ArgumentHelp("What has to be proved to open it.", valueName: "constraints"))
  var access: String?

  @Flag(help: "With --access: refuse a finger that matches at a relaxed rate only.")
  var strictMatch = false

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let attributes = try attributes()
    let secret = try invocation.itemSecret()
    let reply: ItemAdded = try invocation.openSession().ask(
      AddItem(attributes: attributes, secret: secret))
    invocation.output.result(
      .object(["item": reply.attributes.json]),
      ["Added " + ItemText.name(reply.attributes) + "."])
    return .done
  }

  private func attributes() throws(Failure) -> ItemAttributes {
    let query = try selection.query()
    guard !selection.isEmpty else {
      throw Failure(.usage, "An item needs a name", hint: "Give it --service or --account.")
    }
    var attributes = ItemAttributes()
    attributes.service = query.service ?? ""
    attributes.account = query.account ?? ""
    attributes.label = query.label ?? ""
    guard let accessibility = Accessibility(name: accessible) else {
      throw Failure(
        .usage, "There is no accessibility class \u{201C}\(accessible)\u{201D}",
        hint: "The classes: " + Accessibility.allCases.map(\.name).joined(separator: ", "))
    }
    attributes.accessibility = accessibility
    guard access != nil || !strictMatch else {
      throw Failure(
        .usage, "--strict-match without --access guards nothing",
        hint: "Say what opens the item, such as: --access biometry-any")
    }
    attributes.accessControl = try access.map(accessControl)
    return attributes
  }

  private func accessControl(_ text: String) throws(Failure) -> AccessControl {
    do throws(AccessControl.Problem) {
      return try AccessControl(parsing: text, with: strictMatch ? .strictMatch : [])
    } catch {
      throw ItemText.failure(error)
    }
  }
}
