import Protocol
import Testing

@testable import CoreClient

@Suite("Adding many items")
struct BulkAdditionTests {
  /// What a keychain was sent; of an item its service and the bytes of its secret.
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

  @Test("K4: any number of items goes in few messages, none of them longer than a core takes")
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

  @Test("the largest item goes alone, and a message holds no more items than may be")
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
