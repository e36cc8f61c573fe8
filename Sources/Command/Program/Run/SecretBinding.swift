import CoreClient
import Protocol

/// `--env NAME=SERVICE[/ACCOUNT]` or `--file …`: a variable, and the item whose secret it gets.
struct SecretBinding: Equatable {
  /// How the secret reaches the command.
  enum Way: String {
    /// As the variable's value.
    case environment = "--env"
    /// In an unnamed file, whose path is the variable's value.
    case file = "--file"
  }

  let way: Way
  let name: String
  let service: String
  let account: String?
  /// The argument, as it was given.
  private let text: String
  init(_ text: String, _ way: Way) throws(Failure) {
    (self.way, self.text) = (way, text)
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty else {
      throw .usage(
        "\(way.rawValue) \(text) names no item",
        hint: "Write it as NAME=SERVICE or NAME=SERVICE/ACCOUNT.")
    }
    name = String(parts[0])
    guard Self.isVariable(name) else {
      throw .usage(
        "\u{201C}\(name)\u{201D} is not the name of a variable",
        hint:
          "Use letters, digits and _, and no digit first, such as: \(way.rawValue) TOKEN=SERVICE")
    }
    let names = Self.names(parts[1])
    (service, account) = (names[0], names.count > 1 ? names[1] : nil)
    guard !service.isEmpty, names.count <= 2 else {
      throw .usage(
        "\(way.rawValue) \(text) does not separate service and account",
        hint: "Write one / between them, and \\/ for a slash in a name.")
    }
    for part in names { _ = try ItemSelection.checked(part, way.rawValue) }
  }

  /// All bindings of a command line.
  /// - Throws: `usage` for an invalid binding, for none, and for a variable that is bound twice.
  static func all(environment: [String], files: [String]) throws(Failure) -> [SecretBinding] {
    var bindings: [SecretBinding] = []
    for text in environment { bindings.append(try SecretBinding(text, .environment)) }
    for text in files { bindings.append(try SecretBinding(text, .file)) }
    guard !bindings.isEmpty else {
      throw .usage(
        "No secret for the command is given",
        hint: "Name them: --env NAME=SERVICE[/ACCOUNT] or --file NAME=SERVICE[/ACCOUNT]")
    }
    for (index, binding) in bindings.enumerated()
    where bindings[..<index].contains(where: { $0.name == binding.name }) {
      throw .usage("\(binding.name) is given twice")
    }
    return bindings
  }

  var query: ItemQuery {
    var query = ItemQuery()
    query.service = service
    query.account = account
    return query
  }

  /// As messages name it.
  var argument: String { "\(way.rawValue) \(text)" }

  /// Whether a shell accepts the name of a variable (POSIX.1, 3.231 Name).
  private static func isVariable(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
      default: false
      }
    }
  }

  /// Splits at slashes. `\/` is a slash in a name.
  private static func names(_ text: Substring) -> [String] {
    var names = [""]
    var rest = text
    while let character = rest.popFirst() {
      if character == "\\", rest.first == "/" {
        names[names.count - 1].append("/")
        rest.removeFirst()
      } else if character == "/" {
        names.append("")
      } else {
        names[names.count - 1].append(character)
      }
    }
    return names
  }
}
