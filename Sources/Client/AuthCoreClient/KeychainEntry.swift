package import Protocol

/// Selects the items that agree in everything given here.
public struct KeychainSelector: Sendable {
  /// Nil selects any class.
  public var itemClass: ItemClass?
  /// An attribute that the class does not have fails with `errSecNoSuchAttr`, a value of the wrong
  /// form with `errSecParam`.
  public var attributes: [AttributeName: AttributeValue]
  /// Nil selects every access group that the application reaches without naming it.
  public var group: String?
  /// Selects the one item with this identifier.
  public var identifier: String?

  /// - Parameters:
  ///   - itemClass: nil for any class.
  ///   - attributes: the values that they have.
  ///   - group: the access group, at most 512 bytes.
  public init(
    _ itemClass: ItemClass? = nil, _ attributes: [AttributeName: AttributeValue] = [:],
    group: String? = nil
  ) {
    (self.itemClass, self.attributes, self.group) = (itemClass, attributes, group)
  }

  /// The password of a service, and of an account if one is named.
  public static func password(service: String, account: String? = nil) -> KeychainSelector {
    var attributes: [AttributeName: AttributeValue] = [.service: .text(service)]
    attributes[.account] = account.map { .text($0) }
    return KeychainSelector(.generic, attributes)
  }

  /// The password for a server, and for an account if one is named.
  public static func internetPassword(
    server: String, account: String? = nil
  ) -> KeychainSelector {
    var attributes: [AttributeName: AttributeValue] = [.server: .text(server)]
    attributes[.account] = account.map { .text($0) }
    return KeychainSelector(.internet, attributes)
  }

  /// One item that was found before, even if it has changed.
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
  public var accessibility: Accessibility
  /// What has to be proved to open it, or nil. With an access control the item never leaves this
  /// device.
  public var accessControl: AccessControl?

  public init(
    _ accessibility: Accessibility = .whenUnlocked, accessControl: AccessControl? = nil
  ) {
    (self.accessibility, self.accessControl) = (accessibility, accessControl)
  }

  public static var ownersPresence: KeychainGuard {
    KeychainGuard(
      .whenUnlockedThisDeviceOnly, accessControl: try? AccessControl(.presence))
  }
}

/// An item as it is stored, without its secret.
public struct KeychainEntry: Sendable, Equatable {
  package let stored: ItemAttributes

  /// 32 hexadecimal digits that never change.
  public var identifier: String { stored.identifier }
  public var itemClass: ItemClass { stored.itemClass }
  /// The access group that the item belongs to.
  public var group: String { stored.group }
  public var accessibility: Accessibility { stored.accessibility }
  /// What has to be proved to open it.
  public var accessControl: AccessControl? { stored.accessControl }
  /// Seconds since 1970.
  public var createdAt: Int64 { stored.createdAt }
  /// Seconds since 1970.
  public var modifiedAt: Int64 { stored.modifiedAt }
  /// The value of an attribute.
  public subscript(_ name: AttributeName) -> AttributeValue? { stored.values[name] }
  /// The text of an attribute, or nil if it has another value or none.
  public subscript(text name: AttributeName) -> String? {
    if case .text(let text) = stored.values[name] { text } else { nil }
  }
}
