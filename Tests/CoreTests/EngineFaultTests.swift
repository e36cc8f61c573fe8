import LinuxSystem
import PolicyEngine
import Protocol
import Testing

@testable import AuthCore

@Suite("Keychains and policies that hang, die and lie")
struct EngineFaultTests {
  /// Something that the keychain has a part in.
  enum Step: CaseIterable, Sendable {
    case add, find, get, update, remove, removePasscode
    /// As `add`, once the enclave has sealed the item.
    case sealedAdd

    var keychainRequest: UInt8 {
      switch self {
      case .add, .sealedAdd: AddItem.number
      case .find: FindItems.number
      case .get: GetItem.number
      case .update: UpdateItems.number
      case .remove: RemoveItems.number
      case .removePasscode: RemovePasscodeBoundItems.number
      }
    }

    func send(_ client: FakeClient) throws -> UInt32 {
      let secret = SecretBytes(copying: Array("new".utf8).span)
      switch self {
      case .add, .sealedAdd:
        return try client.ask(AddItem(attributes: ItemAttributes(), secret: secret))
      case .find: return try client.ask(FindItems(query: ItemQuery()))
      case .get:
        return try client.ask(GetItem(query: ItemQuery()), .test())
      case .update:
        return try client.ask(
          UpdateItems(
            query: ItemQuery(), changes: ItemChanges(), allowsSeveral: false, replacesSecret: true,
            secret: secret), .test())
      case .remove:
        return try client.ask(RemoveItems(query: ItemQuery(), allowsSeveral: false))
      case .removePasscode:
        let id = try client.send(RemovePasscode(options: .test()))
        try client.answer(try client.receive(Prompt.self), .passcode, "1234", request: id)
        return id
      }
    }
  }

  private func works(_ client: FakeClient) throws {
    try client.ask(FindItems(query: ItemQuery()))
    _ = try client.receive(FoundItems.self)
  }

  // MARK: The keychain

  @Test(
    "a keychain that hangs is said not to answer, disturbs nothing else, and may come back",
    arguments: Step.allCases)
  func keychainHangs(step: Step) throws {
    let test = TestCore { $0.keychainCallMilliseconds = 20 }
    test.keychain.state.update {
      $0.fault = .hang
      $0.faultyFor = step.keychainRequest
      $0.isFaultLate = step == .sealedAdd
      $0.sealsItems = true
    }
    let client = try test.greetedClient()
    let other = try test.greetedClient()
    _ = try step.send(client)
    let failure = try client.receive(Failure.self)
    #expect(failure.code == .engineFailed)
    #expect(failure.message == "the keychain engine does not answer")
    #expect(failure.hint?.contains(Failure.endingTheCore) == true)
    try other.ask(FindItems(query: ItemQuery()))
    #expect(try other.receiveFailure() == .engineFailed)
    try other.send(GetStatus())
    _ = try other.receive(CoreStatus.self)
    test.keychain.mend()
    // The engine is called again as soon as it has returned, which the test cannot see.
    for _ in 0..<100_000 {
      try other.ask(FindItems(query: ItemQuery()))
      do {
        _ = try other.receive(FoundItems.self)
        break
      } catch let failure as Failure where failure.code == .engineFailed {}
    }
    try works(client)
    #expect(test.keychain.state.read { $0.loads } == 2, "it was made anew")
  }

  @Test("Cancel ends a request that a keychain hangs in, and one that waits for its turn")
  func cancelMeanwhile() throws {
    let test = TestCore()
    test.keychain.state.update { $0.fault = .hang }
    let client = try test.greetedClient()
    let waiting = try test.greetedClient()
    let id = try Step.get.send(client)
    test.keychain.waitUntilHung()
    let second = try Step.get.send(waiting)
    try waiting.send(Cancel(), request: second)
    #expect(try waiting.receiveFailure() == .appCancel)
    try client.send(Cancel(), request: id)
    #expect(try client.receiveFailure() == .appCancel)
    test.keychain.mend()
    try works(waiting)
    try works(client)
    #expect(test.keychain.state.read { $0.loads } == 1, "it was slow, not broken")
  }

