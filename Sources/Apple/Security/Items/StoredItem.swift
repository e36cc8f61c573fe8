import Foundation
import Protocol

/// An item of the keychain, as SecItem gives it.
enum StoredItem {
  /// A password, a certificate, or a key outside the enclave.
  case item(ItemAttributes)
  case enclaveKey(EnclaveKey)
  /// A certificate with its private key, which is one of the above.
  indirect case identity(certificate: ItemAttributes, key: StoredItem)

  /// Its attributes. For an identity those of both; the certificate's come first.
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

  /// Its persistent reference; `group` is the name that was used for its group.
  func persistentReference(_ group: String?) -> PersistentReference {
    switch self {
    case .item(let attributes):
      PersistentReference(.item(attributes.itemClass), location, group: group)
    case .enclaveKey: PersistentReference(.item(.key), location, group: group)
    case .identity(_, let key):
      PersistentReference(.identity, location, key: key.location, group: group)
    }
  }

  /// Whether a persistent reference refers to it.
  func isMeant(by reference: PersistentReference) -> Bool {
    var same = persistentReference(reference.group)
    if reference.kind != .identity, case .identity(let certificate, let key) = self {
      // References to its certificate or its key refer to it, too.
      same = StoredItem.item(certificate).persistentReference(reference.group)
      if reference != same { same = key.persistentReference(reference.group) }
    }
    return same == reference
  }
}

extension EnclaveKey {
  /// The attributes of an enclave key as an item.
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

  /// The attributes of every enclave key, which is a private key on P-256.
  static let commonValues: AttributeValues = [
    .keyClass: .number(1), .keyType: .number(73), .keySizeInBits: .number(256),
    .effectiveKeySize: .number(256), .isPermanent: .number(1), .canSign: .number(1),
    .canDecrypt: .number(1), .canDerive: .number(1), .canEncrypt: .number(0),
    .canVerify: .number(0), .canWrap: .number(0), .canUnwrap: .number(0),
    .tokenID: .text(kSecAttrTokenIDSecureEnclave as String),
  ]
}

/// An object that stands, or could stand, for an item of the keychain: a `SecKey`, a
/// `SecCertificate`, a `SecIdentity`.
protocol ItemReference: AnyObject {
  /// What is stored for it, and how its item is found.
  /// - Throws: `unsupported` for objects that the keychain does not keep.
  func referencedItem() throws(Failure) -> ReferencedItem
}

enum ReferencedItem {
  case certificate([UInt8])
  case key(ReferencedKey)
  /// A certificate in DER with its private key.
  case identity(certificate: [UInt8], key: ReferencedKey)
}

enum ReferencedKey {
  /// An enclave key, which is always stored.
  case enclave(EnclaveKey)
  case software(SoftwareKeyItem)
}

/// A key outside the enclave as an item of the class `key`.
final class SoftwareKeyItem: Sendable {
  /// Its attributes: at least the application label, kind, half and size.
  let attributes: AttributeValues
  /// The key itself, as `SecKeyCopyExternalRepresentation` gives it.
  let representation: SecretBytes

  init(attributes: AttributeValues, representation: consuming SecretBytes) {
    self.attributes = attributes
    self.representation = representation
  }
}

/// A reference that is valid as long as its item exists, also in other runs of the program
/// (`kSecValuePersistentRef`): class, place, identifier, and the group in which it was found if
/// that was named.
///
/// As bytes: Apple's name of the class (4), the place (1), the digits of the identifier (32), for
/// an identity place and digits of its key, and then the group in UTF-8.
struct PersistentReference: Hashable {
  /// The kind of identifier.
  enum Place: UInt8 {
    case item = 1
    case enclaveKey = 2
  }

  /// A place and the identifier in it.
  struct Location: Hashable {
    let place: Place
    /// 32 hexadecimal digits, as the keychain gives them.
    let identifier: String
  }

  let kind: ItemRequest.Kind
  /// For an identity its certificate.
  let location: Location
  /// The key of an identity.
  let key: Location?
  /// The group that was named to find or add the item, or nil.
  let group: String?

  private static let identifierCount = 32

  init(
    _ kind: ItemRequest.Kind, _ location: Location, key: Location? = nil, group: String?
  ) {
    (self.kind, self.location, self.key, self.group) = (kind, location, key, group)
  }

  /// Nil for bytes that are not a reference.
  init?(_ data: Data) {
    guard data.count <= 4 + 2 * (1 + Self.identifierCount) + ItemAttributes.longestGroup else {
      return nil
    }
    var rest = [UInt8](data)[...]
    guard let kind = ItemRequest.Kind(name: String(decoding: rest.prefix(4), as: UTF8.self))
    else { return nil }
    rest = rest.dropFirst(4)
    guard let location = Self.location(&rest) else { return nil }
    var key: Location?
    if kind == .identity {
      key = Self.location(&rest)
      guard key != nil else { return nil }
    }
    guard let group = String(validating: rest, as: UTF8.self) else { return nil }
    self.init(kind, location, key: key, group: group.isEmpty ? nil : group)
  }

  /// The reference for applications.
  var data: Data {
    var bytes = Array(kind.name.utf8)
    for location in [location, key].compactMap(\.self) {
      bytes.append(location.place.rawValue)
      bytes += location.identifier.utf8
    }
    return Data(bytes + Array((group ?? "").utf8))
  }

  private static func location(_ rest: inout ArraySlice<UInt8>) -> Location? {
    guard let place = rest.popFirst().flatMap({ Place(rawValue: $0) }),
      rest.count >= identifierCount
    else { return nil }
    let identifier = String(decoding: rest.prefix(identifierCount), as: UTF8.self)
    rest = rest.dropFirst(identifierCount)
    guard identifier.utf8.count == identifierCount, identifier.allSatisfy(\.isHexDigit) else {
      return nil
    }
    return Location(place: place, identifier: identifier)
  }
}

extension ItemRequest.Kind {
  /// The kinds with an Apple class: notes have none.
  private static let names: [(kind: ItemRequest.Kind, name: String)] = [
    (.item(.generic), "genp"), (.item(.internet), "inet"), (.item(.certificate), "cert"),
    (.item(.key), "keys"), (.identity, "idnt"),
  ]

  /// The value of `kSecClass`.
  var name: String { Self.names.first { $0.kind == self }?.name ?? "genp" }

  /// The kind with this value of `kSecClass`.
  init?(name: String) {
    guard let known = Self.names.first(where: { $0.name == name }) else { return nil }
    self = known.kind
  }
}
