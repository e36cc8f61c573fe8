/// A text for a person: the English words, by which the catalogs of gettext (`po/`) know it too.
///
/// Each `%s` stands for one value, in order; `%1$s`, `%2$s` if a language orders them otherwise.
/// A terminal shows ``english``, a window what `localized` finds for it.
package struct Phrase: Equatable, Sendable {
  /// The words, which are the key in the catalogs.
  package let key: String
  /// The words for several things, and how many there are; nil if nothing is counted.
  package let plural: (key: String, count: Int)?
  /// What the `%s` stand for. A count is the first of them.
  package let values: [String]

  /// A text with these values.
  package init(_ key: String, _ values: String...) { self.init(key: key, values: values) }

  /// The same with values in a list.
  package init(key: String, values: [String]) {
    self.key = key
    plural = nil
    self.values = values
  }

  /// A text about a number of things: `one` of them or `several`. The number is the first value.
  package init(_ one: String, _ several: String, count: Int, values: [String] = []) {
    key = one
    plural = (several, count)
    self.values = ["\(count)"] + values
  }

  /// The text in English.
  package var english: String {
    guard let plural, plural.count != 1 else { return filled(key) }
    return filled(plural.key)
  }

  /// The values in the words of some language. A value that the words do not want is left out.
  package func filled(_ words: String) -> String {
    var result = ""
    var next = 0
    var rest = words[...]
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[rest.index(after: percent)...]
      if rest.hasPrefix("s") {
        result += next < values.count ? values[next] : ""
        next += 1
        rest = rest.dropFirst()
      } else if let digit = rest.first?.wholeNumberValue, rest.dropFirst().hasPrefix("$s") {
        result += 1...values.count ~= digit ? values[digit - 1] : ""
        rest = rest.dropFirst(3)
      } else {
        result += "%"
        if rest.hasPrefix("%") { rest = rest.dropFirst() }
      }
    }
    return result + rest
  }

  package static func == (left: Phrase, right: Phrase) -> Bool {
    left.key == right.key && left.values == right.values
  }
}