  @Test("a client that leaves waits for no keychain that hangs, nor does the end of the core")
  func endMeanwhile() throws {
    let test = TestCore()
    test.keychain.state.update { $0.fault = .hang }
    do {
      let client = try test.greetedClient()
      _ = try Step.get.send(client)
      test.keychain.waitUntilHung()
    }
    test.core.waitUntilIdle()
    test.keychain.mend()

    let ending = TestCore()
    ending.keychain.state.update { $0.fault = .hang }
    let client = try ending.greetedClient()
    _ = try Step.find.send(client)
    ending.keychain.waitUntilHung()
    ending.core.end()
    #expect(try client.receiveFailure() == .systemCancel)
    ending.keychain.mend()
  }

  @Test(
    "a keychain that breaks fails the request and is made anew for the next",
    arguments: Step.allCases)
  func keychainDies(step: Step) throws {
    let test = TestCore()
    test.keychain.state.update {
      $0.fault = .die
      $0.faultyFor = step.keychainRequest
      $0.isFaultLate = step == .sealedAdd
      $0.sealsItems = true
    }
    let client = try test.greetedClient()
    _ = try step.send(client)
    let failure = try client.receive(Failure.self)
    #expect(failure.code == .engineFailed && failure.message == "the keychain broke")
    test.keychain.mend()
    try works(client)
    #expect(test.keychain.state.read { $0.loads } == 2)
  }

  @Test(
    "a keychain that answers nonsense, or another question, fails the request",
    arguments: Step.allCases,
    [[], [255], [0, 1], [45], Done().encoded().array, GetStatus().encoded().array] as [[UInt8]])
  func keychainLies(step: Step, bytes: [UInt8]) throws {
    let test = TestCore()
    test.keychain.state.update {
      $0.fault = .lie(bytes)
      $0.faultyFor = step.keychainRequest
      $0.isFaultLate = step == .sealedAdd
      $0.sealsItems = true
    }
    let client = try test.greetedClient()
    _ = try step.send(client)
    if step == .get, bytes.first == GotItem.number {
      // The right kind of answer goes to the client unread, which cannot read it.
      #expect(throws: DecodeError.self) { _ = try client.receive(GotItem.self) }
    } else {
      #expect(try client.receiveFailure() == .engineFailed)
    }
    test.keychain.mend()
    try works(client)
  }

  @Test("a keychain that wants evidence without end, or where none belongs, gets nothing opened")
  func endlessEvidence() throws {
    let test = TestCore { $0.evidenceRounds = 3 }
    let control = try AccessControl(parsing: "passcode")
    let needed = EvidenceNeeded(accessControl: control, held: []).encoded().array
    test.keychain.state.update { $0.fault = .lie(needed) }
    let client = try test.greetedClient()
    for step in [Step.add, .find, .remove] {
      _ = try step.send(client)
      // Its client does not prompt for these.
      #expect(try client.receiveFailure() == .notInteractive)
    }
    let id = try Step.get.send(client)
    for _ in 0..<3 {
      try client.answer(try client.receive(Prompt.self), .passcode, "1234", request: id)
    }
    #expect(try client.receiveFailure() == .errSecAuthFailed)
  }

  // MARK: The policy

  /// A policy that is the real one until the question of this number, and then does what `fault`
  /// says.
  private func policy(
    faultyAt number: Int, _ fault: @escaping @Sendable () throws(Failure) -> SecretBytes
  ) -> @Sendable (borrowing SecretBytes) throws(Failure) -> SecretBytes {
    let questions = Guarded(0)
    return { (question) throws(Failure) in
      let isFaulty = questions.update { count in
        count += 1
        return count == number
      }
      return isFaulty ? try fault() : PolicyEngine.answer(question.bytes)
    }
  }

  @Test(
    "a policy that hangs at any step is said not to answer, and another one takes its place",
    arguments: 1...3)
  func policyHangs(step: Int) throws {
    let gate = Guarded(false)
    let hanging = policy(faultyAt: step) { () throws(Failure) in
      gate.wait { $0 ? () : nil }
      return PolicyStep(.succeed).encoded()
    }
    let test = TestCore([.miss, .miss], { $0.policyCallMilliseconds = 500 }, policy: hanging)
    let client = try test.clientWithSensor()
    let id = try client.send(Evaluate(policy: .owner, reuseSeconds: 0, options: .test()))
    if step > 1 { try client.answer(try client.receive(Prompt.self), .shown, request: id) }
    let failure = try client.receiveAfterProgress(Failure.self).value
    #expect(failure.code == .engineFailed)
    #expect(failure.message == "the policy engine does not answer")
    try client.send(CanEvaluate(policy: .owner))
    _ = try client.receive(Done.self)
    gate.update { $0 = true }
  }

