import Protocol
import Testing

@Suite("Several items in one message")
final class BulkTests: OneKeychain {
  private func items(_ services: [String], accessible: Accessibility = .whenUnlocked)
    -> [(attributes: ItemAttributes, secret: [UInt8])]
  {
    services.map { service in
      var attributes = ItemAttributes()
      attributes.service = service
      attributes.accessibility = accessible
      return (attributes, Array("secret of \(service)".utf8))
    }
  }

  @Test("K4: a batch is one message to the enclave, and every item is stored with its own secret")
  func whole() throws {
    let names = (0..<200).map { "service \($0)" }
    let results = try keychain.add(items(names))
    #expect(results.allSatisfy { $0.isAdded })
    // The first request of a keychain begins it, too.
    let counts = keychain.enclave.counts.filter { $0.key != NoteKeychain.number }
    #expect(counts == [SealItems.number: 1])
    let found = try keychain.find()
    #expect(found.map(\.service) == names)
    #expect(results == found.map { .added($0.identifier) })
    for name in names { #expect(try keychain.get(query(name)) == "secret of \(name)") }
  }

  @Test("a name that is there already, or twice in the batch, is a duplicate and hinders no other")
  func duplicates() throws {
    try keychain.add("b", "", secret: "first")
    let results = try keychain.add(items(["a", "b", "c", "a"]))
    #expect(results.map(\.isAdded) == [true, false, true, false])
    #expect(results[1] == .duplicate && results[3] == .duplicate)
    #expect(try keychain.find().map(\.service) == ["b", "a", "c"])
    #expect(try keychain.get(query("b")) == "first")
  }

  @Test("what the enclave does not seal is said of the one item, as it is where that is alone")
  func failures() throws {
    keychain.enclave.isPasscodeSet = false
    var batch = items(["open", "guarded", "other"])
    batch[1].attributes.accessControl = try AccessControl(parsing: "passcode")
    let results = try keychain.add(batch)
    #expect(results.map(\.isAdded) == [true, false, true])
    guard case .failed(let failure) = results[1] else { throw failureExpected }
    #expect(failure.code == .passcodeNotSet)
    #expect(try keychain.find().map(\.service) == ["open", "other"])
  }

  private let failureExpected = Failure(.engineFailed, "the item has not failed")

  @Test("an item that cannot be one hinders no other, and no other gets its secret")
  func refused() throws {
    var batch = items(["a", "b", "c"])
    batch[1].attributes.server = "none of a generic item"
    let results = try keychain.add(batch)
    #expect(results.map(\.isAdded) == [true, false, true])
    guard case .failed(let failure) = results[1] else { throw failureExpected }
    #expect(failure.code == .errSecNoSuchAttr)
    for name in ["a", "c"] { #expect(try keychain.get(query(name)) == "secret of \(name)") }
  }

  @Test("K6: a closed class takes no item of a batch, the open ones do")
  func locked() throws {
    keychain.enclave.isLocked = true
    let results = try keychain.add(
      items(["closed"]) + items(["open"], accessible: .afterFirstUnlock))
    #expect(results.map(\.isAdded) == [false, true])
    keychain.enclave.isLocked = false
    #expect(try keychain.find().map(\.service) == ["open"])
  }

  @Test("A9: an item with access control is of a class of this device only, in a batch too")
  func thisDeviceOnly() throws {
    var batch = items(["guarded"])
    batch[0].attributes.accessControl = try AccessControl(parsing: "passcode")
    try keychain.add(batch)
    #expect(try keychain.find()[0].accessibility == .whenUnlockedThisDeviceOnly)
  }

  @Test("K9: no message with secrets is longer than locked memory takes in one piece")
  func longSecrets() throws {
    var longest = 0
    var messages = 0
    keychain.enclave.intrusion = { request in
      if request.first == SealItems.number {
        longest = max(longest, request.count)
        messages += 1
      }
      return nil
    }
    let batch = items((0..<5).map { "service \($0)" }).map {
      (
        $0.attributes,
        [UInt8](repeating: UInt8($0.attributes.service.utf8.last ?? 0), count: 48 << 10)
      )
    }
    let results = try keychain.add(batch)
    #expect(results.allSatisfy { $0.isAdded })
    #expect(messages > 1 && longest <= SecretArena.largestBlock)
    for (attributes, secret) in batch {
      let stored = try keychain.get(query(attributes.service))
      #expect(Array(stored.utf8) == secret)
    }
  }

  @Test("nothing is stored where the enclave ends in the middle")
  func enclaveEnds() throws {
    let keychain = keychain
    var messages = 0
    keychain.enclave.beforeAnswer = { _ in
      messages += 1
      if messages == 2 { keychain.host.isEnclaveGone = true }
    }
    let batch = items((0..<9).map { "service \($0)" }).map {
      ($0.attributes, [UInt8](repeating: 1, count: 48 << 10))
    }
    #expect(try code { _ = try keychain.add(batch) } == .engineFailed)
    keychain.host.isEnclaveGone = false
    keychain.enclave.beforeAnswer = nil
    #expect(try code { _ = try keychain.find() } == .errSecItemNotFound)
  }

  @Test("an answer for another number of items is none")
  func strangeAnswer() throws {
    for results in [[], [SealedItems.Result.failed(Failure(.engineFailed, "no"))]] {
      keychain.enclave.intrusion = { request in
        guard request.first == SealItems.number else { return nil }
        return bytes(
          of: SealedItems(
            hashes: [[UInt8](repeating: 1, count: 32)], results: results
          ).encoded())
      }
      #expect(try code { _ = try keychain.add(items(["a", "b"])) } == .engineFailed)
    }
  }

  @Test("an empty batch adds nothing and asks nobody")
  func empty() throws {
    #expect(try keychain.add([]).isEmpty)
    #expect(keychain.enclave.counts.isEmpty)
  }
}
