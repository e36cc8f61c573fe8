import CoreClient
import Foundation
import Protocol

/// What programs ask of a core again and again, by a connection for every hundred requests.
struct EnduredRequests {
  private let access: CoreAccess

  init(_ access: CoreAccess) { self.access = access }

  /// In tens: an item is added, found, read six times and removed; the last asks for the status.
  func perform(_ count: Int) throws {
    var query = ItemQuery()
    query.service = "endured"
    var attributes = ItemAttributes()
    attributes.service = "endured"
    var connection = try access.connect()
    for number in 0..<(count + 9) / 10 {
      if number % 10 == 9 { connection = try access.connect() }
      let _: ItemAdded = try connection.ask(
        AddItem(attributes: attributes, secret: SecretBytes(count: 64)))
      let found: FoundItems = try connection.ask(FindItems(query: query))
      guard found.items.count == 1 else {
        throw Failure(.engineFailed, "\(found.items.count) items were found, not one")
      }
      for _ in 0..<6 { let _: GotItem = try connection.ask(GetItem(query: query)) }
      let _: ItemsChanged = try connection.ask(RemoveItems(query: query, allowsSeveral: false))
      let _: CoreStatus = try connection.request(GetStatus())
    }
  }
}
