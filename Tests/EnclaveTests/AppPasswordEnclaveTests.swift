import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Application passwords", .timeLimit(.minutes(60)))
struct AppPasswordEnclaveTests {
  private let device: SimulatedDevice

  init() throws {
    device = try EnrolledDevice.unlocked()
    try device.openContext(1)
  }

  private func give(
    _ password: String, for use: AppPasswordUse = .opening, context: UInt64 = 1
  ) throws {
    try device.send(GiveAppPassword(use: use, password: secret(password)), in: context)
  }

  private func sealed(
    _ access: String = "app-password", with password: String = "apple"
  ) throws -> StoredItem {
    try device.openContext(9)
    try give(password, for: .sealing, context: 9)
    return try device.sealed(
      "gold", .whenUnlockedThisDeviceOnly, access: access, context: 9)
  }

  @Test("A1: a missing application password is asked for, a wrong one refused, the right one opens")
  func missingWrongRight() throws {
    let item = try sealed()
    #expect(try device.open(item, context: 1) == .needed("app-password", held: []))
    try give("pear")
    #expect(try device.open(item, context: 1) == .failed(.errSecAuthFailed))
    #expect(try device.open(item, context: 1) == .needed("app-password", held: []))
    try give("apple")
    #expect(try device.open(item, context: 1, onlyAuthorize: true) == .authorized)
    #expect(try device.open(item, context: 1) == .secret("gold"))
    #expect(try device.evidence(of: 1) == .appPassword)
  }

  @Test("a password is bytes: one with a zero behind it is another one")
  func zeroByte() throws {
    let item = try sealed(with: "apple\u{0}")
    try give("apple")
    #expect(try device.open(item, context: 1) == .failed(.errSecAuthFailed))
    try give("apple\u{0}")
    #expect(try device.open(item, context: 1) == .secret("gold"))
  }

  @Test(
    "A1: the password is needed beside what else is asked for, whatever joins them",
    arguments: ["biometry-any or app-password", "presence and app-password"])
  func notAnAlternative(access: String) throws {
    let item = try sealed(access)
    let asked = try AccessControl(parsing: access).text
    try give("apple")
    #expect(try device.open(item, context: 1) == .needed(asked, held: .appPassword))
    try device.match(1, SimulatedFinger.owner.later)
    #expect(try device.open(item, context: 1) == .secret("gold"))
    try device.openContext(2)
    try device.match(2, SimulatedFinger.owner.later)
    #expect(try device.open(item, context: 2) == .needed(asked, held: .biometry))
  }

