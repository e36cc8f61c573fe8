import AuthCoreClient
import ClientProtocol
import Wire

/// Adds items, then reads, changes, finds and removes each, one request after another over one
/// connection.
struct KeychainBenchmark {
  private let connection: CoreConnection
  private let items: Int
  private let secretSize: Int
  private var add = Sample()
  private var get = Sample()
  private var update = Sample()
  private var find = Sample()
  private var remove = Sample()

  init(_ connection: CoreConnection, items: Int, secretSize: Int) {
    self.connection = connection
    self.items = items
    self.secretSize = secretSize
  }

  /// Leaves nothing behind.
  mutating func run() throws(Failure) {
    for number in 0..<items { try addItem(number) }
    for number in 0..<items {
      let request = GetItem(query: Self.query(number))
      _ = try get.measure { () throws(Failure) -> GotItem in try connection.ask(request) }
    }
    for number in 0..<items {
      let request = FindItems(query: Self.query(number))
      _ = try find.measure { () throws(Failure) -> FoundItems in try connection.ask(request) }
    }
    for number in 0..<items { try updateItem(number) }
    for number in 0..<items {
      let request = RemoveItems(query: Self.query(number), allowsSeveral: false)
      _ = try remove.measure { () throws(Failure) -> ItemsChanged in
        try connection.ask(request)
      }
    }
  }

  private mutating func addItem(_ number: Int) throws(Failure) {
    var attributes = ItemAttributes()
    attributes.service = "service \(number)"
    attributes.account = "account \(number % 10)"
    attributes.label = "label"
    let request = AddItem(attributes: attributes, secret: SecretBytes(count: secretSize))
    _ = try add.measure { () throws(Failure) -> ItemAdded in try connection.ask(request) }
  }

  private mutating func updateItem(_ number: Int) throws(Failure) {
    var changes = ItemChanges()
    changes.terms[text: .label] = "changed"
    let request = UpdateItems(
      query: Self.query(number), changes: changes, allowsSeveral: false, replacesSecret: true,
      secret: SecretBytes(count: secretSize))
    _ = try update.measure { () throws(Failure) -> ItemsChanged in
      try connection.ask(request)
    }
  }

  private static func query(_ number: Int) -> ItemQuery {
    var query = ItemQuery()
    query.service = "service \(number)"
    return query
  }

  /// The rates, the times, and how often the least a read can cost fits into a read.
  func json(beside floor: PathFloor) -> String {
    let samples = [
      ("add", add), ("get", get), ("update", update), ("find", find), ("remove", remove),
    ]
    let rates = samples.map { "\"\($0.0)\":\(($0.1.perSecond * 10).rounded() / 10)" }
    let times = samples.map { "\"\($0.0)\":\($0.1.json(in: .microseconds(1)))" }
    return """
      {"items":\(items),"secretBytes":\(secretSize),\
      "perSecond":{\(rates.joined(separator: ","))},\
      "microseconds":{\(times.joined(separator: ","))},\
      "floorMicroseconds":{"aesGCM":\(rounded(floor.sealing / .microseconds(1))),\
      "roundTrip":\(rounded(floor.roundTrip / .microseconds(1)))},\
      "ratios":{"get":\(rounded(get.median / floor.total)),\
      "find":\(rounded(find.median / floor.total))}}
      """
  }
}
