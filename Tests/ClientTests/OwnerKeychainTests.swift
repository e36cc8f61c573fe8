import AuthCoreClient
import TestSupport
import Testing

@Suite("The owner's keychain for applications in Swift", .timeLimit(.minutes(60)))
struct OwnerKeychainTests {
  let device: TestHome
  init() throws { device = try TestHome() }

  private func keychain(driver: String? = nil) -> OwnerKeychain {
    OwnerKeychain(TestApplication(device, driver: driver).client)
  }

  private func bytes(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8).span) }

  private func text(_ secret: borrowing SecretBytes) -> String {
    String(decoding: secret.bytes.indices.map { secret.bytes[$0] }, as: UTF8.self)
  }

  @Test("K8: an item is added, found, changed and removed")
  func life() async throws {
    let keychain = keychain()
    let mail = KeychainSelector.password(service: "mail", account: "ann")
    let missing = await #expect(throws: Failure.self) { try await keychain.entries(matching: mail) }
    #expect(missing?.code == .errSecItemNotFound)
    let added = try await keychain.add(mail, secret: bytes("first"))
    #expect(added[text: .account] == "ann")
    let twice = await #expect(throws: Failure.self) {
      try await keychain.add(mail, secret: bytes("second"))
    }
    #expect(twice?.code == .errSecDuplicateItem)
    try await keychain.update(
      mail, attributes: [.label: .text("Post")], secret: bytes("second"))
    #expect(text(try await keychain.secret(of: .entry(added.identifier))) == "second")
    let found = try await keychain.entries(matching: KeychainSelector(.generic))
    #expect(found.map { $0[text: .label] } == ["Post"])
    try await keychain.remove(mail)
    let gone = await #expect(throws: Failure.self) {
      text(try await keychain.secret(of: mail))
    }
    #expect(gone?.code == .errSecItemNotFound)
  }

  @Test("K2: only the owner's own programs list applications, or forget one")
  func applications() async throws {
    let keychain = keychain()
    try await keychain.add(.password(service: "mail"), secret: bytes("mine"))
    let list = await #expect(throws: Failure.self) {
      try await keychain.applications(reason: "look")
    }
    #expect(list?.code == .errSecMissingEntitlement)
    let shown = try device.authcore("app", "list").json["applications"]?.array ?? []
    #expect(shown.compactMap { $0["name"]?.string }.count == 1, "the command sees it")
  }

  @Test("L8: one proof opens several items and signs, until it is invalidated")
  func proof() async throws {
    try device.setUp()
    let keychain = keychain(driver: try device.ownerTouch())
    for service in ["bank", "shop"] {
      try await keychain.add(
        .password(service: service), secret: bytes(service), guardedBy: .ownersPresence)
    }
    let key = try await keychain.makeKey(named: "deploy", guardedBy: .ownersPresence)
    let proof = OwnerProof(of: keychain)
    #expect(try await proof.prove(.biometrics, reason: "open two items and sign") == .finger)
    for service in ["bank", "shop"] {
      let secret = try await keychain.secret(of: .password(service: service), with: proof)
      #expect(text(secret) == service)
    }
    let digest = [UInt8](repeating: 7, count: 32)
    #expect(try await key.sign(digest: digest, with: proof).first == 0x30)
    #expect(try await keychain.key(named: "deploy").publicKey == key.publicKey)
    proof.invalidate()
    let over = await #expect(throws: Failure.self) {
      try await key.sign(digest: digest, with: proof)
    }
    #expect(over?.code == .invalidContext)
  }

  @Test("L6: an empty reason is an error, and so is a stranger's finger")
  func refusals() async throws {
    try device.setUp()
    let keychain = keychain(driver: try device.strangerTouches(3))
    let proof = OwnerProof(of: keychain)
    for reason in ["", "\u{200B}\n"] {
      let empty = await #expect(throws: Failure.self) { try await proof.prove(reason: reason) }
      #expect(empty?.code == .invalidReason)
    }
    let stranger = await #expect(throws: Failure.self) {
      try await proof.prove(.biometrics, reason: "get in")
    }
    #expect(stranger?.code == .authenticationFailed)
  }

  @Test("an item behind an application password opens with that alone")
  func appPassword() async throws {
    try device.setUp()
    let keychain = keychain()
    let vault = KeychainSelector.password(service: "vault")
    let right = OwnerProof(of: keychain)
    try await right.give(appPassword: bytes("open sesame"))
    try await keychain.add(
      vault, secret: bytes("gold"),
      guardedBy: KeychainGuard(accessControl: try AccessControl([], with: .appPassword)),
      with: right)
    #expect(text(try await keychain.secret(of: vault, with: right)) == "gold")
    let wrong = OwnerProof(of: keychain)
    try await wrong.give(appPassword: bytes("open rye"))
    let refused = await #expect(throws: Failure.self) {
      text(try await keychain.secret(of: vault, with: wrong))
    }
    #expect(refused?.code == .errSecAuthFailed || refused?.code == .notInteractive)
  }

  @Test("a cancelled task ends its prompt")
  func cancelledTask() async throws {
    try device.setUp()
    let keychain = keychain(driver: try device.tape([String]()) + ",hold=1")
    let proof = OwnerProof(of: keychain)
    let task = Task { () -> FailureCode? in
      do throws(Failure) {
        try await proof.prove(.biometrics, reason: "wait for nobody")
        return nil
      } catch {
        return error.code
      }
    }
    task.cancel()
    #expect(await task.value == .appCancel)
  }

  @Test("an invalid item is refused, and nothing is stored")
  func badInput() async throws {
    let keychain = keychain()
    let badForms: [KeychainSelector] = [
      KeychainSelector(.generic, [.server: .text("x")]),
      KeychainSelector(.generic, [.service: .number(1)]),
      KeychainSelector(.generic, [.service: .text(String(repeating: "x", count: 1025))]),
      KeychainSelector(.generic, [.service: .text("x")], group: String(repeating: "g", count: 600)),
    ]
    for item in badForms {
      await #expect(throws: Failure.self) { try await keychain.add(item, secret: bytes("s")) }
    }
    await #expect(throws: Failure.self) {
      try await keychain.add(.password(service: "big"), secret: SecretBytes(count: 100_000))
    }
    let none = await #expect(throws: Failure.self) {
      try await keychain.entries(matching: KeychainSelector())
    }
    #expect(none?.code == .errSecItemNotFound)
  }
}
