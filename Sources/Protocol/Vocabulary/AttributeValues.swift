extension AttributeValue {
  /// The longest text, in bytes.
  public static let longestText = 1024
  /// The longest data, in bytes.
  public static let longestData = 4096

  /// Whether both hold the same bytes, or the same number.
  public static func == (left: AttributeValue, right: AttributeValue) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.data(let left), .data(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    default: false
    }
  }

  /// Feeds the bytes, or the number.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
    case .data(let data): hasher.combine(data)
    case .number(let number): hasher.combine(number)
    }
  }

  /// Whether it is no more than none at all: an empty text or data.
  package var isEmpty: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .data(let data): data.isEmpty
    case .number: false
    }
  }

  /// Whether an attribute of this form may hold it.
  package func fits(_ form: AttributeName.Form) -> Bool {
    switch (self, form) {
    case (.text, .text), (.text, .textOrData), (.data, .data), (.data, .textOrData): true
    case (.number, .number), (.number, .time): true
    case (.number(let number), .flag): number == 0 || number == 1
    default: false
    }
  }
}

/// Attributes with what they hold, each once. One that holds nothing is the same as one that is not
/// there.
package struct AttributeValues: Hashable, WireField, ExpressibleByDictionaryLiteral {
  /// In the order of their numbers. An item has a handful: looking through them is quicker than a
  /// table that is made for each of many items.
  private var entries: [Entry] = []

  private struct Entry: Hashable {
    let name: AttributeName
    let value: AttributeValue
  }

  /// None.
  package init() {}

  package init(dictionaryLiteral elements: (AttributeName, AttributeValue)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// What an attribute holds; nil where it is not there, or holds nothing.
  package subscript(_ name: AttributeName) -> AttributeValue? {
    get { entries.first { $0.name == name }?.value }
    set {
      let place = entries.firstIndex { $0.name >= name } ?? entries.endIndex
      let isThere = place < entries.endIndex && entries[place].name == name
      entries.replaceSubrange(
        place..<(isThere ? place + 1 : place),
        with: newValue.flatMap { $0.isEmpty ? nil : [Entry(name: name, value: $0)] } ?? [])
    }
  }

  /// The text of an attribute, empty where it holds none.
  package subscript(text name: AttributeName) -> String {
    get { if case .text(let text) = self[name] { text } else { "" } }
    set { self[name] = .text(newValue) }
  }

  /// Whether there is none.
  package var isEmpty: Bool { entries.isEmpty }

  /// The attributes that are there, in the order of their numbers.
  package var names: [AttributeName] { entries.map(\.name) }

  package func encode(into encoder: inout WireEncoder) {
    encoder.writeArray(entries) { encoder, entry in encoder.write(entry.name, entry.value) }
  }

  /// One set of attributes has one encoding: in order, none twice, none empty.
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let count = try decoder.readCount(limit: AttributeName.count, elementSize: 6)
    entries.reserveCapacity(count)
    for _ in 0..<count {
      let (name, value): (AttributeName, AttributeValue) = try decoder.read()
      guard entries.last.map({ $0.name < name }) ?? true, !value.isEmpty else {
        throw .invalidValue(field: "attributes")
      }
      entries.append(Entry(name: name, value: value))
    }
  }
}

/// What attributes must hold, in a query, or hold from here on, in a change. What is not mentioned
/// may hold anything, or stays.
package struct AttributeTerms: Hashable, WireField, ExpressibleByDictionaryLiteral {
  private var values = AttributeValues()
  /// Those that hold nothing.
  private var empty: Set<AttributeName> = []

  /// None is mentioned.
  package init() {}

  package init(dictionaryLiteral elements: (AttributeName, AttributeValue)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// What an attribute holds: an empty text where it holds nothing; nil where it is not mentioned.
  package subscript(_ name: AttributeName) -> AttributeValue? {
    get { empty.contains(name) ? .text("") : values[name] }
    set {
      values[name] = newValue
      if newValue?.isEmpty == true { empty.insert(name) } else { empty.remove(name) }
    }
  }

  /// The text of an attribute; nil also where it holds something else.
  package subscript(text name: AttributeName) -> String? {
    get { if case .text(let text) = self[name] { text } else { nil } }
    set { self[name] = newValue.map { .text($0) } }
  }

  /// Whether none is mentioned.
  package var isEmpty: Bool { values.isEmpty && empty.isEmpty }

  /// Those that are mentioned, in the order of their numbers.
  package var names: [AttributeName] { (values.names + empty).sorted() }

  /// Whether these attributes hold what is mentioned.
  package func match(_ other: AttributeValues) -> Bool {
    values.names.allSatisfy { other[$0] == values[$0] } && empty.allSatisfy { other[$0] == nil }
  }

  /// The same attributes, with what is mentioned in its place.
  package func applied(to other: AttributeValues) -> AttributeValues {
    var changed = other
    for name in names { changed[name] = self[name] }
    return changed
  }

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(values, empty.sorted())
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let names: [AttributeName]
    (values, names) = try decoder.read()
    empty = Set(names)
    guard empty.sorted() == names, empty.isDisjoint(with: values.names) else {
      throw .invalidValue(field: "attributes that hold nothing")
    }
  }
}
