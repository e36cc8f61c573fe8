package import Protocol

/// Which items are meant: those that agree in everything that is given here.
public struct KeychainSelector: Sendable {
  /// Nil: of any class.
  public var itemClass: ItemClass?
  /// What describes them. An attribute that the class has not fails with `errSecNoSuchAttr`, a value
  /// of another form than the attribute's with `errSecParam`.
  public var attributes: [AttributeName: AttributeValue]
  /// The access group; nil: every one that the application reaches without naming it.
  public var group: String?
  /// The one item with this identifier; nil: any.
  public var identifier: String?

  /// - Parameters:
  ///   - itemClass: nil: of any class.
  ///   - attributes: what describes them.
  ///   - group: the access group, at most 512 bytes.
  public init(
    _ itemClass: ItemClass? = nil, _ attributes: [AttributeName: AttributeValue] = [:],
    group: String? = nil
  ) {
    (self.itemClass, self.attributes, self.group) = (itemClass, attributes, group)
  }

  /// The password of a service, for an account if one is named.
  public static func password(service: String, account: String? = nil) -> KeychainSelector {
    var attributes: [AttributeName: AttributeValue] = [.service: .text(service)]
    attributes[.account] = account.map { .text($0) }
    return KeychainSelector(.generic, attributes)
  }

  /// The password for a server, for an account if one is named.
  public static func internetPassword(
    server: String, account: String? = nil
  ) -> KeychainSelector {
    var attributes: [AttributeName: AttributeValue] = [.server: .text(server)]
    attributes[.account] = account.map { .text($0) }
    return KeychainSelector(.internet, attributes)
  }

  /// One item that was found before, whatever has changed about it since.
  public static func entry(_ identifier: String) -> KeychainSelector {
    var selector = KeychainSelector()
    selector.identifier = identifier
    return selector
  }

  var query: ItemQuery {
    var query = ItemQuery()
    query.identifier = identifier
    query.itemClass = itemClass
    for (name, value) in attributes { query.terms[name] = value }
    query.group = group
    return query
  }
}

/// What guards an item.
public struct KeychainGuard: Sendable {
  /// When it can be reached.
  public var accessibility: Accessibility
  /// What has to be proved to open it; nil: nothing. With one it never leaves this device.
  public var accessControl: AccessControl?

  /// - Parameters:
  ///   - accessibility: when it can be reached.
  ///   - accessControl: what has to be proved to open it.
  public init(
    _ accessibility: Accessibility = .whenUnlocked, accessControl: AccessControl? = nil
  ) {
    (self.accessibility, self.accessControl) = (accessibility, accessControl)
  }

  /// A finger or the passcode opens it.
  public static var ownersPresence: KeychainGuard {
    KeychainGuard(
      .whenUnlockedThisDeviceOnly, accessControl: try? AccessControl(.presence))
  }
}

/// An item as it is stored, without its secret.
public struct KeychainEntry: Sendable, Equatable {
  package let stored: ItemAttributes

  /// By which it is found again whatever else changes; 32 hexadecimal digits.
  public var identifier: String { stored.identifier }
  /// Its class.
  public var itemClass: ItemClass { stored.itemClass }
  /// The access group it belongs to.
  public var group: String { stored.group }
  /// When it can be reached.
  public var accessibility: Accessibility { stored.accessibility }
  /// What has to be proved to open it.
  public var accessControl: AccessControl? { stored.accessControl }
  /// When it was added, in seconds since 1970.
  public var createdAt: Int64 { stored.createdAt }
  /// When it was last changed, in seconds since 1970.
  public var modifiedAt: Int64 { stored.modifiedAt }
  /// What it holds under an attribute.
  public subscript(_ name: AttributeName) -> AttributeValue? { stored.values[name] }
  /// The text that it holds under an attribute; nil also if it holds something else.
  public subscript(text name: AttributeName) -> String? {
    if case .text(let text) = stored.values[name] { text } else { nil }
  }
}
