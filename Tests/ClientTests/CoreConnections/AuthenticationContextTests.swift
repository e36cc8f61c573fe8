import LinuxSystem
import Protocol
import Testing

@testable import CoreClient

@Suite("Contexts, at the client", .timeLimit(.minutes(15)))
struct AuthenticationContextTests {
  /// Hears what a client asks in the context 5, and answers it.
  private static func answerRequests(_ core: borrowing FakeCore.Line) throws -> Bool {
    let opened: FakeCore.Heard<NewContext> = try core.hear()
    try core.say(ContextOpened(context: 5), to: opened.request)
    let evaluation: FakeCore.Heard<Evaluate> = try core.hear()
    try core.say(
      Evaluated(evidence: .biometry, finger: "thumb", seconds: 1, age: 4), to: evaluation.request)
    let request: FakeCore.Heard<EngineRequest> = try core.hear()
    try core.say(ItemsChanged(count: 2), to: request.request)
    return opened.message.reuseSeconds == 30 && evaluation.message.context == 5
      && evaluation.message.policy == .biometrics && evaluation.message.reuseSeconds == 0
      && request.message.context == 5 && request.message.engine == .keychain
  }

  private func useContext(
    _ context: borrowing AuthenticationContext
  ) throws {
    #expect(try context.evaluate(.biometrics, .none).age == 4)
    let reply: ItemsChanged = try context.ask(
      RemoveItems(query: ItemQuery(), allowsSeveral: false))
    #expect(reply.count == 2)
  }

  @Test("requests name the context, and invalidating it waits until the enclave has forgotten it")
  func invalidate() throws {
    let connection = try FakeCore.connect { core in
      try core.greet()
      let isNamed = try Self.answerRequests(core)
      let end: FakeCore.Heard<InvalidateContext> = try core.hear()
      if end.message.context == 5, isNamed { try core.say(Done(), to: end.request) }
      let status: FakeCore.Heard<LockDevice> = try core.hear()
      try core.say(ItemsChanged(count: 9), to: status.request)
    }
    let context = try connection.openContext(reuseSeconds: 30)
    try useContext(context)
    try context.invalidate()
    // Nothing else was said of it.
    let next: ItemsChanged = try connection.request(LockDevice())
    #expect(next.count == 9)
  }

  @Test("a context that is let go of is invalidated, and its answer disturbs no later request")
  func letGo() throws {
    let connection = try FakeCore.connect { core in
      try core.greet()
      let isNamed = try Self.answerRequests(core)
      let end: FakeCore.Heard<InvalidateContext> = try core.hear()
      let next: FakeCore.Heard<LockDevice> = try core.hear()
      try core.say(Done(), to: end.request)
      let isRight = isNamed && end.message.context == 5
      try core.say(ItemsChanged(count: isRight ? 1 : 0), to: next.request)
    }
    do {
      let context = try connection.openContext(reuseSeconds: 30)
      try useContext(context)
    }
    let next: ItemsChanged = try connection.request(LockDevice())
    #expect(next.count == 1)
  }

  @Test("a context that the core does not open is no context, and says why")
  func refused() throws {
    let busy = Failure(.busy, "too many", hint: "invalidate some")
    let connection = try FakeCore.connect { core in
      try core.greet()
      let opened: FakeCore.Heard<NewContext> = try core.hear()
      try core.say(busy, to: opened.request)
    }
    #expect(throws: busy) { _ = try connection.openContext() }
  }
}
