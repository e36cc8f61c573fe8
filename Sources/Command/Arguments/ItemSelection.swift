import ArgumentParser
import Wire

/// Which items a command means: those that have all that is given here.
struct ItemSelection: ParsableArguments {
  @Option(
    name: .customLong("class"),
    help: ArgumentHelp(
      "What kind of item: generic, a password or any other small secret.", valueName: "class"))
  var itemClass: String?

  @Option(help: ArgumentHelp("What it is for: a program, a site.", valueName: "text"))
  var service: String?

  @Option(help: ArgumentHelp("Whose it is there.", valueName: "text"))
  var account: String?

  @Option(help: .hidden)
  var server: String?

  @Option(help: ArgumentHelp("What people call it.", valueName: "text"))
  var label: String?

  @Option(help: .hidden)
  var group: String?

  /// Whether nothing is given: every item is meant.
  var isEmpty: Bool { service == nil && account == nil && label == nil }

  /// As the core takes it.
  /// - Throws: `unsupported` for what another version brings, `usage` for a class that there is
  ///   not.
  func query() throws(Failure) -> ItemQuery {
    var query = ItemQuery()
    query.itemClass = try checkedClass()
    query.service = try Self.checked(service, "--service")
    query.account = try Self.checked(account, "--account")
    query.label = try Self.checked(label, "--label")
    return query
  }

  private func checkedClass() throws(Failure) -> ItemClass? {
    if group != nil { throw Self.unsupported("--group") }
    if server != nil { throw Self.unsupported("--server") }
    guard let name = itemClass else { return nil }
    guard let found = ItemClass(name: name) else {
      throw Failure(
        .usage, "There is no item class \u{201C}\(name)\u{201D}",
        hint: "The classes: " + ItemClass.allCases.map(\.name).joined(separator: ", "))
    }
    guard found == .generic else {
      throw Self.unsupported("--class \(name)")
    }
    return found
  }

  private static func unsupported(_ what: String) -> Failure {
    Failure(
      .unsupported, "\(what) is not supported by this version, which has generic items only")
  }

  /// A text that fits into an attribute.
  static func checked(_ text: String?, _ option: String) throws(Failure) -> String? {
    guard let text, text.utf8.count > ItemAttributes.longestText else { return text }
    throw Failure(
      .usage, "\(option) is longer than \(ItemAttributes.longestText) bytes")
  }
}
