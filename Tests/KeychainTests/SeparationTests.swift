import Protocol
import SyntheticPrints
import Testing

/// What a keychain should hold, as a plain table beside it.
private struct Table {
  struct Item: Equatable {
    var group, service, account, label, secret: String
    var sharedWith: Set<String> = []
  }

  var items: [Item] = []

  /// What an application reads in a group, or without naming one.
  func read(by application: String, in group: String?) -> [Item] {
    items.filter { item in
      item.group == group ?? application || (group == nil && item.sharedWith.contains(application))
    }
  }
}

@Suite("Separation of applications", .timeLimit(.minutes(60)))
struct SeparationTests {
  private static let applications = ["/usr/bin/mail", "/usr/bin/news", commandApplication]
  private static let names = ["a", "b", "\u{E9}", "e\u{301}"]
  /// Groups that an application may name, and what it may not.
  private static let groups = ["post", "\u{E9}", "e\u{301}"]
  private static let foreign = ["/usr/bin/mail", "/usr/bin/news", "authcore", "uid:0", "/"]

  /// One keychain and the table of what it should hold.
  private final class Run {
    let folder: TestFolder
    let keychain: TestKeychain
    var table = Table()
    var generator: RandomNumbers

    init(seed: UInt64) throws {
      folder = try TestFolder()
      keychain = try TestKeychain(folder)
      keychain.enclave.isPasscodeSet = false
      generator = RandomNumbers(seed: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
    }

    func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: 0..<elements.count, using: &generator)]
    }

    /// One random request of one application; the table follows.
    func step() throws {
      let application = pick(SeparationTests.applications)
      guard Int.random(in: 0..<8, using: &generator) > 0 else {
        return try trespass(application)
      }
      let group: String? = pick([nil, nil, application] + SeparationTests.groups)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0, 1: try add(application, group)
      case 2: try update(application, group)
      case 3: try move(application, group)
      case 4: try remove(application, group)
      default: try share(application)
      }
    }

    private func query(_ group: String?) -> ItemQuery {
      var query = ItemQuery()
      query.service = pick(SeparationTests.names)
      if Bool.random(using: &generator) { query.account = pick(SeparationTests.names) }
      query.group = group
      return query
    }

    /// The places in the table of what a change by an application means: never what others share.
    private func meant(_ query: ItemQuery, by application: String) -> [Int] {
      func isSame(_ one: String?, _ other: String) -> Bool {
        one.map { $0.utf8.elementsEqual(other.utf8) } ?? true
      }
      return table.items.indices.filter { index in
        let item = table.items[index]
        return isSame(query.group ?? application, item.group)
          && isSame(query.service, item.service) && isSame(query.account, item.account)
      }
    }

    private func expect(_ wanted: FailureCode?, _ body: () throws -> Void) throws {
      let found = try code(of: body)
      #expect(found == wanted)
    }

    private func add(_ application: String, _ group: String?) throws {
      let item = Table.Item(
        group: group ?? application, service: pick(SeparationTests.names),
        account: pick(SeparationTests.names), label: pick(SeparationTests.names),
        secret: "secret \(table.items.count) of \(application)")
      var attributes = ItemAttributes()
      attributes.service = item.service
      attributes.account = item.account
      attributes.label = item.label
      attributes.group = group ?? ""
      let isTaken = meant(query(for: item), by: application).isEmpty == false
      try expect(isTaken ? .errSecDuplicateItem : nil) {
        try keychain.add(attributes, secret: item.secret, app: application)
      }
      if !isTaken { table.items.append(item) }
    }

    private func query(for item: Table.Item) -> ItemQuery {
      var query = ItemQuery()
      query.service = item.service
      query.account = item.account
      query.group = item.group
      return query
    }

    private func update(_ application: String, _ group: String?) throws {
      let query = query(group)
      let indices = meant(query, by: application)
      let (label, secret) = (pick(SeparationTests.names), "new \(generator.next())")
      try expect(indices.isEmpty ? .errSecItemNotFound : nil) {
        try keychain.update(
          query, changes(label: label), secret: secret, all: true, app: application)
      }
      for index in indices {
        table.items[index].label = label
        table.items[index].secret = secret
      }
    }

    private func move(_ application: String, _ group: String?) throws {
      var query = query(group)
      query.account = pick(SeparationTests.names)
      guard let index = meant(query, by: application).first else {
        return try expect(.errSecItemNotFound) {
          try keychain.update(query, changes(label: "x"), app: application)
        }
      }
      var change = ItemChanges()
      let target = pick([application] + SeparationTests.groups)
      change.group = target
      var moved = table.items[index]
      let stays = moved.group.utf8.elementsEqual(target.utf8)
      moved.group = target
      if !stays { moved.sharedWith = [] }
      let isTaken = !stays && !meant(self.query(for: moved), by: application).isEmpty
      try expect(isTaken ? .errSecDuplicateItem : nil) {
        try keychain.update(query, change, app: application)
      }
      if !isTaken { table.items[index] = moved }
    }

    private func remove(_ application: String, _ group: String?) throws {
      let query = query(group)
      let indices = meant(query, by: application)
      try expect(indices.isEmpty ? .errSecItemNotFound : nil) {
        try keychain.remove(query, all: true, app: application)
      }
      for index in indices.reversed() { table.items.remove(at: index) }
    }

    private func share(_ application: String) throws {
      var query = query(nil)
      query.account = pick(SeparationTests.names)
      let others = SeparationTests.applications.filter { $0 != application }
      let (other, isShared) = (pick(others), Bool.random(using: &generator))
      let index = meant(query, by: application).first
      let wasShared = index.map { table.items[$0].sharedWith.contains(other) } ?? false
      try expect(index == nil || !(isShared || wasShared) ? .errSecItemNotFound : nil) {
        try keychain.share(query, with: other, isShared: isShared, app: application)
      }
      guard let index else { return }
      if isShared {
        table.items[index].sharedWith.insert(other)
      } else {
        table.items[index].sharedWith.remove(other)
      }
    }

    /// An application names what is another's. It learns nothing but that it is.
    private func trespass(_ application: String) throws {
      let group = pick(SeparationTests.foreign.filter { $0 != application })
      let query = query(group)
      var item = ItemAttributes()
      item.service = "a"
      item.group = group
      let keychain = keychain
      for body in [
        { _ = try keychain.find(query, app: application) },
        { _ = try keychain.get(query, app: application) },
        { try keychain.add(item, app: application) },
        { try keychain.remove(query, all: true, app: application) },
        { try keychain.update(query, secret: "x", all: true, app: application) },
        { try keychain.share(query, with: "/usr/bin/chat", app: application) },
      ] as [() throws -> Void] {
        try expect(.errSecMissingEntitlement, body)
      }
    }

    /// Everything that every application reads is what the table says.
    func compare() throws {
      for application in SeparationTests.applications {
        for group in [nil] + SeparationTests.groups.map(Optional.some) {
          var query = ItemQuery()
          query.group = group
          let wanted = table.read(by: application, in: group).filter { item in
            group.map { $0.utf8.elementsEqual(item.group.utf8) } ?? true
          }
          var read: [Table.Item] = []
          do throws(Failure) {
            read = try items(query, application)
          } catch {
            #expect(error.code == .errSecItemNotFound)
          }
          #expect(Set(read.map(line)) == Set(wanted.map { line(shown($0, to: application)) }))
          #expect(read.count == wanted.count)
        }
      }
    }

    private func items(
      _ query: ItemQuery, _ application: String
    ) throws(Failure) -> [Table.Item] {
      do {
        return try keychain.find(query, app: application).map { found in
          var one = ItemQuery()
          one.identifier = found.identifier
          one.group = query.group
          return Table.Item(
            group: found.group, service: found.service, account: found.account,
            label: found.label, secret: try keychain.get(one, app: application),
            sharedWith: Set(found.sharedWith))
        }
      } catch let failure as Failure {
        throw failure
      } catch {
        throw Failure(.engineFailed, "\(error)")
      }
    }

    /// Only its own group learns with whom an item is shared.
    private func shown(_ item: Table.Item, to application: String) -> Table.Item {
      var item = item
      if item.group != application { item.sharedWith = [] }
      return item
    }

    /// An item as bytes, by which alone items are told apart.
    private func line(_ item: Table.Item) -> [UInt8] {
      let parts = [item.group, item.service, item.account, item.label, item.secret]
      return Array((parts + item.sharedWith.sorted()).joined(separator: "\n").utf8)
    }
  }

  @Test(
    "K2: whatever three applications do, each reads what it put there, what others share with it, and groups that both name",
    arguments: 1...24)
  func randomSequences(seed: UInt64) throws {
    let run = try Run(seed: seed)
    for _ in 0..<40 {
      try run.step()
      try run.compare()
    }
    let again = try TestKeychain(run.folder)
    #expect((try? again.find(app: "/usr/bin/chat")) == nil)
  }
}
