import ArgumentParser
import CoreClient
import Cryptography
import Protocol

/// The items that a command means: those that have everything given here.
struct ItemSelection: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      Short for --service. To show a secret or find items, it may also be a server, a label, an \
      address, or a part of one.
      """, valueName: "service"), completion: .services)
  var plainService: String?

  @Argument(help: ArgumentHelp("Short for --account.", valueName: "account"), completion: .accounts)
  var plainAccount: String?

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp(
      """
      The kind of item: generic (a password or any small secret), internet (a password for a \
      server), note, key (a key outside the enclave), certificate.
      """, valueName: "class"), completion: .list(ItemClass.allCases.map(\.name)))
  var itemClass: String?

  @Option(
    help: ArgumentHelp("What it is for: a program or a site.", valueName: "text"),
    completion: .services)
  var service: String?

  @Option(help: ArgumentHelp("The account there.", valueName: "text"), completion: .accounts)
  var account: String?

  @Option(
    help: ArgumentHelp("The server it is for. Class internet only.", valueName: "host"),
    completion: .servers)
  var server: String?

  @Option(help: ArgumentHelp("What people call it.", valueName: "text"), completion: .labels)
  var label: String?

  @Option(
    help: ArgumentHelp(
      """
      The access group it belongs to, which any program may name. Without it: the command's own.
      """,
      valueName: "name"))
  var group: String?

  @Option(
    help: ArgumentHelp(
      """
      Any other attribute, such as port=993 or comment=TEXT; bytes in base64. May be repeated.
      """,
      valueName: "name=value"))
  var attribute: [String] = []

  @Option(help: ArgumentHelp("The identifier of one item.", valueName: "hex"))
  var id: String?

  /// Whether nothing names an item. An empty text names none, because a script may pass an unset
  /// variable.
  var isEmpty: Bool {
    [plainService, plainAccount, service, account, server, label, id].allSatisfy {
      $0?.isEmpty ?? true
    } && attribute.isEmpty
  }

  /// - Throws: `usage` for an unknown class or attribute, and for one that is given twice.
  func query() throws(Failure) -> ItemQuery {
    var query = ItemQuery()
    query.itemClass = try checkedClass()
    query.terms = try terms()
    query.group = try checkedGroup()
    query.identifier = try checkedIdentifier()
    return query
  }

  /// The query of a command that opens or changes items. It fails if nothing is selected, so that a
  /// forgotten word does not select every item.
  /// - Throws: as ``query()``, and `usage` if nothing is selected.
  func selectingQuery() throws(Failure) -> ItemQuery {
    let query = try query()
    guard !isEmpty || query.itemClass != nil || query.group?.isEmpty == false else {
      throw .usage(
        "No item is selected",
        hint: """
          Name its SERVICE and ACCOUNT, its --label or its --id. authcore item list shows all.
          """)
    }
    return query
  }

  /// The query without the plain arguments.
  func queryBesideName() throws(Failure) -> ItemQuery {
    var query = try query()
    if plainService != nil { query.terms[.service] = nil }
    if plainAccount != nil { query.terms[.account] = nil }
    return query
  }

  private func terms() throws(Failure) -> AttributeTerms {
    var terms = try AttributeArguments.terms(attribute, option: "--attribute")
    let named: [(AttributeName, String?)] = [
      (.service, try Self.oneOf(plainService, service, "--service")),
      (.account, try Self.oneOf(plainAccount, account, "--account")),
      (.server, server), (.label, label),
    ]
    for (name, text) in named {
      guard let text = try Self.checked(text, "--\(name.name)") else { continue }
      terms[name] = .text(text)
    }
    return terms
  }

  /// The value of a plain argument or of its option.
  private static func oneOf(
    _ plain: String?, _ option: String?, _ name: String
  ) throws(Failure) -> String? {
    guard let plain else { return option }
    guard option == nil else {
      throw .usage(
        "\u{201C}\(plain.printable)\u{201D} and \(name) mean the same",
        hint: "Plain arguments are the service and the account. Leave one of the two out.")
    }
    return plain
  }

  private func checkedGroup() throws(Failure) -> String? {
    guard let group, group.utf8.count > ItemAttributes.longestGroup else { return group }
    throw .usage("--group is longer than \(ItemAttributes.longestGroup) bytes")
  }

  private func checkedIdentifier() throws(Failure) -> String? {
    guard id != "" else {
      throw .usage("The identifier is empty", hint: "authcore item list --json shows them.")
    }
    return try Self.checked(id, "--id")
  }

  private func checkedClass() throws(Failure) -> ItemClass? {
    guard let name = itemClass else { return nil }
    guard let found = ItemClass(name: name) else {
      throw .usage(
        "There is no item class \u{201C}\(name)\u{201D}",
        hint: "The classes: " + ItemClass.allCases.map(\.name).joined(separator: ", "))
    }
    return found
  }

  /// Checks that a text fits into an attribute.
  static func checked(_ text: String?, _ option: String) throws(Failure) -> String? {
    guard let text, text.utf8.count > AttributeValue.longestText else { return text }
    throw .usage("\(option) is longer than \(AttributeValue.longestText) bytes")
  }
}

/// Attributes of an item as `NAME=VALUE` arguments.
enum AttributeArguments {
  /// - Throws: `usage` for an unknown attribute, or a value that it cannot hold.
  static func terms(_ arguments: [String], option: String) throws(Failure) -> AttributeTerms {
    var terms = AttributeTerms()
    for argument in arguments {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw .usage("\(option) \(argument) has no value", hint: "Write it as NAME=VALUE.")
      }
      guard let name = AttributeName(name: String(parts[0])), name.isForPeople else {
        throw .usage(
          "There is no attribute \u{201C}\(parts[0])\u{201D}",
          hint: "Attributes: "
            + AttributeName.allCases.filter(\.isForPeople).map(\.name).joined(separator: ", "))
      }
      guard let value = value(String(parts[1]), as: name.form) else {
        throw .usage(
          "\(option) \(name.name) does not take \u{201C}\(parts[1])\u{201D}", hint: hint(name.form))
      }
      terms[name] = value
    }
    return terms
  }

  private static func value(_ text: String, as form: AttributeName.Form) -> AttributeValue? {
    switch form {
    case _ where text.isEmpty: .text("")
    case .text, .textOrData: text.utf8.count <= AttributeValue.longestText ? .text(text) : nil
    case .data:
      Base64.decoded(text).flatMap { $0.count <= AttributeValue.longestData ? .data($0) : nil }
    case .number, .time: Int64(text).map { .number($0) }
    case .flag:
      switch text {
      case "true", "1": .number(1)
      case "false", "0": .number(0)
      default: nil
      }
    }
  }

  private static func hint(_ form: AttributeName.Form) -> String {
    switch form {
    case .text, .textOrData: "It takes a text of at most \(AttributeValue.longestText) bytes."
    case .data: "It takes at most \(AttributeValue.longestData) bytes in base64."
    case .number: "It takes a number."
    case .time: "It takes seconds since 1970."
    case .flag: "It takes true or false."
    }
  }
}
