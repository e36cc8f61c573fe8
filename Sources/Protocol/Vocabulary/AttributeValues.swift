extension AttributeValue {
  /// The longest text, in bytes.
  public static let longestText = 1024
  /// The longest data, in bytes.
  public static let longestData = 4096

  public static func == (left: AttributeValue, right: AttributeValue) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.data(let left), .data(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
    case .data(let data): hasher.combine(data)
    case .number(let number): hasher.combine(number)
    }
  }

  /// Whether it is an empty text or empty data, which is the same as no value.
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

/// Attributes and their values. An empty value is the same as none.
package struct AttributeValues: Hashable, WireField, ExpressibleByDictionaryLiteral {
  /// In the order of their numbers. An item has a handful, so a linear search is quicker than a
  /// table for each of many items.
  private var entries: [Entry] = []

  private struct Entry: Hashable {
    let name: AttributeName
    let value: AttributeValue
  }

  package init() {}

  package init(dictionaryLiteral elements: (AttributeName, AttributeValue)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// The value of an attribute, or nil if there is none.
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

  /// The text of an attribute, or an empty text if it has none.
  package subscript(text name: AttributeName) -> String {
    get { if case .text(let text) = self[name] { text } else { "" } }
    set { self[name] = .text(newValue) }
  }

  package var isEmpty: Bool { entries.isEmpty }

  package var names: [AttributeName] { entries.map(\.name) }

  package func encode(into encoder: inout WireEncoder) {
    encoder.writeArray(entries) { encoder, entry in encoder.write(entry.name, entry.value) }
  }

  /// Each set of attributes has one encoding: in order, none twice, none empty.
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

/// The values that attributes must have (in a query) or get (in a change). Attributes that are not
/// mentioned may have any value, or keep theirs.
package struct AttributeTerms: Hashable, WireField, ExpressibleByDictionaryLiteral {
  private var values = AttributeValues()
  /// Attributes that must have no value, or lose it.
  private var empty: Set<AttributeName> = []

  package init() {}

  package init(dictionaryLiteral elements: (AttributeName, AttributeValue)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// The value of an attribute: an empty text if it must have none, nil if it is not mentioned.
  package subscript(_ name: AttributeName) -> AttributeValue? {
    get { empty.contains(name) ? .text("") : values[name] }
    set {
      values[name] = newValue
      if newValue?.isEmpty == true { empty.insert(name) } else { empty.remove(name) }
    }
  }

  /// The text of an attribute, or nil if another value or none is mentioned.
  package subscript(text name: AttributeName) -> String? {
    get { if case .text(let text) = self[name] { text } else { nil } }
    set { self[name] = newValue.map { .text($0) } }
  }

  package var isEmpty: Bool { values.isEmpty && empty.isEmpty }

  package var names: [AttributeName] { (values.names + empty).sorted() }

  package func match(_ other: AttributeValues) -> Bool {
    values.names.allSatisfy { other[$0] == values[$0] } && empty.allSatisfy { other[$0] == nil }
  }

  /// The attributes after the change.
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
