import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

@Suite("Passcode, lock and items")
struct PasscodeAndItemTests {
  @Test(
    "changing the passcode takes the current one to the enclave; a wrong one is asked for again")
  func change() throws {
    let test = TestCore()
    let client = try test.greetedClient()
    let id = try client.send(
      ChangePasscode(replacement: SecretBytes(copying: Array("5678".utf8).span), options: .test()))
    try client.answer(try client.receive(Prompt.self), .passcode, "9", request: id)
    let second = try client.receive(Prompt.self)
    #expect(second.refusedPasscodes == 1)
    try client.answer(second, .passcode, "1234", request: id)
    _ = try client.receive(Done.self)
    #expect(test.enclave.state.read { $0.passcode } == Array("5678".utf8))
    #expect(!test.enclave.asked.contains(VerifyPasscode.number))
  }

  @Test("a passcode that erases the device ends the request, and nobody is asked for another one")
  func erased() throws {
    let test = TestCore()
    test.enclave.state.update { $0.passcodeRefusal = Failure(.deviceErased, "too many") }
    let client = try test.greetedClient()
    let id = try client.send(RemovePasscode(options: .test()))
    try client.answer(try client.receive(Prompt.self), .passcode, "9", request: id)
    #expect(try client.receiveFailure() == .deviceErased)
  }

  @Test("removing the passcode removes what went with it and counts it")
  func remove() throws {
    let test = TestCore()
    let client = try test.greetedClient()
    let id = try client.send(RemovePasscode(options: .test()))
    try client.answer(try client.receive(Prompt.self), .passcode, "1234", request: id)
    #expect(try client.receive(ItemsChanged.self).count == 3)
    #expect(test.keychain.state.read { $0.asked } == [RemovePasscodeBoundItems.number])
  }

  @Test(
    "a passcode prompt that nobody can answer, and one that is cancelled, end the request",
    arguments: [
      (PromptAnswer.Kind.noPasscode, FailureCode.notInteractive), (.cancel, .userCancel),
    ])
  func unanswered(kind: PromptAnswer.Kind, code: FailureCode) throws {
    let test = TestCore()
    let client = try test.greetedClient()
    let id = try client.send(RemovePasscode(options: .test()))
    try client.answer(try client.receive(Prompt.self), kind, request: id)
    #expect(try client.receiveFailure() == code)
    #expect(!test.enclave.asked.contains(RemovePasscode.number))
  }

  @Test("setting and locking go straight to the enclave")
  func setAndLock() throws {
    let test = TestCore()
    let client = try test.greetedClient()
    try client.send(SetPasscode(passcode: SecretBytes(copying: Array("1".utf8).span)))
    _ = try client.receive(Done.self)
    try client.ask(LockDevice())
    _ = try client.receive(Done.self)
    #expect(test.enclave.state.read { $0.status.isLocked })
  }

  @Test("unlock takes the passcode at once where the client prefers it, else a touch while armed")
  func unlock() throws {
    let test = TestCore([.match])
    test.enclave.set {
      $0.isLocked = true
      $0.isBiometricUnlockArmed = true
    }
    let client = try test.clientWithSensor()
    var id = try client.send(UnlockDevice(options: .test()))
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    #expect(try client.receiveAfterProgress(Evaluated.self).value.evidence == .biometry)
    #expect(test.enclave.asked.contains(UnlockWithMatch.number))
    #expect(test.enclave.state.read { !$0.status.isLocked })
    test.enclave.set { $0.isLocked = true }
    id = try client.send(UnlockDevice(options: .test(prefersPasscode: true)))
    let prompt = try client.receive(Prompt.self)
    #expect(!prompt.awaitsTouch)
    try client.answer(prompt, .passcode, "1234", request: id)
    #expect(try client.receive(Evaluated.self).evidence == .passcode)
    #expect(test.enclave.state.read { !$0.status.isLocked })
  }

  @Test("what was typed goes to the enclave beside the passcode's normal form")
  func asTyped() throws {
    let test = TestCore()
    let client = try test.greetedClient()
    let id = try client.send(UnlockDevice(options: .test(prefersPasscode: true)))
    let prompt = try client.receive(Prompt.self)
    try client.send(
      PromptAnswer(
        prompt: prompt.prompt, kind: .passcode,
        passcode: SecretBytes(copying: Array("1234".utf8).span),
        asTyped: SecretBytes(copying: Array("4321".utf8).span)), request: id)
    _ = try client.receive(Evaluated.self)
    #expect(test.enclave.state.read { $0.asTyped } == [Array("4321".utf8)])
  }

  @Test("auth unlocks nothing")
  func authUnlocksNothing() throws {
    let test = TestCore()
    test.enclave.set { $0.isLocked = true }
    let client = try test.greetedClient()
    let id = try client.send(Evaluate(policy: .owner, reuseSeconds: 0, options: .test()))
    try client.answer(try client.receive(Prompt.self), .passcode, "1234", request: id)
    _ = try client.receive(Evaluated.self)
    #expect(test.enclave.state.read { $0.status.isLocked })
  }

