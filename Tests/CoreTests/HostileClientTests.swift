import Glibc
import LinuxSystem
import Protocol
import TestSupport
import Testing

@testable import AuthCore

@Suite("Clients that mean no good, or are broken")
struct HostileClientTests {
  private func bytes(of message: borrowing some WireMessage & ~Copyable, _ request: UInt32)
    -> [UInt8]
  {
    let body = ClientEnvelope.encode(message, request: request).copied
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: body.count >> $0) } + body
  }

  private var hello: Hello {
    Hello(protocolVersion: ClientEnvelope.version, softwareVersion: "test")
  }

  private func write(_ bytes: [UInt8], to client: FakeClient) {
    #expect(unsafe Glibc.write(client.stream.descriptor.number, bytes, bytes.count) == bytes.count)
  }

  /// That others are served meanwhile.
  private func isServed(_ client: FakeClient) throws {
    try client.send(GetStatus())
    _ = try client.receive(CoreStatus.self)
  }

  @Test("one that sends a byte at a time is served as any other, and holds up nobody")
  func slow() throws {
    let test = TestCore()
    let neighbor = try test.greetedClient()
    let client = try test.connect()
    for byte in bytes(of: hello, 1) + bytes(of: GetStatus(), 2) {
      write([byte], to: client)
      try isServed(neighbor)
    }
    _ = try client.receive(Welcome.self, request: 1)
    _ = try client.receive(CoreStatus.self, request: 2)
  }

  @Test("one that does not finish a message in time is told so and disconnected, others are not")
  func unfinished() throws {
    let test = TestCore { $0.messageMilliseconds = 100 }
    do {
      let neighbor = try test.greetedClient()
      let client = try test.greetedClient()
      write(Array(bytes(of: GetStatus(), 7).dropLast()), to: client)
      #expect(try client.receiveFailure() == .usage)
      #expect(client.isDisconnected())
      try isServed(neighbor)
    }
    test.core.waitUntilIdle()
    #expect(eventually { test.core.secrets.held == 0 })
  }

  @Test("a byte now and then prolongs nothing")
  func dripping() throws {
    let test = TestCore { $0.messageMilliseconds = 10 }
    let client = try test.greetedClient()
    let length = ClientEnvelope.longestRequest
    write([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }, to: client)
    // Until its end, which a closed socket tells.
    var (byte, sent): (UInt8, Int) = (0, 0)
    while unsafe send(client.stream.descriptor.number, &byte, 1, Int32(MSG_NOSIGNAL)) == 1 {
      sent += 1
    }
    #expect(sent < length)
    #expect(try client.receiveFailure() == .usage)
    #expect(client.isDisconnected())
  }

  @Test("one that ends its half after a request is forgotten, whatever came of the request")
  func halfClosed() throws {
    let test = TestCore()
    for _ in 0..<20 {
      let client = try test.greetedClient()
      try client.send(GetStatus())
      shutdown(client.stream.descriptor.number, Int32(SHUT_WR))
      #expect(client.isDisconnected())
    }
    test.core.waitUntilIdle()
  }

  @Test("one that ends inside a message is forgotten, and what it held is given back")
  func endsInside() throws {
    let test = TestCore()
    do {
      let client = try test.greetedClient()
      write([0, 0, 0x80, 0, 1, 2, 3], to: client)
      let neighbor = try test.greetedClient()
      for _ in 0..<10_000 where test.core.secrets.held == 0 { try isServed(neighbor) }
      #expect(1...256 ~= test.core.secrets.held, "32 KiB are named, and three bytes were sent")
    }
    test.core.waitUntilIdle()
    #expect(eventually { test.core.secrets.held == 0 })
  }

  @Test("one that does not read holds its own answers, and its requests wait until it does")
  func unread() throws {
    let test = TestCore()
    let neighbor = try test.greetedClient(from: 1)
    let client = try test.greetedClient(from: 2, room: 1)
    func asked() -> Int { test.enclave.asked.count { $0 == GetEnclaveStatus.number } }
    try isServed(neighbor)
    let each = asked()
    let ids = try (0..<30).map { _ in try client.send(GetStatus()) }
    for _ in 0..<100 { try isServed(neighbor) }
    #expect(each > 0 && asked() < 131 * each, "some of them have not begun")
    for id in ids { _ = try client.receive(CoreStatus.self, request: id) }
    try isServed(client)
  }

  @Test("those that do not read hold no more than a bound together, and cost nobody else anything")
  func unreadTogether() throws {
    // Nobody's patience ends here, however slow the machine is.
    let test = TestCore(unsent: UserBudget(ofUser: 4096, total: 8192, reserve: 0, little: 0)) {
      $0.sendMilliseconds = 3_600_000
    }
    let neighbor = try test.greetedClient(from: 1)
    var clients: [FakeClient] = []
    for process in 2..<42 as Range<Int32> {
      let client = try test.greetedClient(from: process, room: 1)
      for _ in 0..<30 { _ = try? client.send(GetStatus()) }
      clients.append(client)
      for _ in 0..<10 { try isServed(neighbor) }
      #expect(test.core.connections.unsent.held <= 4096)
    }
    #expect(test.core.connections.unsent.held > 2048, "nothing lies there: the bound was not tried")
  }

  @Test("what clients have not taken is counted for their user and for all, until it is gone")
  func unsentBudget() {
    let bounds = UserBudget(ofUser: 10, total: 15, reserve: 0, little: 0)
    var budget = bounds
    let changes: [(user: UInt32, count: Int)] = [
      (1, 10), (1, 1), (2, 5), (2, 1), (1, -10), (2, -5),
    ]
    #expect(
      changes.map { budget.change(by: $0.count, for: $0.user) }
        == [true, false, true, false, true, true])
    #expect(budget == bounds)
    let ledger = UserLedger(bounds)
    do {
      let account = UserLedger.Account(ledger, user: 1)
      #expect(account.note(7) && account.note(10) && account.note(10) && ledger.held == 10)
      #expect(!account.note(11) && ledger.held == 10, "what may not lie here is never counted")
    }
    #expect(ledger.held == 0, "who is gone holds nothing")
  }

  @Test("one that cancels without end and does not read is dropped past a bound")
  func cancelFlood() throws {
    let test = TestCore { limits in
      limits.unsentBytes = 4096
      limits.waitingRequests = 3
    }
    let neighbor = try test.greetedClient(from: 1)
    let client = try test.greetedClient(from: 2, room: 1)
    try client.send(UnlockDevice(options: .test(prefersPasscode: true)))
    _ = try client.receive(Prompt.self)
    #expect(throws: StreamError.self) {
      for _ in 0..<200_000 {
        let id = try client.send(GetStatus())
        try client.send(Cancel(), request: id)
      }
    }
    try isServed(neighbor)
  }

  @Test("of 10,000 requests that want a prompt one program has 64 on view, the others are told")
  func manyPrompts() throws {
    let test = TestCore()
    let wish = UnlockDevice(options: .test(prefersPasscode: true))
    let clients = try (0..<100).map { _ in try test.greetedClient(from: 7) }
    var waiting: [FakeClient] = []
    var refused: [FakeClient] = []
    for client in clients {
      try client.send(wish)
      do {
        _ = try client.receive(Prompt.self)
        waiting.append(client)
      } catch let failure as Failure {
        #expect(failure.code == .busy && failure.hint != nil)
        refused.append(client)
      }
    }
    #expect(waiting.count == 64 && refused.count == 36)
    for _ in 0..<9 {
      for client in refused {
        for _ in 0..<30 {
          try client.send(wish)
        }
        for _ in 0..<30 { #expect(try client.receiveFailure() == .busy) }
      }
    }
    let other = try test.greetedClient(from: 8)
    try isServed(other)
    let id = try other.send(wish)
    try other.answer(try other.receive(Prompt.self), .passcode, "1234", request: id)
    #expect(try other.receive(Evaluated.self).evidence == .passcode)
    waiting.removeAll()
    refused.removeAll()
  }

  @Test("requests that hang in the enclave keep neither quit out nor a cancelled one")
  func hanging() throws {
    let test = TestCore()
    _ = try test.core.enclaves.enclave()
    test.enclave.state.update { $0.silentTo = GetEnclaveStatus.number }
    let clients = try (0..<20).map { _ in try test.greetedClient() }
    for client in clients { try client.send(GetStatus(), request: 5) }
    test.enclave.waitUntilAsked(GetEnclaveStatus.number)
    try clients[0].send(Cancel(), request: 5)
    #expect(try clients[0].receiveFailure() == .appCancel)
    let quitting = try test.connect()
    try quitting.send(Quit(unlessUnlocked: false))
    _ = try quitting.receive(Done.self)
    #expect(test.core.waitForEnd(nanoseconds: .max))
    test.core.end()
  }

  @Test("ATTACKS 8: 500 clients of which each says something wrong disturb nobody")
  func garbageInNumbers() throws {
    let test = TestCore()
    let neighbor = try test.greetedClient(from: 1)
    for round in 0..<10 {
      let clients = try (0..<50).map { _ in try test.connect(from: 2) }
      for (index, client) in clients.enumerated() {
        // To cancel what never was is no mistake.
        let number = UInt8(index + round * 20)
        write([0, 0, 0, 5, number == Cancel.number ? 255 : number, 0, 0, 0, 9], to: client)
      }
      try isServed(neighbor)
      for client in clients { #expect(client.isDisconnected()) }
    }
    try isServed(neighbor)
  }
}
