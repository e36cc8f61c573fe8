import Protocol

/// What the keychain holds, as SecItem gives it.
enum StoredItem {
  /// A password, a certificate, or a key that is no enclave's.
  case item(ItemAttributes)
  case enclaveKey(EnclaveKey)
  /// A certificate with its private key, which is one of the two above.
  indirect case identity(certificate: ItemAttributes, key: StoredItem)

  /// What it is described by. Of an identity what both say, of what both have the certificate's.
  var attributes: ItemAttributes {
    switch self {
    case .item(let attributes): return attributes
    case .enclaveKey(let key): return key.itemAttributes
    case .identity(var attributes, let key):
      let values = key.attributes.values
      for name in values.names where attributes.values[name] == nil {
        attributes.values[name] = values[name]
      }
      return attributes
    }
  }

  private var location: PersistentReference.Location {
    switch self {
    case .item(let attributes), .identity(let attributes, _):
      PersistentReference.Location(place: .item, identifier: attributes.identifier)
    case .enclaveKey(let key):
      PersistentReference.Location(place: .enclaveKey, identifier: key.identifier)
    }
  }

  /// What means it from here on; `group` is how its group was named.
  func persistentReference(_ group: String?) -> PersistentReference {
    switch self {
    case .item(let attributes):
      PersistentReference(.item(attributes.itemClass), location, group: group)
    case .enclaveKey: PersistentReference(.item(.key), location, group: group)
    case .identity(_, let key):
      PersistentReference(.identity, location, key: key.location, group: group)
    }
  }

  /// Whether a persistent reference means it.
  func isMeant(by reference: PersistentReference) -> Bool {
    var same = persistentReference(reference.group)
    if reference.kind != .identity, case .identity(let certificate, let key) = self {
      // Its certificate or its key alone means it, too.
      same = StoredItem.item(certificate).persistentReference(reference.group)
      if reference != same { same = key.persistentReference(reference.group) }
    }
    return same == reference
  }
}

extension EnclaveKey {
  /// What a key of the enclave is described by as an item: what is so of all of them, and what is
  /// its own.
  var itemAttributes: ItemAttributes {
    var attributes = ItemAttributes()
    attributes.identifier = identifier
    attributes.itemClass = .key
    attributes.values = Self.commonValues
    attributes.values[.applicationTag] = .data(applicationTag)
    attributes.values[.applicationLabel] = .data(applicationLabel)
    attributes.label = label.isEmpty ? name : label
    attributes.group = group
    attributes.accessibility = accessibility
    attributes.accessControl = accessControl
    attributes.createdAt = createdAt
    attributes.modifiedAt = createdAt
    return attributes
  }

  /// What is so of every key of the enclave's: the private half of a pair on P-256.
  static let commonValues: AttributeValues = [
    .keyClass: .number(1), .keyType: .number(73), .keySizeInBits: .number(256),
    .effectiveKeySize: .number(256), .isPermanent: .number(1), .canSign: .number(1),
    .canDecrypt: .number(1), .canDerive: .number(1), .canEncrypt: .number(0),
    .canVerify: .number(0), .canWrap: .number(0), .canUnwrap: .number(0),
    .tokenID: .text(kSecAttrTokenIDSecureEnclave as String),
  ]
}
