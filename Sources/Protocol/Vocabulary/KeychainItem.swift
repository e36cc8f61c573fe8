extension ItemAttributes {
  /// The most applications that one item is shared with.
  package static let mostShares = 16

  /// The longest name of an access group, in bytes.
  package static let longestGroup = longestApplication

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
}

extension ItemQuery {
  /// The most names that one query asks for.
  package static let mostNames = 4

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
      && isCalled(attributes) && terms.match(attributes.values)
  }

  /// Whether these attributes have one of its names.
  package func isCalled(_ attributes: ItemAttributes) -> Bool {
    guard !names.isEmpty else { return true }
    let own = [attributes.service, attributes.server, attributes.label]
    return names.contains { name in own.contains { $0.utf8.elementsEqual(name.utf8) } }
  }
}

extension ItemChanges {
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
}

extension KeyQuery {
  /// Whether it means every key, whatever that is.
  package var isEverything: Bool {
    var other = KeyQuery()
    other.group = group
    return self == other
  }

  /// Whether this key is what it asks for, the group apart.
  package func matches(_ key: EnclaveKey) -> Bool {
    (identifier ?? key.identifier) == key.identifier && (name ?? key.name) == key.name
      && (applicationTag ?? key.applicationTag) == key.applicationTag
      && (applicationLabel ?? key.applicationLabel) == key.applicationLabel
      && (label ?? key.label) == key.label
  }
}
