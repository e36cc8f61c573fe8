/// A JSON text, made of literals and figures.
struct JSON: CustomStringConvertible, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  static let null = JSON("null")

  let description: String

  /// A number, or an array of numbers.
  init(_ value: some CustomStringConvertible) { description = value.description }

  /// An object whose members keep their order.
  init(members: [(String, JSON)]) {
    description = "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  /// One object of the members of several.
  init(merging objects: KeyValuePairs<String, JSON>...) {
    self.init(members: objects.flatMap { $0.map { ($0.key, $0.value) } })
  }

  init(elements: [JSON]) {
    description = "[" + elements.map(\.description).joined(separator: ",") + "]"
  }

  init(dictionaryLiteral members: (String, JSON)...) { self.init(members: members) }

  init(arrayLiteral elements: JSON...) { self.init(elements: elements) }

  /// A text without characters that JSON escapes.
  static func text(_ text: String) -> JSON { JSON("\"\(text)\"") }
}

/// A number with three digits behind the point.
func rounded(_ value: Double) -> JSON { JSON((value * 1000).rounded() / 1000) }
