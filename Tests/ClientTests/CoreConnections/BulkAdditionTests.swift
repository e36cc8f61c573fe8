import Protocol
import Testing

@testable import CoreClient

@Suite("Adding many items")
struct BulkAdditionTests {
  /// What a keychain received: the service and the secret of each item.
  private final class Recorder {
    var messages: [[(service: String, secret: [UInt8])]] = []
    var longest = 0

    func take(_ message: borrowing AddItems) -> ItemsAdded {
      longest = max(longest, message.encoded().count)
      var start = 0
      messages.append(
        message.items.map { item in
          let end = start + Int(item.secretCount)
          defer { start = end }
          return (item.attributes.service, (start..<end).map { message.secrets.bytes[$0] })
        })
      return ItemsAdded(results: message.items.map { .added($0.attributes.service) })
    }
  }

  private func attributes(_ number: Int) -> ItemAttributes {
    var attributes = ItemAttributes()
    attributes.service = "service \(number)"
    return attributes
  }

  @Test("K4: any number of items is sent in few messages, none longer than a core accepts")
  func batches() throws {
    let recorder = Recorder()
    var addition = BulkAddition { (message) throws(Failure) in recorder.take(message) }
    for number in 0..<3000 {
      let secret = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number % 50)
      try addition.add(attributes(number), SecretBytes(copying: secret.span))
    }
    let results = try addition.finish()
    #expect(results == (0..<3000).map { .added("service \($0)") })
    #expect(recorder.messages.count < 12)
    #expect(recorder.longest <= ApplicationRequest.longestMessage / 4 + 1024)
    let sent = recorder.messages.flatMap(\.self)
    #expect(sent.count == 3000)
    for (number, item) in sent.enumerated() {
      #expect(item.service == "service \(number)")
      #expect(item.secret.count == number % 50)
      #expect(item.secret.allSatisfy { $0 == UInt8(truncatingIfNeeded: number) })
    }
  }

  @Test("the largest item is sent alone, and a message holds at most the allowed items")
  func edges() throws {
    let recorder = Recorder()
    var addition = BulkAddition { (message) throws(Failure) in recorder.take(message) }
    var largest = attributes(0)
    largest.label = String(repeating: "l", count: 1024)
    try addition.add(largest, SecretBytes(count: largestItemSecret))
    try addition.add(largest, SecretBytes(count: largestItemSecret))
    for _ in 0..<AddItems.mostItems + 1 {
      try addition.add(ItemAttributes(), SecretBytes(count: 0))
    }
    _ = try addition.finish()
    #expect(recorder.messages.count >= 3)
    #expect(recorder.messages[0].count == 1)
    #expect(recorder.messages.allSatisfy { $0.count <= AddItems.mostItems })
  }

  @Test("without items nothing is sent")
  func nothing() throws {
    let recorder = Recorder()
    var addition = BulkAddition { (message) throws(Failure) in recorder.take(message) }
    #expect(try addition.finish().isEmpty)
    #expect(recorder.messages.isEmpty)
  }

  @Test("a keychain that answers for other items is not believed")
  func strangeAnswer() throws {
    var addition = BulkAddition { (_) throws(Failure) in ItemsAdded(results: [.duplicate]) }
    try addition.add(attributes(1), SecretBytes(count: 1))
    try addition.add(attributes(2), SecretBytes(count: 1))
    do throws(Failure) {
      _ = try addition.finish()
      Issue.record("two items with one result")
    } catch {
      #expect(error.code == .coreFailed)
    }
  }
}

@Suite("Pages of what is found")
struct PagesTests {
  private func item(_ number: Int) -> ItemAttributes {
    var attributes = ItemAttributes()
    attributes.service = "service \(number)"
    return attributes
  }

  /// A keychain of ten items with at most three in a page.
  private func answer(_ request: FindItems) -> FoundItems {
    let most = request.limit == 0 ? 3 : min(3, Int(request.limit))
    let start = Int(request.after)
    let end = min(10, start + most)
    return FoundItems(items: (start..<end).map(item), next: end < 10 ? UInt64(end) : 0)
  }

  @Test("all pages are requested in order")
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

  @Test("no more items are requested than wanted", arguments: [1, 3, 4, 9, 10, 11] as [UInt32])
  func limited(limit: UInt32) throws {
    let items = try FindItems(query: ItemQuery(), limit: limit).all { answer($0) }
    #expect(items == (0..<min(10, Int(limit))).map(item))
  }

  @Test("a cursor that does not advance ends the search")
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
