import CClientLibrary
import Protocol

/// A caller's checked description of items: to find, to add, or to change them.
struct GivenItem {
  let itemClass: ItemClass?
  let terms: AttributeTerms
  let identifier: String?
  let group: String?
  let isSynchronizable: Bool
  let guarding: Guarding?
  let accessibility: Accessibility?

  /// What guards the item.
  enum Guarding {
    case nothing
    case by(AccessControl)
  }

  /// The word that ends an item's access control.
  private static let none = "none"

  /// - Parameters:
  ///   - pointer: the description, which must not be NULL.
  ///   - name: the argument's name.
  ///   - isChange: whether the access control may be ended.
  /// - Throws: `errSecParam` for anything that no item can have.
  @unsafe init(
    _ pointer: UnsafePointer<ac_client_item_t>?, _ name: String, isChange: Bool = false
  ) throws(Failure) {
    guard let item = try unsafe GivenStruct.copy(pointer, ac_client_item_t(), name) else {
      throw .missing(name)
    }
    let (strict, synchronizable) = (
      UInt32(AC_CLIENT_ITEM_STRICT_MATCH), UInt32(AC_CLIENT_ITEM_SYNCHRONIZABLE)
    )
    let flags = unsafe item.flags
    try GivenStruct.require(flags: flags, within: strict | synchronizable, "\(name)->flags")
    isSynchronizable = flags & synchronizable != 0
    itemClass = try Self.itemClass(unsafe item.item_class, name)
    identifier = try unsafe GivenText.named(item.identifier, "\(name)->identifier")
    group = try unsafe GivenText.named(
      item.group, "\(name)->group", atMost: ItemAttributes.longestGroup)
    terms = try unsafe Self.terms(item, name)
    accessibility = try unsafe GivenGuards.accessibility(item.accessible, "\(name)->accessible")
    let access = try unsafe GivenText.copy(item.access, "\(name)->access")
    if isChange, access == Self.none {
      guarding = .nothing
    } else {
      guarding = try unsafe GivenGuards.accessControl(
        item.access, isStrict: flags & strict != 0, "\(name)->access"
      ).map { .by($0) }
    }
  }

  private static func itemClass(
    _ number: ac_client_item_class_t, _ name: String
  ) throws(Failure) -> ItemClass? {
    switch Int(number) {
    case AC_CLIENT_ITEM_ANY: nil
    case AC_CLIENT_ITEM_GENERIC: .generic
    case AC_CLIENT_ITEM_INTERNET: .internet
    case AC_CLIENT_ITEM_NOTE: .note
    default: throw .outOfRange("\(name)->item_class", "one of AC_CLIENT_ITEM_…")
    }
  }

  @unsafe private static func terms(
    _ item: ac_client_item_t, _ name: String
  ) throws(Failure) -> AttributeTerms {
    var terms = AttributeTerms()
    let named: [(AttributeName, UnsafePointer<CChar>?)] = unsafe [
      (.service, item.service), (.account, item.account), (.server, item.server),
      (.label, item.label),
    ]
    for unsafe(attribute, pointer) in unsafe named {
      terms[text: attribute] = try unsafe GivenText.copy(pointer, "\(name)->\(attribute.name)")
    }
    try unsafe GivenAttributes.add(item.attributes, item.attribute_count, to: &terms, name)
    return terms
  }
}

extension GivenItem {
  func query() throws(Failure) -> ItemQuery {
    guard guarding == nil else { throw .unusable("access", "items are not found by it") }
    var query = ItemQuery()
    query.identifier = identifier
    query.itemClass = itemClass
    query.terms = terms
    query.group = group
    query.isSynchronizable = isSynchronizable
    query.accessibility = accessibility
    return query
  }

  func attributes() throws(Failure) -> ItemAttributes {
    guard identifier == nil else { throw .unusable("identifier", "the keychain chooses it") }
    var attributes = ItemAttributes()
    attributes.itemClass = itemClass ?? (terms[.server] == nil ? .generic : .internet)
    attributes.values = terms.applied(to: AttributeValues())
    attributes.group = group ?? ""
    attributes.isSynchronizable = isSynchronizable
    if let accessibility { attributes.accessibility = accessibility }
    if case .by(let control) = guarding { attributes.accessControl = control }
    return attributes
  }

  /// The changes of existing items.
  func changes() throws(Failure) -> ItemChanges {
    guard identifier == nil else { throw .unusable("changes->identifier", "it never changes") }
    guard itemClass == nil else { throw .unusable("changes->item_class", "it never changes") }
    var changes = ItemChanges()
    changes.terms = terms
    changes.group = group
    if isSynchronizable { changes.isSynchronizable = true }
    changes.accessibility = accessibility
    changes.guarding =
      switch guarding {
      case nil: nil
      case .nothing: .nothing
      case .by(let control): .by(control)
      }
    return changes
  }
}

enum GivenAttributes {
  /// The most attributes of one description.
  private static let most = 64

  /// Adds a caller's attributes to those with fields of their own.
  /// - Throws: `errSecParam` for an attribute that is unknown, named twice, or cannot have the
  ///   value.
  @unsafe static func add(
    _ pointer: UnsafePointer<ac_client_attribute_t>?, _ count: UInt32,
    to terms: inout AttributeTerms, _ item: String
  ) throws(Failure) {
    guard count <= most else {
      throw .outOfRange("\(item)->attribute_count", "at most \(most) attributes")
    }
    guard count > 0 else { return }
    guard let pointer = unsafe pointer else { throw .missing("\(item)->attributes") }
    for index in 0..<Int(count) {
      let place = "\(item)->attributes[\(index)]"
      let given = unsafe pointer[index]
      let name = try unsafe attributeName(given.name, place)
      guard terms[name] == nil else {
        throw Failure(
          .errSecParam, "\(place) names \(name.name), which is already given",
          hint: "name each attribute once")
      }
      let value = try unsafe value(given, place)
      guard value.isEmpty || value.fits(name.form) else {
        throw Failure(
          .errSecParam, "\(place).kind does not fit \(name.name)",
          hint: "authcore item find --json shows its kind")
      }
      terms[name] = value
    }
  }

  @unsafe private static func attributeName(
    _ text: UnsafePointer<CChar>?, _ place: String
  ) throws(Failure) -> AttributeName {
    guard let text = try unsafe GivenText.copy(text, "\(place).name") else {
      throw .missing("\(place).name")
    }
    guard let name = AttributeName(name: text), name.isForPeople else {
      throw .outOfRange(
        "\(place).name",
        AttributeName.allCases.filter(\.isForPeople).map(\.name).joined(separator: ", "))
    }
    return name
  }

  @unsafe private static func value(
    _ given: ac_client_attribute_t, _ place: String
  ) throws(Failure) -> AttributeValue {
    switch Int(unsafe given.kind) {
    case AC_CLIENT_ATTRIBUTE_TEXT:
      let bytes = try unsafe GivenBytes.checked(
        given.bytes, given.count, "\(place).bytes", atMost: AttributeValue.longestText)
      return .text(try unsafe GivenText.copy(bytes, "\(place).bytes"))
    case AC_CLIENT_ATTRIBUTE_DATA:
      return .data(
        try unsafe GivenBytes.copy(
          given.bytes, given.count, "\(place).bytes", atMost: AttributeValue.longestData))
    case AC_CLIENT_ATTRIBUTE_NUMBER: return .number(unsafe given.number)
    default: throw .outOfRange("\(place).kind", "one of AC_CLIENT_ATTRIBUTE_…")
    }
  }
}
