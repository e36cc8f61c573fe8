import ArgumentParser
import Cryptography
import Wire

/// Which items a command means: those that have all that is given here.
struct ItemSelection: ParsableArguments {
  @Option(
    name: .customLong("class"),
    help: ArgumentHelp(
      """
      What kind of item: generic, a password or any other small secret; internet, a password for a \
      server; note; key, a key that is no enclave key; certificate.
      """, valueName: "class"), completion: .list(ItemClass.allCases.map(\.name)))
  var itemClass: String?

  @Option(help: ArgumentHelp("What it is for: a program, a site.", valueName: "text"))
  var service: String?

  @Option(help: ArgumentHelp("Whose it is there.", valueName: "text"))
  var account: String?

  @Option(help: ArgumentHelp("The server it is for; of the class internet.", valueName: "host"))
  var server: String?

  @Option(help: ArgumentHelp("What people call it.", valueName: "text"))
  var label: String?

  @Option(
    help: ArgumentHelp(
      "The access group it belongs to, which any program may name; else it is the command's own.",
      valueName: "name"))
  var group: String?

  @Option(
    help: ArgumentHelp(
      "Any other attribute, such as port=993 or comment=TEXT; bytes in base64. Several times.",
      valueName: "name=value"))
  var attribute: [String] = []

  @Option(help: ArgumentHelp("The one item with this identifier.", valueName: "hex"))
  var id: String?

  /// Whether nothing is given that names an item: every item is meant.
  var isEmpty: Bool {
    [service, account, server, label, id].allSatisfy { $0 == nil } && attribute.isEmpty
  }

  /// As the core takes it.
  /// - Throws: `usage` for a class or an attribute that there is not.
  func query() throws(Failure) -> ItemQuery {
    var query = ItemQuery()
    query.itemClass = try checkedClass()
    query.terms = try terms()
    query.group = group
    query.identifier = id
    return query
  }

  private func terms() throws(Failure) -> AttributeTerms {
    var terms = try AttributeArguments.terms(attribute, option: "--attribute")
    let named: [(AttributeName, String?)] = [
      (.service, service), (.account, account), (.server, server), (.label, label),
    ]
    for (name, text) in named {
      guard let text = try Self.checked(text, "--\(name.name)") else { continue }
      terms[name] = .text(text)
    }
    return terms
  }

  private func checkedClass() throws(Failure) -> ItemClass? {
    guard let name = itemClass else { return nil }
    guard let found = ItemClass(name: name) else {
      throw Failure(
        .usage, "There is no item class \u{201C}\(name)\u{201D}",
        hint: "The classes: " + ItemClass.allCases.map(\.name).joined(separator: ", "))
    }
    return found
  }

  /// A text that fits into an attribute.
  static func checked(_ text: String?, _ option: String) throws(Failure) -> String? {
    guard let text, text.utf8.count > AttributeValue.longestText else { return text }
    throw Failure(
      .usage, "\(option) is longer than \(AttributeValue.longestText) bytes")
  }
}

/// Attributes of an item as `NAME=VALUE` arguments.
enum AttributeArguments {
  /// What the arguments of an option say of attributes.
  /// - Throws: `usage` for an attribute that there is not, or a value that it cannot hold.
  static func terms(_ arguments: [String], option: String) throws(Failure) -> AttributeTerms {
    var terms = AttributeTerms()
    for argument in arguments {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw Failure(
          .usage, "\(option) \(argument) has no value", hint: "Write it as NAME=VALUE.")
      }
      guard let name = AttributeName(name: String(parts[0])) else {
        throw Failure(
          .usage, "There is no attribute \u{201C}\(parts[0])\u{201D}",
          hint: "Attributes: " + AttributeName.allCases.map(\.name).joined(separator: ", "))
      }
      guard let value = value(String(parts[1]), as: name.form) else {
        throw Failure(
          .usage, "\(option) \(name.name) does not take \u{201C}\(parts[1])\u{201D}",
          hint: hint(name.form))
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
