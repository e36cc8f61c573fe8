/// The kinds of keychain item (`kSecClass…`).
package enum ItemClass: UInt8, CaseIterable, WireField {
  case generic = 1
  case internet = 2
  case certificate = 3
  case key = 4
  case note = 5

  /// As `--class` takes it.
  package var name: String { "\(self)" }

  /// The class with this name.
  package init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}

/// What describes an item: everything but its secret.
package struct ItemAttributes: Equatable, WireField {
  /// 32 hexadecimal digits; empty before the keychain has given one.
  package var identifier = ""
  package var itemClass = ItemClass.generic
  package var service = ""
  package var account = ""
  package var label = ""
  package var accessibility = Accessibility.whenUnlocked
  package var accessControl: AccessControl?
  /// Seconds since 1970; 0 before the keychain has set them.
  package var createdAt: Int64 = 0
  package var modifiedAt: Int64 = 0

  /// The longest text of one attribute, in bytes.
  package static let longestText = 1024

  /// An item without a name.
  package init() {}

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(
      identifier, itemClass, service, account, label, accessibility, accessControl, createdAt,
      modifiedAt)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (
      identifier, itemClass, service, account, label, accessibility, accessControl, createdAt,
      modifiedAt
    ) = try decoder.read()
    for text in [identifier, service, account, label] { try Self.requireShort(text) }
  }

  fileprivate static func requireShort(_ text: String?) throws(DecodeError) {
    guard let count = text?.utf8.count, count > longestText else { return }
    throw .tooLong(count: count, limit: longestText)
  }
}

/// Which items are meant: those that have every attribute given here.
package struct ItemQuery: Equatable, WireField {
  package var itemClass: ItemClass?
  package var service: String?
  package var account: String?
  package var label: String?

  /// Every item.
  package init() {}

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(itemClass, service, account, label)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (itemClass, service, account, label) = try decoder.read()
    for text in [service, account, label] { try ItemAttributes.requireShort(text) }
  }
}

/// What `item update` changes; nil leaves as it is.
package struct ItemChanges: Equatable, WireField {
  package var service: String?
  package var account: String?
  package var label: String?
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

  /// An item's attributes as they become.
  package func applied(to attributes: ItemAttributes) -> ItemAttributes {
    var changed = attributes
    changed.service = service ?? attributes.service
    changed.account = account ?? attributes.account
    changed.label = label ?? attributes.label
    switch guarding {
    case nil: break
    case .nothing: changed.accessControl = nil
    case .by(let control):
      changed.accessControl = control
      changed.accessibility = attributes.accessibility.onThisDeviceOnly
    }
    return changed
  }

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(service, account, label, guarding)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (service, account, label, guarding) = try decoder.read()
    for text in [service, account, label] { try ItemAttributes.requireShort(text) }
  }
}
