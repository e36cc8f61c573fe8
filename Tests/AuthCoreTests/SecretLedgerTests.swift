import ClientProtocol
import EngineKit
import LinuxSystem
import Testing
import Wire

@testable import AuthCore

@Suite("Locked memory for clients")
struct SecretLedgerTests {
  private let one = PeerCredentials(process: 1, user: 1000)
  private let two = PeerCredentials(process: 2, user: 1000)
  private let three = PeerCredentials(process: 3, user: 1000)

  @Test("one process gets its share, all together theirs, and short messages a little more")
  func budget() {
    var budget = SecretBudget()
    budget.total = 100
    budget.ofProcess = 60
    budget.reserve = 10
    budget.short = 5
    let results = [
      budget.take(60, for: one), budget.take(6, for: one), budget.take(5, for: one),
      budget.take(5, for: one), budget.take(1, for: one),
      budget.take(31, for: two), budget.take(30, for: two), budget.take(5, for: two),
      budget.take(5, for: three), budget.take(5, for: three),
    ]
    #expect(results == [true, false, true, true, false, false, true, true, true, false])
    budget.giveBack(60, for: one)
    #expect(budget.held == 50 && budget.heldByProcess == [1: 10, 2: 35, 3: 5])
    budget.giveBack(10, for: one)
    #expect(budget.heldByProcess == [2: 35, 3: 5] && budget.heldByUser == [1000: 40])
    let isFree = budget.take(60, for: one)
    #expect(isFree)
  }

  @Test(
    "in the service all programs of one user together leave the others enough for their requests")
  func users() {
    var budget = SecretBudget.ofService
    for process in 10..<40 as Range<Int32> {
      while budget.take(64 << 10, for: PeerCredentials(process: process, user: 1000)) {}
      while budget.take(1 << 10, for: PeerCredentials(process: process, user: 1000)) {}
    }
    let ofAnother = (50..<52 as Range<Int32>).map {
      budget.take(96 << 10, for: PeerCredentials(process: $0, user: 1001))
    }
    #expect(ofAnother == [true, true])
  }

  @Test(
    "a share is given back when its last holder goes, and a reply too long for a secret takes none")
  func share() {
    let ledger = SecretLedger(SecretBudget())
    do {
      let request = ledger.room(forRequest: 10_000, of: one)
      let reply = ledger.room(forReply: 1000, of: one)
      let list = ledger.room(forReply: 20 << 20, of: one)
      #expect(request != nil && reply != nil && list != nil)
      #expect(ledger.held == 21_000)
    }
    #expect(ledger.held == 0)
  }

  private static let large = 48 << 10

  private func add(_ client: FakeClient) throws -> UInt32 {
    try client.ask(
      AddItem(
        attributes: ItemAttributes(), secret: SecretBytes(count: Self.large)))
  }

  /// Asks for the status until `client`'s message must have been read.
  private func waitUntil(_ test: TestCore, holds count: Int, _ client: FakeClient) throws {
    for _ in 0..<100_000 where test.core.secrets.held < count {
      try client.send(GetStatus())
      _ = try client.receive(CoreStatus.self)
    }
    #expect(test.core.secrets.held >= count)
  }

  @Test("ATTACKS 10: of twelve large adds that wait those that find no locked memory are told busy")
  func twelveAdds() throws {
    let test = TestCore()
    test.keychain.state.update {
      $0.fault = .hang
      $0.faultyFor = AddItem.number
    }
    let observer = try test.greetedClient(from: 1)
    let clients = try (0..<12 as Range<Int32>).map { try test.greetedClient(from: 100 + $0) }
    let fitting = SecretBudget().total / (2 * Self.large + 200)
    for (index, client) in clients.enumerated() {
      _ = try add(client)
      if index < fitting {
        try waitUntil(test, holds: (index + 1) * 2 * Self.large, observer)
      } else {
        let failure = try client.receive(Failure.self)
        #expect(failure.code == .busy && failure.hint != nil)
      }
    }
    #expect(test.core.secrets.held <= SecretBudget().total)
    test.keychain.mend()
    for client in clients[..<fitting] { _ = try client.receive(ItemAdded.self) }
    _ = try add(clients[11])
    _ = try clients[11].receive(ItemAdded.self)
  }

  @Test("ATTACKS 10: one program's connections share its bound, and others go on")
  func oneProcess() throws {
    let test = TestCore()
    test.keychain.state.update {
      $0.fault = .hang
      $0.faultyFor = AddItem.number
    }
    let greedy = try (0..<3).map { _ in try test.greetedClient(from: 7) }
    let other = try test.greetedClient(from: 8)
    for (index, client) in greedy[..<2].enumerated() {
      _ = try add(client)
      try waitUntil(test, holds: (index + 1) * 2 * Self.large, other)
    }
    _ = try add(greedy[2])
    #expect(try greedy[2].receiveFailure() == .busy)
    try greedy[2].send(GetStatus())
    _ = try greedy[2].receive(CoreStatus.self)
    _ = try add(other)
    try waitUntil(test, holds: 6 * Self.large, greedy[2])
    test.keychain.mend()
    _ = try other.receive(ItemAdded.self)
  }

  @Test("a secret that no locked memory is left for is not read out of the keychain's answer")
  func replyWithoutRoom() throws {
    let test = TestCore { limits in
      limits.secrets.total = 0
      limits.secrets.ofProcess = 0
    }
    let client = try test.greetedClient()
    let got = GotItem(attributes: ItemAttributes(), secret: SecretBytes(count: 5000))
    test.keychain.state.update { $0.fault = .lie(got.encoded().array) }
    try client.ask(GetItem(query: ItemQuery()), .test())
    #expect(try client.receiveFailure() == .busy)
    test.keychain.mend()
    try client.ask(GetItem(query: ItemQuery()), .test())
    _ = try client.receive(GotItem.self)
  }

  @Test("a passcode for which there is no locked memory ends the connection and says why")
  func passcodeWithoutRoom() throws {
    let test = TestCore { limits in
      limits.secrets.total = 0
      limits.secrets.ofProcess = 0
      limits.secrets.short = 1000
    }
    let client = try test.greetedClient()
    let id = try client.send(UnlockDevice(options: .test(prefersPasscode: true)))
    let prompt = try client.receive(Prompt.self)
    let passcode = String(repeating: "x", count: 1000)
    try client.answer(prompt, .passcode, passcode, request: id)
    #expect(try client.receiveFailure() == .busy)
    #expect(client.isDisconnected())
  }
}
