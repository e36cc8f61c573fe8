import Glibc
import Protocol
import Testing

@testable import AuthCore
@testable import LinuxSystem

/// Cores of several users behind one loop, as in the service. Users 2 and 3 are hostile.
@Suite("One user against all")
struct OneAgainstAllTests {
  private struct Naming: ApplicationNaming {
    func client(connectedTo socket: Int32, _ peer: PeerCredentials) -> NamedClient {
      NamedClient(application: commandApplication, isAgentProgram: false)
    }
  }

  private let honest: TestCore
  private let hostile: [TestCore]

  init() {
    let honest = TestCore(naming: Naming(), servesUsers: true, user: 1) {
      $0.secrets = .ofService
      // No patience ends here, however slow the machine is.
      $0.messageMilliseconds = 3_600_000
    }
    hostile = ([2, 3] as [UInt32]).map { user in
      TestCore(naming: Naming(), beside: honest, user: user) { $0.messageMilliseconds = 3_600_000 }
    }
    self.honest = honest
  }

  private func isServed(_ client: FakeClient) throws {
    try client.send(GetStatus())
    _ = try client.receive(CoreStatus.self)
  }

  /// Sends bytes, and descriptors with the first of them.
  private func send(_ bytes: [UInt8], _ descriptors: [Int32] = [], to client: FakeClient) {
    let body: [UInt8] = []
    let sent = MessageFraming.write(
      client.stream.descriptor.number, bytes.span, body.span, from: 0, descriptors)
    #expect(sent == bytes.count)
  }

  @Test("FINDINGS A4: the service takes no descriptor: the first ends the connection and is closed")
  func descriptors() throws {
    let neighbor = try honest.greetedClient()
    try isServed(neighbor)
    for core in hostile {
      let client = try core.greetedClient()
      let watched = try Pipe(nonBlocking: .both)
      let copy = dup(watched.writer)
      send([0], [copy, copy, copy, copy], to: client)
      close(copy)
      #expect(try client.receiveFailure() == .errSecMissingEntitlement)
      #expect(client.isDisconnected())
      try isServed(neighbor)
      core.core.waitUntilIdle()
      var pipe = watched
      pipe.closeWriter()
      // The end of the pipe: no copy is left.
      var polled = pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0)
      #expect(unsafe poll(&polled, 1, 120_000) == 1 && polled.revents & Int16(POLLHUP) != 0)
    }
  }

  @Test("FINDINGS A4: a core on demand takes so many descriptors with a message, not with a byte")
  func descriptorsOfMessage() throws {
    let test = TestCore()
    let client = try test.greetedClient()
    for _ in 0..<2 { send([0], [0, 0, 0, 0], to: client) }
    #expect(try client.receiveFailure() == .usage)
    #expect(client.isDisconnected())
    let other = try test.greetedClient()
    try other.stream.send(ClientEnvelope.encode(GetStatus(), request: 9), descriptors: [0])
    #expect(try other.receiveFailure() == .usage, "a request that takes none")
    #expect(other.isDisconnected())
  }

  @Test("FINDINGS A4: a prompt that nobody answers ends, whatever time the client names")
  func unanswered() throws {
    let test = TestCore { $0.answerMilliseconds = 1 }
    let client = try test.greetedClient()
    let id = try client.send(UnlockDevice(options: .test(timeout: .max, prefersPasscode: true)))
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    #expect(try client.receiveFailure() == .timedOut)
    #expect(CoreLimits().answerMilliseconds == PromptOptions.longestTimeoutMilliseconds)
  }

  @Test("FINDINGS A8: lengths without bytes take no locked memory, bytes only their user's share")
  func lockedMemory() throws {
    let neighbor = try honest.greetedClient()
    func add(_ client: FakeClient) throws {
      try client.ask(
        AddItem(attributes: ItemAttributes(), secret: SecretBytes(count: largestItemSecret)))
      _ = try client.receive(ItemAdded.self)
    }
    var clients: [FakeClient] = []
    for core in hostile {
      for process in 0..<3 as Range<Int32> {
        for _ in 0..<4 {
          let client = try core.greetedClient(from: 100 + process)
          send([0, 1, 0xFF, 0xFF, 1, 2, 3], to: client)
          clients.append(client)
        }
      }
      for _ in 0..<10 { try isServed(neighbor) }
      #expect(honest.core.secrets.held <= clients.count * 64)
      try add(neighbor)
    }
    // Then the bytes come, but for the last: as many clients as fit hold all their user may.
    for client in clients {
      _ = fcntl(client.stream.descriptor.number, F_SETFL, O_NONBLOCK)
      let bytes = [UInt8](repeating: 0, count: 100_000)
      _ = unsafe write(client.stream.descriptor.number, bytes, bytes.count)
      try isServed(neighbor)
    }
    #expect(honest.core.secrets.held > 256 << 10, "the bounds of one process were not tried")
    try add(neighbor)
    // Root's unlock of a hostile user, by PAM.
    for core in hostile {
      let module = try core.greetedClient(from: 7, as: 0)
      let id = try module.send(UnlockDevice(options: .test(prefersPasscode: true)))
      try module.answer(try module.receive(Prompt.self), .passcode, "1234", request: id)
      #expect(try module.receive(Evaluated.self).evidence == .passcode)
    }
    withExtendedLifetime(clients) {}
  }

  /// Gives a passcode once.
  /// - Returns: whether it was judged.
  private func give(_ passcode: String, _ client: FakeClient) throws -> Bool {
    let id = try client.send(UnlockDevice(options: .test(prefersPasscode: true)))
    try client.answer(try client.receive(Prompt.self), .passcode, passcode, request: id)
    do {
      if passcode == "1234" {
        _ = try client.receive(Evaluated.self)
      } else {
        try client.answer(try client.receive(Prompt.self), .cancel, request: id)
        #expect(try client.receiveFailure() == .userCancel)
      }
      return true
    } catch let failure as Failure where failure.code == .tpmLockout {
      return false
    }
  }

  @Test("FINDINGS A7: two users who guess, and give right passcodes too, leave others their tries")
  func triesOfTPM() throws {
    for core in hostile + [honest] { core.enclave.set { $0.rootKey = RootKeyPlace.tpm.name } }
    var wrong: [Int] = []
    for core in hostile {
      let client = try core.greetedClient()
      let judged = try (0..<50).filter { try give($0 % 5 < 4 ? "guess \($0)" : "1234", client) }
      wrong.append(judged.count { $0 % 5 < 4 })
      #expect(core.enclave.state.read { $0.asTyped.count } == judged.count)
    }
    #expect(wrong == [9, 6], "of the 32 that lock the TPM")
    let neighbor = try honest.greetedClient()
    #expect(try give("wrong", neighbor))
    #expect(try give("1234", neighbor))
  }
}
