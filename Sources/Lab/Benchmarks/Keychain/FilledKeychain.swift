import ArgumentParser
import CoreClient
import Protocol

/// A keychain of so many items behind its own core, and how long requests to it take.
struct FilledKeychain {
  let items: Int
  private let secretSize: Int
  let database: String
  private let home: ScratchHome
  private let connection: CoreConnection
  private var times: [Operation: Sample] = [:]
  let filling: Duration
  /// Bytes of its file and its log after filling.
  let diskBytes: Int

  enum Operation: String, CaseIterable {
    case add, get, update, find, findByIdentifier, remove
    /// All items of one account: this name does not begin the index.
    case findByAccount
    case list
  }

  init(items: Int, secretSize: Int) throws {
    (self.items, self.secretSize) = (items, secretSize)
    home = try ScratchHome()
    database = home.path + "/keychain/keychain.sqlite"
    connection = try home.access.connect()
    let start = ContinuousClock.now
    try connection.fill(items, secretSize: secretSize, Self.attributes)
    filling = .now - start
    diskBytes = BenchmarkFile(database).size + BenchmarkFile(database + "-wal").size
  }

  /// Reads, finds, changes, removes and adds again each of these items, one kind of request after
  /// the other.
  mutating func run(on numbers: [Int]) throws(Failure) {
    for number in numbers {
      let request = GetItem(query: Self.query(number))
      try measure(.get) { (core) throws(Failure) in let _: GotItem = try core.ask(request) }
    }
    var found: [ItemAttributes] = []
    for number in numbers {
      let request = FindItems(query: Self.query(number))
      try measure(.find) { (core) throws(Failure) in
        found += (try core.ask(request) as FoundItems).items
      }
    }
    for item in found {
      var query = ItemQuery()
      query.identifier = item.identifier
      let request = FindItems(query: query)
      try measure(.findByIdentifier) { (core) throws(Failure) in
        let _: FoundItems = try core.ask(request)
      }
    }
    for number in numbers { try update(number) }
    for number in numbers {
      let request = RemoveItems(query: Self.query(number), allowsSeveral: false)
      try measure(.remove) { (core) throws(Failure) in let _: ItemsChanged = try core.ask(request) }
    }
    for number in numbers {
      let request = AddItem(
        attributes: Self.attributes(number), secret: SecretBytes(count: secretSize))
      try measure(.add) { (core) throws(Failure) in let _: ItemAdded = try core.ask(request) }
    }
  }

  /// Lists every item, and those of one account.
  mutating func list() throws(Failure) {
    var count = 0
    try measure(.list) { (core) throws(Failure) in
      try FindItems(query: ItemQuery()).forEachPage {
        (page) throws(Failure) in
        try core.ask(page)
      } _: { (page) in
        count += page.count
      }
    }
    guard count == items else {
      throw Failure(.engineFailed, "The keychain lists \(count) items of \(items)")
    }
    var query = ItemQuery()
    query.account = Self.account(items / 2)
    try measure(.findByAccount) { (core) throws(Failure) in
      let _: FoundItems = try core.ask(FindItems(query: query))
    }
  }

  func sample(_ operation: Operation) -> Sample { times[operation] ?? Sample() }

  private static func attributes(_ number: Int) -> ItemAttributes {
    var attributes = ItemAttributes()
    attributes.service = service(number)
    attributes.account = account(number)
    attributes.label = "label"
    return attributes
  }

  private mutating func update(_ number: Int) throws(Failure) {
    var changes = ItemChanges()
    changes.terms[.label] = .text("changed")
    let request = UpdateItems(
      query: Self.query(number), changes: changes, allowsSeveral: false, replacesSecret: true,
      secret: SecretBytes(count: secretSize))
    try measure(.update) { (core) throws(Failure) in let _: ItemsChanged = try core.ask(request) }
  }

  private mutating func measure(
    _ operation: Operation, _ body: (CoreConnection) throws(Failure) -> Void
  ) throws(Failure) {
    try times[operation, default: Sample()].measure { () throws(Failure) in try body(connection) }
  }

  private static func service(_ number: Int) -> String { "service \(number)" }

  /// Ten items have one account.
  private static func account(_ number: Int) -> String { "account \(number / 10)" }

  private static func query(_ number: Int) -> ItemQuery {
    var query = ItemQuery()
    query.service = service(number)
    return query
  }
}

extension CoreConnection {
  /// Adds so many items in bulk.
  func fill(
    _ count: Int, secretSize: Int = 32, _ attributes: (Int) -> ItemAttributes
  ) throws(Failure) {
    var addition = BulkAddition { (message) throws(Failure) in try self.ask(message) }
    let secret = SecretBytes(count: secretSize)
    for number in 0..<count { try addition.add(attributes(number), secret) }
    let results = try addition.finish()
    guard results.count == count, results.allSatisfy(\.isAdded) else {
      throw Failure(.engineFailed, "The keychain did not take all items")
    }
  }
}

/// How many items keychains hold, as `--items` takes them: `100,10000,100000`.
struct ItemCounts: ExpressibleByArgument {
  /// At least one, each in 1...``most``.
  let values: [Int]

  static let most = 1_000_000

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let values = parts.compactMap { Int($0) }
    guard values.count == parts.count, values.allSatisfy({ 1...Self.most ~= $0 }) else {
      return nil
    }
    self.values = values
  }

  init(_ value: Int) { values = [value] }

  var defaultValueDescription: String { values.map { "\($0)" }.joined(separator: ",") }
}
