import CoreClient
import Protocol

/// The items that a measurement of the service adds and reads.
enum ServiceItems {
  static func add(_ number: Int, to connection: CoreConnection) throws(Failure) {
    var attributes = ItemAttributes()
    attributes.service = "service \(number)"
    attributes.account = "account"
    let request = AddItem(attributes: attributes, secret: SecretBytes(count: 32))
    let _: ItemAdded = try connection.ask(request)
  }

  /// Reads it with its secret.
  static func get(_ number: Int, from connection: CoreConnection) throws(Failure) {
    var query = ItemQuery()
    query.service = "service \(number)"
    let _: GotItem = try connection.ask(GetItem(query: query))
  }
}
