extension Accessibility {
  /// The name for `--accessible` and JSON.
  package var name: String {
    switch self {
    case .whenUnlocked: "when-unlocked"
    case .afterFirstUnlock: "after-first-unlock"
    case .whenPasscodeSetThisDeviceOnly: "when-passcode-set-this-device-only"
    case .whenUnlockedThisDeviceOnly: "when-unlocked-this-device-only"
    case .afterFirstUnlockThisDeviceOnly: "after-first-unlock-this-device-only"
    }
  }

  package init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// Whether items of this class never leave the device.
  public var isThisDeviceOnly: Bool {
    switch self {
    case .whenUnlocked, .afterFirstUnlock: false
    case .whenPasscodeSetThisDeviceOnly, .whenUnlockedThisDeviceOnly,
      .afterFirstUnlockThisDeviceOnly:
      true
    }
  }

  /// The class with the same protection that stays on the device. Items with access control get it
  /// (A9).
  package var onThisDeviceOnly: Accessibility {
    switch self {
    case .whenUnlocked: .whenUnlockedThisDeviceOnly
    case .afterFirstUnlock: .afterFirstUnlockThisDeviceOnly
    default: self
    }
  }
}

extension ItemClass {
  /// The name for `--class`.
  package var name: String { Self.names[self] ?? "" }

  /// Made once: asking the runtime for the name of a case is slow, and long lists ask often.
  private static let names = Dictionary(uniqueKeysWithValues: allCases.map { ($0, "\($0)") })

  package init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// The attributes that an item of this class may have (SecItem.h, at each `kSecClass…`).
  package var attributes: Set<AttributeName> {
    switch self {
    case .generic: Self.ofPasswords.union([.service, .generic])
    case .internet:
      Self.ofPasswords.union([
        .securityDomain, .server, .protocol, .authenticationType, .port, .path,
      ])
    case .certificate:
      [
        .label, .certificateType, .certificateEncoding, .subject, .issuer, .serialNumber,
        .subjectKeyID, .publicKeyHash, .statedAccessibility,
      ]
    case .key:
      [
        .label, .keyClass, .applicationLabel, .isPermanent, .applicationTag, .keyType,
        .keySizeInBits, .effectiveKeySize, .canEncrypt, .canDecrypt, .canDerive, .canSign,
        .canVerify, .canWrap, .canUnwrap, .tokenID, .startDate, .endDate, .creator,
        .statedAccessibility,
      ]
    case .note: Self.ofPasswords.union([.service, .generic])
    }
  }

  private static let ofPasswords: Set<AttributeName> = [
    .account, .label, .description, .comment, .creator, .type, .isInvisible, .isNegative,
    .statedAccessibility,
  ]

  /// The attributes that distinguish the items of a class and group: no two items may agree in all
  /// of them and in being synchronizable (APPLE.md 1.7; our choice for notes).
  package var primaryKey: Set<AttributeName> {
    switch self {
    case .generic: [.service, .account]
    case .internet:
      [.account, .securityDomain, .server, .protocol, .authenticationType, .port, .path]
    case .certificate: [.certificateType, .issuer, .serialNumber]
    case .key:
      [
        .keyClass, .applicationLabel, .applicationTag, .creator, .keyType, .keySizeInBits,
        .effectiveKeySize, .startDate, .endDate,
      ]
    case .note: [.service, .account, .label]
    }
  }
}

extension ItemAttributes {
  /// The most applications that one item is shared with.
  package static let mostShares = 16

  /// The longest name of an access group, in bytes.
  package static let longestGroup = longestApplication

  package var service: String {
    get { values[text: .service] }
    set { values[text: .service] = newValue }
  }

  /// Empty also if it is not text.
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
  static let mostNames = 4

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

  /// Whether these attributes match, apart from the group.
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
  /// Whether an item and its secret have to be sealed anew.
  package var changesProtection: Bool {
    guarding != nil || accessibility != nil || group != nil
  }

  /// The attributes of an item after the changes.
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
    // What was stated about another class does not hold for this one.
    if changed.accessibility != attributes.accessibility, terms[.statedAccessibility] == nil {
      changed.values[.statedAccessibility] = nil
    }
    return changed
  }
}

extension KeyQuery {
  /// Whether it matches every key.
  package var isEverything: Bool {
    var other = KeyQuery()
    other.group = group
    return self == other
  }

  /// Whether a key matches, apart from the group.
  package func matches(_ key: EnclaveKey) -> Bool {
    (identifier ?? key.identifier) == key.identifier && (name ?? key.name) == key.name
      && (applicationTag ?? key.applicationTag) == key.applicationTag
      && (applicationLabel ?? key.applicationLabel) == key.applicationLabel
      && (label ?? key.label) == key.label
  }
}