  @Test("a policy that hangs every time is given up in the end")
  func policyAlwaysHangs() throws {
    let gate = Guarded(false)
    let test = TestCore([], { $0.policyCallMilliseconds = 10 }) { _ in
      gate.wait { $0 ? () : nil }
      return PolicyStep(.succeed).encoded()
    }
    let client = try test.greetedClient()
    for _ in 0..<8 {
      try client.send(CanEvaluate(policy: .owner))
      #expect(try client.receiveFailure() == .engineFailed)
    }
    gate.update { $0 = true }
  }

  @Test("a policy that breaks at any step fails the request and is made anew", arguments: 1...3)
  func policyDies(step: Int) throws {
    let breaking = policy(faultyAt: step) { () throws(Failure) in
      throw Failure(.engineFailed, "the policy broke")
    }
    let test = TestCore([.miss, .miss], { _ in }, policy: breaking)
    let client = try test.clientWithSensor()
    let id = try client.send(Evaluate(policy: .owner, reuseSeconds: 0, options: .test()))
    if step > 1 { try client.answer(try client.receive(Prompt.self), .shown, request: id) }
    let failure = try client.receiveAfterProgress(Failure.self).value
    #expect(failure.code == .engineFailed && failure.message == "the policy broke")
    try client.send(CanEvaluate(policy: .owner))
    _ = try client.receive(Done.self)
  }

  @Test("E4: a policy that says yes to everything opens, changes and authenticates nothing")
  func yesMan() throws {
    let test = TestCore([.match], { $0.evidenceRounds = 3 }) { _ in PolicyStep(.succeed).encoded() }
    test.enclave.set { $0.isLocked = true }
    test.keychain.state.update { $0.accessControl = try? AccessControl(parsing: "passcode") }
    test.enclave.state.update {
      $0.fingers = [Finger(identifier: "1", name: "thumb", enrolledAt: 5, isSynthetic: true)]
    }
    let client = try test.clientWithSensor()
    try client.send(Evaluate(policy: .owner, reuseSeconds: 0, options: .test()))
    #expect(try client.receiveFailure() == .engineFailed)
    try client.send(Evaluate(policy: .biometrics, reuseSeconds: 0, options: .test()))
    #expect(try client.receiveFailure() == .engineFailed)
    try client.send(UnlockDevice(options: .test()))
    #expect(try client.receiveFailure() == .engineFailed)
    try client.send(TestFinger(options: .test()))
    #expect(try client.receiveFailure() == .engineFailed)
    try client.send(EnrollFinger(name: "", touches: 0, options: .test()))
    #expect(try client.receiveFailure() == .engineFailed)
    // The enclave judges for itself, again and again.
    try client.ask(RemoveFinger(finger: "thumb"), .test())
    #expect(try client.receiveFailure() == .errSecAuthFailed)
    try client.send(RemovePasscode(options: .test()))
    #expect(try client.receiveFailure() == .engineFailed)
    let new = SecretBytes(copying: Array("5678".utf8).span)
    try client.send(ChangePasscode(replacement: new, options: .test()))
    #expect(try client.receiveFailure() == .engineFailed)
    _ = try Step.get.send(client)
    #expect(try client.receiveFailure() == .errSecAuthFailed)
    let state = test.enclave.state.update { ($0.status.isLocked, $0.passcode, $0.fingers.count) }
    #expect(state.0 && state.1 == Array("1234".utf8) && state.2 == 1)
  }

  @Test("L4: a policy that takes a passcode for biometrics authenticates nobody")
  func passcodeForBiometrics() throws {
    let first = policy(faultyAt: 1) { () throws(Failure) in PolicyStep(.awaitPasscode).encoded() }
    let test = TestCore([], { _ in }) { (question) throws(Failure) in
      let message = try? PolicyQuestion.decode(question.bytes)
      if message?.progress.lastEvent == .passcodeAccepted { return PolicyStep(.succeed).encoded() }
      return try first(question)
    }
    let client = try test.clientWithSensor()
    let id = try client.send(Evaluate(policy: .biometrics, reuseSeconds: 0, options: .test()))
    try client.answer(try client.receive(Prompt.self), .passcode, "1234", request: id)
    #expect(try client.receiveFailure() == .engineFailed)
  }
}
