import LinuxSystem
import Protocol
import Testing

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
    let takes: [(Int, PeerCredentials)] = [
      (60, one), (6, one), (5, one), (5, one), (1, one), (31, two), (30, two), (5, two), (5, three),
      (5, three),
    ]
    let results = takes.map { budget.take($0.0, for: $0.1, isShort: $0.0 <= budget.short) }
    #expect(results == [true, false, true, true, false, false, true, true, true, false])
    budget.giveBack(60, for: one)
    #expect(budget.held == 50 && budget.heldByProcess == [1: 10, 2: 35, 3: 5])
    budget.giveBack(10, for: one)
    #expect(budget.heldByProcess == [2: 35, 3: 5] && budget.heldByUser == [1000: 40])
    let isFree = budget.take(60, for: one, isShort: false)
    #expect(isFree)
  }

  @Test(
    "FINDINGS A8: in the service all other users together leave each, and root, a share of their own"
  )
  func users() {
    var budget = SecretBudget.ofService
    for user in 1000..<1000 + UInt32(ServiceBudget.users - 1) {
      for process in 10..<14 as Range<Int32> {
        let hostile = PeerCredentials(process: process, user: user)
        while budget.take(64 << 10, for: hostile, isShort: false) {}
        while budget.take(1 << 10, for: hostile, isShort: true) {}
      }
    }
    for user in [0, 999] as [UInt32] {
      let honest = PeerCredentials(process: 20 + Int32(user), user: user)
      let largest = budget.take(2 * SecretArena.largestBlock, for: honest, isShort: false)
      let short = budget.take(1 << 10, for: honest, isShort: true)
      #expect(largest && short)
    }
    #expect(budget.held <= ServiceBudget.lockedMemory)
  }

  @Test(
    "a share is given back when its last holder goes, and a reply too long for a secret takes none")
  func share() {
    let ledger = SecretLedger(SecretBudget())
    do {
      let request = SecretLedger.Share(ledger, of: one)
      #expect(request.grow(toRequest: 16, of: 10_000) && ledger.held == 32)
      #expect(request.grow(toRequest: 10_000, of: 10_000))
      let reply = ledger.room(forReply: 1000, of: one)
      let list = ledger.room(forReply: 20 << 20, of: one)
      #expect(reply != nil && list != nil)
      #expect(ledger.held == 21_000)
      withExtendedLifetime((request, reply, list)) {}
    }
    #expect(ledger.held == 0)
  }

  private static let large = 48 << 10

  private func add(_ client: FakeClient) throws -> UInt32 {
    try client.ask(AddItem(attributes: ItemAttributes(), secret: SecretBytes(count: Self.large)))
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
