import CoreClient
import Cryptography
import ItemTransfer
import Protocol

/// What distinguishes items: class and primary key.
struct ItemName: Hashable {
  private let itemClass: ItemClass
  private let values: AttributeValues

  init(_ attributes: ItemAttributes) {
    itemClass = attributes.itemClass
    var values = AttributeValues()
    for name in attributes.itemClass.primaryKey { values[name] = attributes.values[name] }
    self.values = values
  }
}

extension ItemAttributes {
  /// The same item with a number added to its label, and to a part of its primary key that nobody
  /// types. The account stays.
  /// - Returns: nil for a class that holds no password.
  func numbered(_ number: Int) -> ItemAttributes? {
    guard number > 1 else { return self }
    let names: [AttributeName]
    switch itemClass {
    case .generic: names = [.label, .service]
    case .internet: names = [.label, .securityDomain]
    case .note: names = [.label]
    case .certificate, .key: return nil
    }
    var numbered = self
    for name in names {
      let text = values[text: name]
      numbered.values[text: name] = text.isEmpty ? "(\(number))" : "\(text) (\(number))"
    }
    return numbered
  }
}

/// Distinguishes the secrets of an import without keeping them.
struct SecretMarks: ~Copyable {
  private let key: SecretBytes

  init() throws(Failure) {
    key = try cryptographic { () throws(CryptographyError) in
      try RandomBytes.secret(count: HMACSHA256.size)
    }
  }

  /// Equal secrets have equal marks.
  borrowing func mark(of secret: borrowing SecretBytes) throws(Failure) -> [UInt8] {
    try cryptographic { () throws(CryptographyError) in
      try HMACSHA256.code(for: secret.bytes, with: key)
    }
  }
}

/// The names that are taken by items of the keychain, or by items that were found before.
struct PresentItems {
  enum Presence {
    /// An item that was in the keychain before.
    case stored(ItemAttributes)
    /// An item of this import, with the mark of its secret.
    case found(ItemAttributes, [UInt8])
  }

  /// The items of the group that items are added to. Items that other programs share are not there,
  /// and not replaced.
  private let query: ItemQuery

  func query(naming item: ItemAttributes) -> ItemQuery { ItemQuery(naming: item, among: query) }

  private var items: [ItemName: Presence] = [:]

  init(_ session: CoreSession, in group: String) throws(Failure) {
    var query = ItemQuery()
    query.group = group
    self.query = query
    for item in try ifFound({ () throws(Failure) in try session.find(query) }) ?? [] {
      items[ItemName(item)] = .stored(item)
    }
  }

  subscript(_ item: ItemAttributes) -> Presence? { items[ItemName(item)] }

  mutating func note(_ item: ItemAttributes, _ mark: [UInt8]) {
    items[ItemName(item)] = .found(item, mark)
  }
}