  @Test(
    "E4: an item behind a touch is asked for again with the evidence, and opened in that context")
  func getItem() throws {
    let test = TestCore([.match])
    test.keychain.state.update { $0.accessControl = try? AccessControl(parsing: "biometry-any") }
    let client = try test.clientWithSensor()
    let id = try client.ask(GetItem(query: ItemQuery()), .test())
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    _ = try client.receive(Progress.self)
    _ = try client.receive(Progress.self)
    let got = try client.receive(GotItem.self, request: id)
    #expect(got.secret.array == Array("secret".utf8) && got.attributes.service == "site")
    #expect(test.keychain.state.read { $0.asked.count } == 2)
    #expect(test.enclave.state.read { $0.contexts.isEmpty })
  }

  @Test(
    "A3: a touch for an item that refuses the relaxed rate is compared strictly, others are not")
  func strictMatch() throws {
    for isStrict in [false, true] {
      let test = TestCore([.match])
      test.keychain.state.update {
        $0.accessControl = try? AccessControl(
          parsing: "biometry-any", with: isStrict ? .strictMatch : [])
      }
      let client = try test.clientWithSensor()
      let id = try client.ask(GetItem(query: ItemQuery()), .test())
      try client.answer(try client.receive(Prompt.self), .shown, request: id)
      _ = try client.receive(Progress.self)
      _ = try client.receive(Progress.self)
      _ = try client.receive(GotItem.self, request: id)
      #expect(test.enclave.state.read { $0.strictMatches } == [isStrict])
    }
  }

  @Test(
    "where the owner may not be asked, an item that wants a proof fails, and says that it is there")
  func forbiddenInteraction() throws {
    let test = TestCore([.match])
    test.keychain.state.update { $0.accessControl = try? AccessControl(.biometryAny) }
    let client = try test.clientWithSensor()
    try client.ask(GetItem(query: ItemQuery()), .test(), .forbidden)
    #expect(try client.receiveFailure() == .errSecInteractionNotAllowed)
    #expect(!test.enclave.asked.contains(BeginMatch.number))
    // What has been proved before in the context it names is enough.
    let opened = try client.send(NewContext())
    let context = try client.receive(ContextOpened.self, request: opened).context
    let id = try client.ask(GetItem(query: ItemQuery()), .test(), in: context)
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    _ = try client.receive(Progress.self)
    _ = try client.receive(Progress.self)
    _ = try client.receive(GotItem.self, request: id)
    let again = try client.ask(GetItem(query: ItemQuery()), .test(), .forbidden, in: context)
    _ = try client.receive(GotItem.self, request: again)
    // An item without access control is given.
    test.keychain.state.update { $0.accessControl = nil }
    let free = try client.ask(GetItem(query: ItemQuery()), .test(), .forbidden)
    _ = try client.receive(GotItem.self, request: free)
  }

  @Test("an item that wants a touch and the passcode gets both in one request")
  func twoProofs() throws {
    let test = TestCore([.match])
    test.keychain.state.update {
      $0.accessControl = try? AccessControl(parsing: "biometry-any and passcode")
    }
    let client = try test.clientWithSensor()
    let id = try client.ask(GetItem(query: ItemQuery()), .test())
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    let prompt = try client.receivePrompt()
    #expect(!prompt.awaitsTouch)
    try client.answer(prompt, .passcode, "1234", request: id)
    _ = try client.receive(GotItem.self, request: id)
  }

  @Test("K5: a passcode that shall do no harm reaches the enclave as one, and changes no passcode")
  func harmlessPasscode() throws {
    let test = TestCore()
    let client = try test.greetedClient()
    let unlocking = try client.send(UnlockDevice(options: .test(prefersPasscode: true)))
    for kind in [PromptAnswer.Kind.harmlessPasscode, .passcode, .harmlessPasscode] {
      try client.answer(try client.receive(Prompt.self), kind, "wrong", request: unlocking)
    }
    #expect(try client.receiveFailure() == .authenticationFailed)
    #expect(test.enclave.state.read { $0.mayErase } == [false, true, false])
    let change = ChangePasscode(
      replacement: SecretBytes(copying: Array("rose 71".utf8).span), options: .test())
    let changing = try client.send(change)
    try client.answer(
      try client.receive(Prompt.self), .harmlessPasscode, "wrong", request: changing)
    #expect(try client.receiveFailure() == .usage)
    #expect(!test.enclave.asked.contains(ReplacePasscode.number))
  }

