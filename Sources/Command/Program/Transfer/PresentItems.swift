import CoreClient
import Cryptography
import ItemTransfer
import Protocol

/// What tells items from each other: class and primary key.
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
  /// The same item with a number behind its label, and behind an attribute that tells items of its
  /// class from each other and that nobody types: the account stays as it is.
  /// - Returns: nil for a class that holds no password.
  func numbered(_ number: Int) -> ItemAttributes? {
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

/// By what the secrets of an import are told from each other without being kept.
struct SecretMarks: ~Copyable {
  private let key: SecretBytes

  init() throws(Failure) {
    key = try KeyText.cryptographic { () throws(CryptographyError) in
      try RandomBytes.secret(count: HMACSHA256.size)
    }
  }

  /// The same for the same bytes.
  borrowing func mark(of secret: borrowing SecretBytes) throws(Failure) -> [UInt8] {
    do throws(CryptographyError) {
      return try HMACSHA256.code(for: secret.bytes, with: key)
    } catch {
      throw Failure(.coreFailed, "A secret cannot be compared: \(error)")
    }
  }
}

/// The names that are taken: by items of the keychain, and by what was found before.
struct PresentItems {
  enum Presence {
    /// An item of the keychain from before this import.
    case stored(ItemAttributes)
    /// One that has, or is to have, the secret of this mark, which this import found.
    case found([UInt8])
  }

  /// What is in the group into which items are added: the empty name is the application's own. An
  /// item that another program shares takes no name there, and is not this one's to replace.
  private let query: ItemQuery

  /// One of those.
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

  subscript(_ name: ItemName) -> Presence? { items[name] }

  /// Takes note of what this import found for a name.
  mutating func note(_ name: ItemName, _ mark: [UInt8]) { items[name] = .found(mark) }
}
