package import Protocol

/// The value of `--driver`: `NAME|PATH[:key=value,…]` (CLI.md). The first ':' splits; `\,` is a
/// comma inside a value.
package struct DriverArgument: Equatable, Sendable {
  /// `key=value`, unchecked.
  package struct Option: Equatable, Sendable {
    /// The key.
    package let name: String
    /// What follows the first '='.
    package let value: String

    /// Describes an option.
    package init(name: String, value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  /// A name to look up, or a path (it contains a '/').
  package let nameOrPath: String
  /// In the order they were given.
  package let options: [Option]

  /// Whether the driver is named by its file.
  package var isPath: Bool { nameOrPath.contains("/") }

  /// Describes a driver.
  package init(nameOrPath: String, options: [Option]) {
    (self.nameOrPath, self.options) = (nameOrPath, options)
  }

  /// Reads the value of the option.
  /// - Throws: `usage`.
  package init(parsing text: String) throws(Failure) {
    let colon = text.firstIndex(of: ":")
    nameOrPath = String(text[..<(colon ?? text.endIndex)])
    guard !nameOrPath.isEmpty else {
      throw Failure(.usage, "--driver names no driver", hint: "authcore driver list shows them")
    }
    var options: [Option] = []
    if let colon {
      for part in Self.split(text[text.index(after: colon)...]) {
        guard let equals = part.firstIndex(of: "="), equals != part.startIndex else {
          throw Failure(
            .usage, "\u{201C}\(part)\u{201D} in --driver is no key=value",
            hint: "write a comma inside a value as \\,")
        }
        let name = String(part[..<equals])
        guard !options.contains(where: { $0.name == name }) else {
          throw Failure(.usage, "The driver option \(name) is given twice")
        }
        options.append(Option(name: name, value: String(part[part.index(after: equals)...])))
      }
    }
    self.options = options
  }

  /// The same with a path made absolute.
  package func resolved(relativeTo folder: String) -> DriverArgument {
    guard isPath, !nameOrPath.hasPrefix("/") else { return self }
    return DriverArgument(nameOrPath: folder + "/" + nameOrPath, options: options)
  }

  /// Parts between commas that no backslash precedes.
  private static func split(_ text: Substring) -> [String] {
    guard !text.isEmpty else { return [] }
    var parts: [String] = [""]
    var rest = text
    while let character = rest.popFirst() {
      if character == "\\", rest.first == "," {
        rest.removeFirst()
        parts[parts.count - 1].append(",")
      } else if character == "," {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}
