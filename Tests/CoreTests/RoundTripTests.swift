import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

@Suite("Round trips")
struct RoundTripTests {
  /// Another one for each test: what is counted is told from all else in this process.
  private let secret = (0..<40).map { _ in UInt8.random(in: 0...255) }

  /// Behind a finger, and of the service `bank`.
  private func add(_ client: FakeClient) throws {
    var attributes = ItemAttributes()
    attributes.service = "bank"
    attributes.label = "Bank account"
    attributes.accessibility = .whenUnlockedThisDeviceOnly
    attributes.accessControl = try AccessControl(parsing: "biometry-current")
    try client.ask(
      AddItem(attributes: attributes, secret: SecretBytes(copying: secret.span)), .test())
    _ = try client.receive(ItemAdded.self)
  }

  private var query: ItemQuery {
    var query = ItemQuery()
    query.service = "bank"
    return query
  }

  /// Opens the item as the command does; the prompt that was shown for it.
  private func open(_ client: FakeClient) throws -> Prompt {
    let id = try client.ask(GetItem(query: query), .test(reason: ""))
    let prompt = try client.receivePrompt()
    try client.answer(prompt, .shown, request: id)
    while true {
      let received = try client.stream.receive(milliseconds: 600_000)
      let number = try ClientEnvelope.header(received.bytes.bytes).number
      if number == Progress.number { continue }
      if number == Failure.number {
        throw try ClientEnvelope.decode(received.bytes.bytes, as: Failure.self)
      }
      let got = try ClientEnvelope.decode(received.bytes, as: GotItem.self)
      #expect(got.secret.array == secret)
      return prompt
    }
  }

  /// Has the threads that served the last request come to the next one: what they held is gone.
  private func settle(_ client: FakeClient) throws {
    for _ in 0..<2 {
      try client.ask(FindItems(query: query, limit: 1))
      _ = try client.receive(FoundItems.self)
    }
  }

  @Test("K4, E4: an item behind a finger takes six round trips to the enclave, and one search")
  func itemBehindFinger() throws {
    try withTemporaryFolder { home in
      let test = try CountedCore(home: home)
      try add(try test.client())
      _ = (test.enclave.takeRoundTrips(), test.takeSearches())
      // Another connection, for which the sensor is opened anew.
      let client = try test.client()
      let prompt = try open(client)
      #expect(prompt.reason == "Bank account")
      let trips = test.enclave.takeRoundTrips()
      // With the connection its channel ends.
      withExtendedLifetime(client) {}
      #expect(trips.count <= 6, "\(trips)")
      #expect(test.takeSearches() == 1)
    }
  }

  #if DEBUG
    @Test("K9: a secret lies in eight buffers on its way in, and in nine on its way out")
    func buffers() throws {
      try withTemporaryFolder { home in
        let test = try CountedCore(home: home)
        let client = try test.client()
        let counted = CountedBuffers(of: secret)
        try add(client)
        try settle(client)
        let blocksIn = counted.take()
        #expect(blocksIn.count <= 8, "\(blocksIn)")
        _ = try open(client)
        try settle(client)
        let blocksOut = counted.take()
        #expect(blocksOut.count <= 9, "\(blocksOut)")
        #expect(min(blocksIn.count, blocksOut.count) > 3, "the counter sees them")
      }
    }
  #endif
}
