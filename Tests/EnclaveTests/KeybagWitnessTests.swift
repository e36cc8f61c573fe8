import Cryptography
import Protocol
import Testing

@testable import EnclaveEngine

@Suite("What the record of attempts knows of the keybag")
struct KeybagWitnessTests {
  private func keybag(_ serial: UInt32) throws -> Keybag {
    var keybag = Keybag(wrapped: try WrappedClassKeys(ClassKeys(), under: SymmetricKey()))
    keybag.serial = serial
    return keybag
  }

  /// What a record says of keybags of these numbers.
  private func verdicts(
    _ witness: KeybagWitness, _ serials: ClosedRange<UInt32>
  ) throws -> [KeybagWitness.Verdict] {
    try serials.map { try witness.verdict(on: keybag($0)) }
  }

  @Test("K5: a number that was announced is excused, and no other")
  func announced() throws {
    var witness = KeybagWitness(of: try keybag(4))
    #expect(try verdicts(witness, 3...5) == [.keybagIsOld, .agree, .attemptsAreOld])
    witness.announce(6)
    #expect(
      try verdicts(witness, 3...7)
        == [.keybagIsOld, .agree, .attemptsAreOld, .agree, .attemptsAreOld])
    witness.confirm(6, for: .owner)
    #expect(
      try verdicts(witness, 4...7) == [.keybagIsOld, .keybagIsOld, .agree, .attemptsAreOld])
  }

  @Test("K5: an item of a later generation makes the keybag an old one for every enclave to come")
  func laterGeneration() throws {
    let present = try keybag(5)
    var witness = KeybagWitness(of: present)
    #expect(!witness.isNews(5, to: present) && witness.isNews(6, to: present))
    #expect(!witness.isNews(7, to: try keybag(7)))
    witness.noteRollback(generation: 9)
    #expect(witness.hasSeenRollback)
    #expect(try verdicts(witness, 5...5) == [.keybagIsOld])
    #expect(!witness.isNews(9, to: present) && witness.isNews(10, to: present))
    #expect(witness.next(after: present) == 10)
    #expect(witness.next(after: try keybag(12)) == 13)
  }

  @Test("K5: only a change of the owner's ends the notice of an old file")
  func notice() throws {
    var witness = KeybagWitness(of: try keybag(5))
    witness.noteRollback()
    #expect(try verdicts(witness, 5...5) == [.agree])
    witness.confirm(6, for: .newForm)
    #expect(witness.hasSeenRollback)
    witness.confirm(7, for: .owner)
    #expect(!witness.hasSeenRollback)
  }

  @Test("K5: a change that was cut short excuses no keybag but the two it was about")
  func cutShort() throws {
    func change(_ device: SimulatedDevice, _ old: String, _ new: String) throws -> FailureCode? {
      try device.failure(ReplacePasscode(current: secret(old), replacement: secret(new)))
    }
    let device = try EnrolledDevice.unlocked()
    let oldest = device.platform.files["keybag"]
    #expect(try change(device, SimulatedDevice.passcode, "rose 7") == nil)
    let files = device.platform.files
    for writes in 0..<6 {
      let cut = SimulatedDevice(SimulatedPlatform(files: files, seed: 5))
      cut.platform.writesLeft = writes
      _ = try change(cut, "rose 7", "iris 1")
      cut.platform.files["keybag"] = oldest
      cut.restart()
      #expect(try cut.status.isRollbackDetected, "after \(writes) writes")
    }
  }

  @Test("E4: noticing that newer files were replaced ends what a finger had proved")
  func evidenceEnds() throws {
    let device = try EnrolledDevice.unlocked()
    let old = device.platform.files
    #expect(
      try device.failure(
        ReplacePasscode(current: secret(SimulatedDevice.passcode), replacement: secret("rose 7")))
        == nil)
    let newer = try device.sealed("newer")
    device.platform.files = old
    device.restart()
    try device.unlock()
    let guarded = try device.sealed("guarded", .whenUnlockedThisDeviceOnly, access: "presence")
    try device.openContext(1)
    try device.match(1, SimulatedFinger.owner.later)
    #expect(try device.open(guarded, context: 1) == .secret("guarded"))
    #expect(try device.open(newer) == .failed(.stateDamaged))
    #expect(try device.open(guarded, context: 1) == .needed("presence", held: []))
    // It is news once: what is proved after that counts.
    try device.givePasscode()
    #expect(try device.open(newer) == .failed(.stateDamaged))
    #expect(try device.open(guarded, context: 7000) == .secret("guarded"))
  }

  @Test("K5: a notice outlives the enclave that noticed, also where nothing was done after it")
  func noticeIsStored() throws {
    let device = try EnrolledDevice.unlocked()
    let old = device.platform.files
    try device.send(
      ReplacePasscode(current: secret(SimulatedDevice.passcode), replacement: secret("rose 7")))
    let newer = try device.sealed("newer")
    device.platform.files = old
    device.restart()
    try device.unlock()
    #expect(try device.open(newer) == .failed(.stateDamaged))
    device.restart()
    let status = try device.status
    #expect(status.isRollbackDetected && status.isLockedOut)
  }

  @Test("K6: an earlier version's keybag stays as it is until its passcode is given")
  func earlierBeforeFirstUnlock() throws {
    let files = try EarlierState.files()
    let device = SimulatedDevice(SimulatedPlatform(files: files, seed: 8))
    for accessibility in Accessibility.allCases {
      #expect(try device.sealingFailure(accessibility) == .errSecInteractionNotAllowed)
    }
    let entry = AttributesEntry(accessibility: .whenUnlocked, identity: [5], bytes: [1])
    #expect(try device.failure(SealAttributes(entries: [entry])) == .errSecInteractionNotAllowed)
    #expect(device.platform.files == files)
    try device.givePasscode(EarlierState.passcode, unlocking: true)
    for item in try EarlierState.items() where item.item.protection.accessControl == nil {
      #expect(try device.open(item.item) == .secret(item.secret))
    }
  }

  @Test("E2: from the first unlock on, fingers of an earlier version want to be enrolled again")
  func earlierFingers() throws {
    let device = SimulatedDevice(SimulatedPlatform(files: try EarlierState.files(), seed: 8))
    func wishes() throws -> [Bool] {
      try device.ask(ListFingers(), for: FingerList.self).fingers.map(\.wantsEnrollment)
    }
    #expect(try wishes() == [false, false])
    #expect(device.platform.logged.isEmpty, "nothing was tried before the first unlock")
    try device.givePasscode(EarlierState.passcode, unlocking: true)
    #expect(try wishes() == [true, true])
  }

  @Test("K1: an earlier keybag without a passcode gets generations with the first item")
  func earlierWithoutPasscode() throws {
    let device = SimulatedDevice()
    _ = try device.sealed("item")
    func file(_ name: String) throws -> SecretBytes {
      let bytes = try #require(device.platform.files[name])
      return SecretBytes(copying: bytes.span)
    }
    // As an earlier version wrote it: class keys, and no generation.
    let root = try RootKey.decode(file("root.key"))
    let wrapping = try root.derivedKey(for: .deviceClasses)
    let keybagKey = try root.derivedKey(for: .keybag)
    var keybag = try Keybag(opening: file("keybag"), with: keybagKey)
    var keys = try keybag.wrapped.keys(under: wrapping)
    keys.generations = Generations()
    keys.generationsKey = nil
    keybag.wrapped = try WrappedClassKeys(keys, under: wrapping)
    let earlier = try keybag.sealed(with: keybagKey)
    device.platform.files["keybag"] = earlier.bytes.indices.map { earlier.bytes[$0] }
    device.platform.files["attempts"] = nil
    device.restart()

    let item = try device.sealed("newer")
    #expect(try device.open(item) == .secret("newer"))
    device.restart()
    #expect(try device.open(item) == .secret("newer"))
    #expect(try !SealedSecretRecord(decoding: item.sealed).mark.isEmpty)
    #expect(try device.status.isRollbackDetected == false)
  }
}
