import Protocol
import Testing

@Suite("Pages of items")
final class PagingTests: OneKeychain {
  private func fill(_ count: Int, account: (Int) -> String = { _ in "" }) throws {
    var number = 0
    while number < count {
      let batch = (number..<min(count, number + AddItems.mostItems)).map { number in
        var attributes = ItemAttributes()
        attributes.service = "service \(number)"
        attributes.account = account(number)
        return (attributes: attributes, secret: [UInt8]())
      }
      try keychain.add(batch)
      number += batch.count
    }
  }

  /// Everything that a query means, and in how many pages it came.
  private func all(
    _ query: ItemQuery = ItemQuery(), limit: UInt32 = 0
  ) throws -> (items: [ItemAttributes], pages: Int) {
    var (items, pages, after): ([ItemAttributes], Int, UInt64) = ([], 0, 0)
    repeat {
      let page = try keychain.page(query, limit: limit, after: after)
      items += page.items
      after = page.next
      pages += 1
    } while after > 0
    return (items, pages)
  }

  @Test(
    "K4: of any number of items each comes once, oldest first, in pages of a size that is bounded")
  func everyItem() throws {
    try fill(5000)
    let (items, pages) = try all()
    #expect(items.map(\.service) == (0..<5000).map { "service \($0)" })
    #expect(pages == 2)
    #expect(keychain.enclave.counts[OpenAttributes.number] == 2)
  }

  @Test("as many come as are wanted, and the next page goes on behind the last of them")
  func limits() throws {
    try fill(10)
    let first = try keychain.page(limit: 3)
    #expect(first.items.map(\.service) == ["service 0", "service 1", "service 2"])
    let second = try keychain.page(limit: 3, after: first.next)
    #expect(second.items.map(\.service) == ["service 3", "service 4", "service 5"])
    for limit: UInt32 in [1, 3, 5, 10, 11] {
      let (items, pages) = try all(limit: limit)
      #expect(items.count == 10)
      #expect(pages <= 10 / Int(limit) + 1)
    }
  }

  @Test("an item that is removed between two pages is left out, and one that is added comes last")
  func changes() throws {
    try fill(10)
    let first = try keychain.page(limit: 5)
    try keychain.remove(query("service 4"))
    try keychain.remove(query("service 7"))
    try keychain.add("late", "")
    let second = try keychain.page(after: first.next)
    #expect(
      second.items.map(\.service) == ["service 5", "service 6", "service 8", "service 9", "late"])
    #expect(second.next == 0)
  }

  @Test("few items that only opening tells are found among many, whatever page they are on")
  func filtered() throws {
    try fill(200)
    var attributes = ItemAttributes()
    attributes.service = "last"
    attributes.values[.comment] = .text("this one")
    try keychain.add([(attributes, [])])
    var query = ItemQuery()
    query.terms[.comment] = .text("this one")
    let page = try keychain.page(query, limit: 1)
    #expect(page.items.map(\.service) == ["last"])
    query.terms[.comment] = .text("no such")
    #expect(try code { _ = try keychain.page(query, limit: 1) } == .errSecItemNotFound)
  }

  @Test("K6: closed items are passed over, and said to be closed where there is nothing else")
  func closed() throws {
    try fill(200)
    keychain.enclave.isLocked = true
    #expect(try code { _ = try keychain.page(limit: 1) } == .errSecInteractionNotAllowed)
    try keychain.add("open", "", accessible: .afterFirstUnlock)
    #expect(try keychain.page(limit: 1).items.map(\.service) == ["open"])
  }

  @Test("behind the last item there is an empty page and no failure, wherever that is said to be")
  func behind() throws {
    try fill(3)
    for after: UInt64 in [3, 4, .max, UInt64(Int64.max)] {
      #expect(try keychain.page(after: after) == FoundItems(items: []))
    }
  }

  @Test("K2: what one application was told of how to go on gets another one nothing")
  func otherApplication() throws {
    try fill(3)
    let page = try keychain.page(limit: 1)
    #expect(try keychain.page(after: page.next, app: "uid:1001") == FoundItems(items: []))
  }

  @Test("a page ends early where attributes are long")
  func longAttributes() throws {
    let count = 1100
    for start in stride(from: 0, to: count, by: 50) {
      try keychain.add(
        (start..<start + 50).map { number in
          var attributes = ItemAttributes()
          attributes.service = "service \(number)"
          attributes.values[.generic] = .data([UInt8](repeating: 1, count: 4096))
          return (attributes: attributes, secret: [UInt8]())
        })
    }
    let (items, pages) = try all()
    #expect(items.count == count)
    #expect(pages == 2)
  }
}
