/// What describes an item: everything but its secret.
package struct ItemAttributes: Equatable, WireField {
  /// 32 hexadecimal digits; empty before the keychain has given one. By it an item is found again
  /// whatever else changes (`kSecValuePersistentRef`).
  package var identifier = ""
  package var itemClass = ItemClass.generic
  package var values = AttributeValues()
  /// The access group it belongs to; empty before the keychain has said: that of the application.
  package var group = ""
  /// Whether it is meant to be on all devices of its owner (`kSecAttrSynchronizable`). Part of its
  /// name: nothing is synchronized.
  package var isSynchronizable = false
  package var accessibility = Accessibility.whenUnlocked
  package var accessControl: AccessControl?
  /// Seconds since 1970; 0 before the keychain has set them.
  package var createdAt: Int64 = 0
  package var modifiedAt: Int64 = 0
  /// The applications that may find and open it beside its own group's; only its own group is told.
  package var sharedWith: [String] = []

  /// The most applications that one item is shared with.
  package static let mostShares = 16
  /// The longest name of an access group, in bytes.
  package static let longestGroup = longestApplication

  /// An item without a name.
  package init() {}

  package var service: String {
    get { values[text: .service] }
    set { values[text: .service] = newValue }
  }
  /// Empty, too, where it is no text.
  package var account: String {
    get { values[text: .account] }
    set { values[text: .account] = newValue }
  }
  package var label: String {
    get { values[text: .label] }
    set { values[text: .label] = newValue }
  }
  package var server: String {
    get { values[text: .server] }
    set { values[text: .server] = newValue }
  }

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(
      identifier, itemClass, values, group, isSynchronizable, accessibility, accessControl,
      createdAt, modifiedAt, sharedWith)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (
      identifier, itemClass, values, group, isSynchronizable, accessibility, accessControl,
      createdAt, modifiedAt, sharedWith
    ) = try decoder.read()
    try decoder.require(identifier, atMost: AttributeValue.longestText)
    try decoder.require(group, atMost: Self.longestGroup)
    for application in sharedWith { try decoder.require(application, atMost: longestApplication) }
    guard sharedWith.count <= Self.mostShares else {
      throw .invalidValue(field: "applications an item is shared with")
    }
  }
}

/// Which items are meant: those that have every attribute given here.
package struct ItemQuery: Equatable, WireField {
  /// The one item with this identifier.
  package var identifier: String?
  package var itemClass: ItemClass?
  package var terms = AttributeTerms()
  /// Nil: every group that the application reaches without naming it.
  package var group: String?
  /// Nil: both.
  package var isSynchronizable: Bool? = false
  package var accessibility: Accessibility?

  /// Every item that is not synchronizable.
  package init() {}

  package var service: String? {
    get { terms[text: .service] }
    set { terms[text: .service] = newValue }
  }
  package var account: String? {
    get { terms[text: .account] }
    set { terms[text: .account] = newValue }
  }
  package var label: String? {
    get { terms[text: .label] }
    set { terms[text: .label] = newValue }
  }
  package var server: String? {
    get { terms[text: .server] }
    set { terms[text: .server] = newValue }
  }

  /// Whether these attributes are what it asks for, the group apart.
  package func matches(_ attributes: ItemAttributes) -> Bool {
    (identifier ?? attributes.identifier) == attributes.identifier
      && (itemClass ?? attributes.itemClass) == attributes.itemClass
      && (isSynchronizable ?? attributes.isSynchronizable) == attributes.isSynchronizable
      && (accessibility ?? attributes.accessibility) == attributes.accessibility
      && terms.match(attributes.values)
  }

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(identifier, itemClass, terms, group, isSynchronizable, accessibility)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (identifier, itemClass, terms, group, isSynchronizable, accessibility) = try decoder.read()
    try decoder.require(identifier ?? "", atMost: AttributeValue.longestText)
    try decoder.require(group ?? "", atMost: ItemAttributes.longestGroup)
  }
}

/// What `item update` changes; what is not mentioned stays.
package struct ItemChanges: Equatable, WireField {
  package var terms = AttributeTerms()
  package var group: String?
  /// Whether it is meant to be on all devices of its owner from here on.
  package var isSynchronizable: Bool?
  /// When it can be reached from here on.
  package var accessibility: Accessibility?
  /// What guards it from here on.
  package var guarding: Guarding?

  /// What an item's access control becomes.
  package enum Guarding: Equatable, WireField {
    /// It has none any more; its class stays.
    case nothing
    /// This one; a class that may leave the device becomes the one that does not.
    case by(AccessControl)

    private var accessControl: AccessControl? {
      if case .by(let control) = self { control } else { nil }
    }

    package func encode(into encoder: inout WireEncoder) { encoder.write(accessControl) }

    package init(from decoder: inout WireDecoder) throws(DecodeError) {
      let control: AccessControl? = try decoder.read()
      self = control.map { .by($0) } ?? .nothing
    }
  }

  /// No change.
  package init() {}

  /// Whether an item is sealed under something else after it, its secret too.
  package var changesProtection: Bool {
    guarding != nil || accessibility != nil || group != nil
  }

  /// An item's attributes as they become.
  package func applied(to attributes: ItemAttributes) -> ItemAttributes {
    var changed = attributes
    changed.values = terms.applied(to: attributes.values)
    changed.group = group ?? attributes.group
    changed.isSynchronizable = isSynchronizable ?? attributes.isSynchronizable
    changed.accessibility = accessibility ?? attributes.accessibility
    switch guarding {
    case nil: break
    case .nothing: changed.accessControl = nil
    case .by(let control):
      changed.accessControl = control
      changed.accessibility = changed.accessibility.onThisDeviceOnly
    }
    // What was said of another class says nothing of this one.
    if changed.accessibility != attributes.accessibility, terms[.statedAccessibility] == nil {
      changed.values[.statedAccessibility] = nil
    }
    return changed
  }

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(terms, group, isSynchronizable, accessibility, guarding)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (terms, group, isSynchronizable, accessibility, guarding) = try decoder.read()
    try decoder.require(group ?? "", atMost: ItemAttributes.longestGroup)
  }
}
