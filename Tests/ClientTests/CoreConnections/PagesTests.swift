import Protocol
import Testing

@testable import CoreClient

@Suite("Pages of what is found")
struct PagesTests {
  private func item(_ number: Int) -> ItemAttributes {
    var attributes = ItemAttributes()
    attributes.service = "service \(number)"
    return attributes
  }

  /// A keychain of ten items whose pages have three of them at most.
  private func answer(_ request: FindItems) -> FoundItems {
    let most = request.limit == 0 ? 3 : min(3, Int(request.limit))
    let start = Int(request.after)
    let end = min(10, start + most)
    return FoundItems(items: (start..<end).map(item), next: end < 10 ? UInt64(end) : 0)
  }

  @Test("all pages are asked for, one after the other, until there is none")
  func everyPage() throws {
    var counts: [Int] = []
    var items: [ItemAttributes] = []
    try FindItems(query: ItemQuery()).forEachPage {
      answer($0)
    } _: { page in
      counts.append(page.count)
      items += page
    }
    #expect(counts == [3, 3, 3, 1])
    #expect(items == (0..<10).map(item))
  }

  @Test("no more is asked for than is wanted", arguments: [1, 3, 4, 9, 10, 11] as [UInt32])
  func limited(limit: UInt32) throws {
    let items = try FindItems(query: ItemQuery(), limit: limit).all { answer($0) }
    #expect(items == (0..<min(10, Int(limit))).map(item))
  }

  @Test("a keychain that leads in a circle is not followed")
  func circle() throws {
    var asked = 0
    let items = try FindItems(query: ItemQuery()).all { request in
      asked += 1
      return FoundItems(items: [item(asked)], next: 5)
    }
    #expect(asked == 2 && items.count == 2)
  }

  @Test("a failure ends the search")
  func failure() {
    #expect(throws: Failure(.errSecItemNotFound, "none")) {
      _ = try FindItems(query: ItemQuery()).all { (_) throws(Failure) in
        throw Failure(.errSecItemNotFound, "none")
      }
    }
  }
}