  @Test("A1: an application password is asked for after the touch, and once more where it is wrong")
  func appPassword() throws {
    let test = TestCore([.match])
    test.keychain.state.update {
      $0.accessControl = try? AccessControl(parsing: "biometry-any and app-password")
    }
    let client = try test.clientWithSensor()
    let id = try client.ask(GetItem(query: ItemQuery()), .test())
    try client.answer(try client.receive(Prompt.self), .shown, request: id)
    let prompt = try client.receivePrompt()
    #expect(!prompt.awaitsTouch && prompt.secret == .appPassword && prompt.fallback == .hidden)
    try client.answer(prompt, .passcode, "pear", request: id)
    let second = try client.receivePrompt()
    #expect(second.secret == .appPassword && second.refusedPasscodes == 1)
    try client.answer(second, .passcode, "apple", request: id)
    _ = try client.receive(GotItem.self, request: id)
    #expect(test.enclave.asked.count { $0 == BeginMatch.number } == 1)
    #expect(!test.enclave.asked.contains(VerifyPasscode.number))
  }

  @Test(
    "three wrong application passwords end the request, and one that is not followed by another")
  func wrongAppPasswords() throws {
    for (answers, prompts) in [(["pear", "plum", "fig"], 3), (["pear"], 2)] {
      let test = TestCore()
      test.keychain.state.update { $0.accessControl = try? AccessControl(parsing: "app-password") }
      let client = try test.greetedClient()
      let id = try client.ask(GetItem(query: ItemQuery()), .test())
      for answer in answers {
        try client.answer(try client.receive(Prompt.self), .passcode, answer, request: id)
      }
      if answers.count < prompts {
        try client.answer(try client.receive(Prompt.self), .noPasscode, request: id)
      }
      #expect(try client.receiveFailure() == .errSecAuthFailed)
    }
  }

  @Test(
    "an application password that nobody gives, and a prompt for it that is cancelled, end it",
    arguments: [
      (PromptAnswer.Kind.noPasscode, FailureCode.notInteractive), (.cancel, .userCancel),
    ])
  func noAppPassword(kind: PromptAnswer.Kind, code: FailureCode) throws {
    let test = TestCore()
    test.keychain.state.update { $0.accessControl = try? AccessControl(parsing: "app-password") }
    let client = try test.greetedClient()
    let id = try client.ask(GetItem(query: ItemQuery()), .test())
    try client.answer(try client.receive(Prompt.self), kind, request: id)
    #expect(try client.receiveFailure() == code)
    #expect(!test.enclave.asked.contains(GiveAppPassword.number))
  }

  @Test("an application password that the client gave its context is not asked for")
  func appPasswordInContext() throws {
    let test = TestCore()
    test.keychain.state.update { $0.accessControl = try? AccessControl(parsing: "app-password") }
    let client = try test.greetedClient()
    try client.send(NewContext())
    let context = try client.receive(ContextOpened.self).context
    try client.ask(
      GiveAppPassword(
        use: .opening, password: SecretBytes(copying: Array("apple".utf8).span)), in: context)
    _ = try client.receive(Done.self)
    try client.ask(GetItem(query: ItemQuery()), .test(), in: context)
    _ = try client.receive(GotItem.self)
  }

  @Test("A2: an item of a closed class fails without a prompt; an open one needs none")
  func noPrompt() throws {
    let test = TestCore([.match])
    let client = try test.clientWithSensor()
    try client.ask(GetItem(query: ItemQuery()), .test())
    _ = try client.receive(GotItem.self)
    test.keychain.state.update { $0.isClosed = true }
    try client.ask(GetItem(query: ItemQuery()), .test())
    #expect(try client.receiveFailure() == .errSecInteractionNotAllowed)
  }

  @Test("updating a protected item is authenticated as reading is, and its secret arrives")
  func update() throws {
    let test = TestCore()
    test.keychain.state.update { $0.accessControl = try? AccessControl(parsing: "passcode") }
    let client = try test.greetedClient()
    let id = try client.ask(
      UpdateItems(
        query: ItemQuery(), changes: ItemChanges(), allowsSeveral: false, replacesSecret: true,
        secret: SecretBytes(copying: Array("new".utf8).span)), .test())
    try client.answer(try client.receive(Prompt.self), .passcode, "1234", request: id)
    #expect(try client.receive(ItemsChanged.self).count == 3)
  }

  @Test("A6: a client in the background causes no prompt")
  func background() throws {
    let test = TestCore()
    test.keychain.state.update { $0.accessControl = try? AccessControl(parsing: "passcode") }
    let client = try test.greetedClient()
    try client.ask(GetItem(query: ItemQuery()), .test(mayPrompt: false))
    #expect(try client.receiveFailure() == .notInteractive)
  }

  @Test("K2: whose items are meant is the kernel's word about the client")
  func application() throws {
    let test = TestCore()
    let client = try test.greetedClient()
    try client.ask(GetItem(query: ItemQuery()), .test())
    _ = try client.receive(GotItem.self)
    let applications = test.keychain.state.read { $0.applications }
    let executable = try #require(RunningExecutable.ofThisProcess())
    #expect(applications == [ApplicationNames.name(ofPath: executable.path)])
  }
}
