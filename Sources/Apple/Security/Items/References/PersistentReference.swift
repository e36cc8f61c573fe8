import Foundation
import Protocol

/// What means an item for as long as it is there, also in another run of the program
/// (`kSecValuePersistentRef`): its class, where it lies, its identifier, and the group it was found
/// in where that was named.
///
/// As bytes: the class as Apple writes it (4), the place (1), the digits of the identifier (32),
/// of an identity the place and the digits of its key, and the rest is the group in UTF-8.
struct PersistentReference: Hashable {
  /// What the identifier is one of.
  enum Place: UInt8 {
    case item = 1
    case enclaveKey = 2
  }

  /// Where an item lies, and which it is there.
  struct Location: Hashable {
    let place: Place
    /// 32 hexadecimal digits, as the keychain gives them.
    let identifier: String
  }

  let kind: ItemRequest.Kind
  /// Of an identity: its certificate.
  let location: Location
  /// Of an identity: its key.
  let key: Location?
  /// As it was named where the item was found or added; nil: it was not.
  let group: String?

  /// Digits of an identifier.
  private static let identifierCount = 32

  init(
    _ kind: ItemRequest.Kind, _ location: Location, key: Location? = nil, group: String?
  ) {
    (self.kind, self.location, self.key, self.group) = (kind, location, key, group)
  }

  /// Reads one; nil for what is none.
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

  /// As it is given to applications.
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
  /// What has a class of Apple's: notes have none.
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