  @Test("no password is tried for whom the rest does not let")
  func rightOfTrying() throws {
    let item = try sealed("passcode and app-password")
    for _ in 0...AppPasswordTries.free {
      try give("pear")
      #expect(
        try device.open(item, context: 1)
          == .needed("passcode and app-password", held: .appPassword))
    }
    try give("apple")
    try device.send(
      VerifyPasscode(context: 1, unlocksDevice: false, passcode: secret(SimulatedDevice.passcode)))
    #expect(try device.open(item, context: 1) == .secret("gold"))
  }

  @Test(
    "FINDINGS A9: after five wrong ones for an item each further try takes a minute, whoever asks")
  func delay() throws {
    let item = try sealed()
    let free = try sealed()
    for _ in 0..<AppPasswordTries.free {
      try give("pear")
      #expect(try device.open(item, context: 1) == .failed(.errSecAuthFailed))
    }
    try give("apple")
    #expect(try device.open(item, context: 1) == .failed(.appPasswordDelayed))
    device.platform.advance(seconds: 59)
    #expect(try device.open(item, context: 1) == .failed(.appPasswordDelayed))
    let other = ContextName(3, of: otherApplication)
    try device.send(OpenContext(context: other))
    try device.send(GiveAppPassword(use: .opening, password: secret("apple")), in: other)
    #expect(try device.open(item, in: other) == .failed(.appPasswordDelayed))
    #expect(try device.open(free, in: other) == .secret("gold"))
    device.platform.advance(seconds: 1)
    #expect(try device.open(item, context: 1) == .secret("gold"))
    try give("pear")
    #expect(try device.open(item, context: 1) == .failed(.errSecAuthFailed))
    try give("apple")
    #expect(try device.open(item, context: 1) == .secret("gold"))
  }

  @Test(
    "FINDINGS A9: wrong ones for many items count together, and a right one makes none of them good"
  )
  func delayOfAll() throws {
    let own = try sealed(with: "own")
    for _ in 0..<AppPasswordTries.freeOfAll {
      let item = try sealed()
      try give("own")
      #expect(try device.open(own, context: 1) == .secret("gold"))
      try give("pear")
      #expect(try device.open(item, context: 1) == .failed(.errSecAuthFailed))
    }
    let item = try sealed()
    try give("apple")
    #expect(try device.open(item, context: 1) == .failed(.appPasswordDelayed))
    device.platform.advance(seconds: 60)
    #expect(try device.open(item, context: 1) == .secret("gold"))
    try give("pear")
    #expect(try device.open(item, context: 1) == .failed(.errSecAuthFailed))
    try give("apple")
    #expect(try device.open(item, context: 1) == .failed(.appPasswordDelayed))
  }

  @Test("it counts for five minutes, and goes with the context, the lock and the passcode's change")
  func ends() throws {
    let item = try sealed()
    try give("apple")
    device.platform.advance(seconds: 300)
    #expect(try device.open(item, context: 1) == .secret("gold"))
    device.platform.advance(seconds: 1)
    #expect(try device.open(item, context: 1) == .needed("app-password", held: []))
    try give("apple")
    try device.send(ForgetEvidence(context: contextName(1)))
    #expect(try device.open(item, context: 1) == .needed("app-password", held: []))
    try give("apple")
    try device.send(LockDevice())
    try device.unlock()
    #expect(try device.open(item, context: 1) == .needed("app-password", held: []))
    try give("apple")
    try device.send(
      ReplacePasscode(
        current: secret(SimulatedDevice.passcode), replacement: secret("rose 17")))
    #expect(try device.open(item, context: 1) == .needed("app-password", held: []))
  }

  @Test("K2: another connection has neither the context nor its password")
  func otherConnections() throws {
    let item = try sealed()
    try give("apple")
    for requester in [otherConnection, otherApplication] {
      let name = ContextName(1, of: requester)
      #expect(try device.open(item, in: name) == .failed(.invalidContext))
      #expect(
        try device.failure(GiveAppPassword(use: .opening, password: secret("apple")), in: name)
          == .invalidContext)
    }
    #expect(try device.open(item, context: 1) == .secret("gold"))
  }

  @Test("nothing is sealed without the password that it asks for, and none is empty")
  func sealingWithout() throws {
    #expect(
      try device.sealingFailure(.whenUnlockedThisDeviceOnly, access: "app-password")
        == .errSecParam)
    for use in AppPasswordUse.allCases {
      #expect(
        try device.failure(GiveAppPassword(use: use, password: secret("")), in: 1) == .errSecParam)
    }
    #expect(
      try device.failure(GiveAppPassword(use: .opening, password: secret("apple")), in: noContext)
        == .invalidContext)
  }

  @Test("an item is sealed with the password for sealing, else with that for opening")
  func sealingUse() throws {
    try give("apple")
    let first = try device.sealed(
      "first", .whenUnlockedThisDeviceOnly, access: "app-password", context: 1)
    try give("pear", for: .sealing)
    let second = try device.sealed(
      "second", .whenUnlockedThisDeviceOnly, access: "app-password", context: 1)
    #expect(try device.open(first, context: 1) == .secret("first"))
    #expect(try device.open(second, context: 1) == .failed(.errSecAuthFailed))
    try give("pear")
    #expect(try device.open(second, context: 1) == .secret("second"))
  }

  @Test("every byte of an item with an application password is authenticated")
  func flipped() throws {
    let item = try sealed()
    try give("apple")
    for index in item.sealed.indices {
      var changed = item
      changed.sealed[index] ^= 1
      let outcome = try device.open(changed, context: 1)
      #expect(
        outcome == .failed(.errSecDecode) || outcome == .failed(.stateDamaged), "byte \(index)")
    }
    let expensive = try SealedSecretRecord(decoding: item.sealed)
    #expect(expensive.appPassword?.salt.count == AppPasswordRecord.saltSize)
  }

  @Test("the forms with and without an application password do not stand in for one another")
  func swappedForms() throws {
    let with = try SealedSecretRecord(decoding: try sealed().sealed)
    let plain = try device.sealed("plain", .whenUnlockedThisDeviceOnly, access: "presence")
    try give("apple")
    try device.match(1, SimulatedFinger.owner.later)
    let stripped = SealedSecretRecord(
      mark: with.mark, domainState: with.domainState, wrappedKey: with.wrappedKey,
      sealedSecret: with.sealedSecret)
    let protection = try SimulatedDevice.protection(
      .whenUnlockedThisDeviceOnly, access: "app-password")
    for forged in [
      StoredItem(protection: protection, sealed: stripped.encoded()),
      StoredItem(protection: plain.protection, sealed: with.encoded()),
      StoredItem(protection: protection, sealed: plain.sealed),
    ] {
      #expect(try device.open(forged, context: 1) == .failed(.errSecDecode))
    }
  }

  @Test("A7: what guards an item is changed by what guards it, and its secret does not leave")
  func resealed() throws {
    let item = try sealed("app-password")
    let guarded = try SimulatedDevice.protection(
      .afterFirstUnlockThisDeviceOnly, access: "passcode and app-password", identity: [4])
    let request = ResealItem(
      item.sealed, as: item.protection, under: guarded, names: [[1]], attributes: [2])
    func reply(_ context: UInt64 = 1) -> SecretBytes {
      device.engine.handle(SimulatedDevice.envelope(request, context).bytes)
    }
    #expect(try EvidenceNeeded.decode(reply().bytes).accessControl.text == "app-password")
    try give("pear")
    #expect(try Failure.decode(reply().bytes).code == .errSecAuthFailed)
    try give("apple")
    // Without another password it keeps the one it has.
    let kept = try SealedItem.decode(reply().bytes)
    try give("plum", for: .sealing)
    let changed = try SealedItem.decode(reply().bytes)
    try device.send(
      VerifyPasscode(context: 1, unlocksDevice: false, passcode: secret(SimulatedDevice.passcode)))
    for (sealed, right, wrong) in [(kept, "apple", "plum"), (changed, "plum", "apple")] {
      let stored = StoredItem(
        protection: ItemProtection(
          accessibility: guarded.accessibility, accessControl: guarded.accessControl,
          identity: guarded.identity + sealed.hashes[0]), sealed: sealed.sealedSecret)
      try give(wrong)
      #expect(try device.open(stored, context: 1) == .failed(.errSecAuthFailed))
      try give(right)
      #expect(try device.open(stored, context: 1) == .secret("gold"))
    }
    let leaving = ResealItem(
      item.sealed, as: item.protection,
      under: try SimulatedDevice.protection(.whenUnlocked, access: "presence"), names: [],
      attributes: [])
    try give("apple")
    #expect(
      try Failure.decode(device.engine.handle(SimulatedDevice.envelope(leaving, 1).bytes).bytes)
        .code == .errSecParam)
  }

  @Test("privateKeyUsage guards no item")
  func privateKeyUsage() throws {
    let control = try AccessControl([.biometryAny], with: .privateKeyUsage)
    let protection = ItemProtection(
      accessibility: .whenUnlockedThisDeviceOnly, accessControl: control, identity: [1])
    #expect(
      try device.failure(
        OwnedSealItem(protection: protection, names: [], attributes: [], secret: secret("x")))
        == .errSecParam)
  }
}
