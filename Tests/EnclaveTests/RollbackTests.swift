import Cryptography
import Protocol
import Testing

@testable import EnclaveEngine

/// Somebody who can write the state folder puts old files into it.
@Suite("Old files put back")
struct RollbackTests {
  private func changePasscode(_ device: SimulatedDevice, to passcode: String = "rose 7") throws {
    try device.send(
      ReplacePasscode(
        current: secret(SimulatedDevice.passcode), replacement: secret(passcode)))
  }

  /// Puts these files of `old` back and restarts the enclave.
  private func putBack(
    _ names: [String], of old: [String: [UInt8]], on device: SimulatedDevice
  ) {
    for name in names { device.platform.files[name] = old[name] }
    device.restart()
  }

  private func sealedAttributes(_ device: SimulatedDevice) throws -> AttributesEntry {
    let clear = AttributesEntry(accessibility: .whenUnlocked, identity: [5], bytes: [1, 2, 3])
    let batch = try device.ask(SealAttributes(entries: [clear]), for: AttributeBatch.self)
    guard case .value(let bytes) = batch.results[0] else {
      throw Failure(.engineFailed, "no attributes")
    }
    return AttributesEntry(accessibility: .whenUnlocked, identity: [5], bytes: bytes)
  }

  private func opened(
    _ device: SimulatedDevice, _ entry: AttributesEntry
  ) throws -> AttributeBatch.Result {
    try device.ask(OpenAttributes(entries: [entry]), for: AttributeBatch.self).results[0]
  }

  @Test("K5 E1: an old keybag and its passcode open nothing that was added since the change")
  func changedPasscode() throws {
    let device = try EnrolledDevice.unlocked()
    let old = device.platform.files
    let older = try device.sealed("older")
    try changePasscode(device)
    let newest = device.platform.files
    let items = try Accessibility.allCases.map { try device.sealed("newer", $0) }
    let guarded = try device.sealed("newer", .whenUnlockedThisDeviceOnly, access: "passcode")
    let attributes = try sealedAttributes(device)

    putBack(["keybag", "finger-1"], of: old, on: device)
    #expect(try device.status.isRollbackDetected)
    try device.unlock()
    #expect(try device.open(older) == .secret("older"))
    for item in items { #expect(try device.open(item) == .failed(.stateDamaged)) }
    #expect(try device.open(guarded, context: 7000) == .failed(.stateDamaged))
    #expect(try opened(device, attributes) == .newer)

    // They are closed, not lost: the newest keybag opens them.
    putBack(["keybag", "attempts"], of: newest, on: device)
    try device.givePasscode("rose 7", unlocking: true)
    for item in items { #expect(try device.open(item) == .secret("newer")) }
    #expect(try opened(device, attributes) == .value([1, 2, 3]))
  }

  @Test("offline, root key, old keybag and old passcode give no key of a later generation")
  func offline() throws {
    let device = try SimulatedDevice.withPasscode()
    let old = device.platform.files
    try changePasscode(device)
    let new = device.platform.files
    func file(_ name: String, _ files: [String: [UInt8]]) throws -> SecretBytes {
      let bytes = try #require(files[name])
      return SecretBytes(copying: bytes.span)
    }
    let root = try RootKey.decode(file("root.key", old))
    let keybagKey = try root.derivedKey(for: .keybag)
    let before = try Keybag(opening: file("keybag", old), with: keybagKey)
    let after = try Keybag(opening: file("keybag", new), with: keybagKey)
    let record = try #require(before.passcode)
    let stretched = try record.cost.stretch(
      secret(SimulatedDevice.passcode), salt: record.salt)
    let key = try root.derivedKey(for: .passcode, stretched: stretched)
    let wrapping = try key.derivedKey(for: .passcodeClasses)
    let held = try before.wrapped.keys(under: wrapping)
    #expect(throws: CryptographyError.self) { try after.wrapped.keys(under: wrapping) }
    let list = try #require(held.generationsKey)
    #expect(throws: CryptographyError.self) {
      try Generations(opening: after.wrapped.generations, with: list.key)
    }
    #expect(held.generations.newest?.number != after.serial)
  }

  @Test("E2: a removed finger that is put back is refused, and opens nothing added since")
  func removedFinger() throws {
    let device = try EnrolledDevice.unlocked()
    try device.enroll(.ownersOther, name: "left")
    let old = device.platform.files
    try device.givePasscode()
    try device.send(RemoveFinger(finger: "left"), in: 7000)
    let item = try device.sealed("newer", .whenUnlockedThisDeviceOnly, access: "biometry-any")

    putBack(["keybag", "finger-1", "finger-2"], of: old, on: device)
    let status = try device.status
    #expect(status.isRollbackDetected && status.isLockedOut && !status.isBiometricUnlockArmed)
    try device.send(OpenChannel(channel: 1, isSynthetic: true))
    try device.openContext(1)
    #expect(
      try device.failure(BeginMatch(session: 1, channel: 1, context: 1)) == .biometryLockout)
    try device.unlock()
    #expect(try device.match(1, SimulatedFinger.ownersOther.later)?.isMatch == true)
    #expect(try device.open(item, context: 1) == .failed(.stateDamaged))
    #expect(try device.status.isRollbackDetected)
  }

  @Test("E2: a template newer than the keybag is refused as that")
  func newerTemplate() throws {
    let device = try EnrolledDevice.unlocked()
    let old = device.platform.files
    try changePasscode(device)
    try device.givePasscode("rose 7")
    try device.send(RemoveFinger(finger: "right-index"), in: 7000)
    let session = try device.beginEnrollment(passcode: "rose 7")
    for print in SimulatedFinger.ownersOther.enrollmentTouches { try device.touch(session, print) }
    _ = try device.ask(CommitEnrollment(session: session), for: EnrolledFinger.self)
    putBack(["keybag", "attempts"], of: old, on: device)
    #expect(try !device.status.isRollbackDetected)
    try device.unlock()
    try device.send(OpenChannel(channel: 1, isSynthetic: true))
    #expect(
      try device.failure(BeginMatch(session: 1, channel: 1, context: 7000)) == .stateDamaged)
    #expect(try device.status.isRollbackDetected)
  }

  @Test("a template that an old keybag does not know is kept, and matches beside the newest again")
  func keptTemplate() throws {
    let device = try EnrolledDevice.unlocked()
    let old = device.platform.files
    try device.enroll(.ownersOther, name: "left")
    let newest = device.platform.files
    putBack(["keybag"], of: old, on: device)
    #expect(device.platform.files["finger-2"] == newest["finger-2"])
    putBack(["keybag"], of: newest, on: device)
    try device.unlock()
    try device.openContext(1)
    #expect(try device.match(1, SimulatedFinger.ownersOther.later)?.isMatch == true)
  }

  @Test("E5: old attempts put back after a change are noticed, and the worst is assumed")
  func oldAttempts() throws {
    let device = try EnrolledDevice.unlocked()
    let old = device.platform.files
    try changePasscode(device)
    putBack(["attempts"], of: old, on: device)
    let status = try device.status
    #expect(status.isRollbackDetected && status.isLockedOut)
    #expect(status.passcodeDelay == 3600)
    device.platform.advance(seconds: 3600)
    try device.givePasscode("rose 7", unlocking: true)
    #expect(try device.status.isLockedOut == false)
    // The notice outlives a restart, until the owner changes something.
    device.restart()
    #expect(try device.status.isRollbackDetected)
    try device.send(ReplacePasscode(current: secret("rose 7"), replacement: secret("iris 1")))
    #expect(try device.status.isRollbackDetected == false)
  }

  @Test("the whole folder of the enclave put back is noticed by the first newer item")
  func wholeFolder() throws {
    let device = try EnrolledDevice.unlocked()
    let old = device.platform.files
    try changePasscode(device)
    let item = try device.sealed("newer")
    putBack(["keybag", "attempts", "finger-1"], of: old, on: device)
    #expect(try device.status.isRollbackDetected == false)
    try device.unlock()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    #expect(try device.open(item) == .failed(.stateDamaged))
    let status = try device.status
    #expect(status.isRollbackDetected && status.isLockedOut && !status.isBiometricUnlockArmed)
    let outcome = try device.touch(session, SimulatedFinger.owner.later)
    guard case .failed(let failure) = outcome else {
      Issue.record("a touch was compared: \(String(describing: outcome))")
      return
    }
    #expect(failure.code == .biometryLockout)
    try device.unlock()
    #expect(try device.match(1, SimulatedFinger.owner.later)?.isMatch == true)
    // The same item again takes nothing from the owner, and the next enclave knows too.
    #expect(try device.open(item) == .failed(.stateDamaged))
    #expect(try device.status.isLockedOut == false)
    device.restart()
    #expect(try device.status.isRollbackDetected)
  }

  @Test("a keybag from before the passcode was set opens nothing added since")
  func withoutPasscode() throws {
    let device = SimulatedDevice()
    let older = try device.sealed("older")
    let old = device.platform.files
    try device.setPasscode()
    let item = try device.sealed("newer")
    putBack(["keybag"], of: old, on: device)
    #expect(try device.status.isRollbackDetected)
    #expect(try device.open(older) == .secret("older"))
    #expect(try device.open(item) == .failed(.stateDamaged))
  }

  @Test("nothing is destroyed beside an old keybag; changing the passcode accepts it")
  func accepted() throws {
    let device = try EnrolledDevice.unlocked()
    let old = device.platform.files
    try changePasscode(device)
    let item = try device.sealed("newer")
    putBack(["keybag"], of: old, on: device)
    try device.unlock()
    #expect(
      try device.failure(ErasePasscode(current: secret(SimulatedDevice.passcode)))
        == .stateDamaged)
    #expect(try device.status.isRollbackDetected)
    try changePasscode(device, to: "iris 1")
    #expect(try device.status.isRollbackDetected == false)
    let later = try device.sealed("later")
    device.restart()
    #expect(try device.status.isRollbackDetected == false)
    try device.givePasscode("iris 1", unlocking: true)
    #expect(try device.open(later) == .secret("later"))
    // No number of a generation is used twice, so a lost one is never taken for another.
    #expect(try device.open(item) == .failed(.stateDamaged))
    try device.send(ErasePasscode(current: secret("iris 1")))
  }

  @Test("an item that only pretends to be newer is damaged, and alarms nobody")
  func forgedMark() throws {
    let device = try EnrolledDevice.unlocked()
    var item = try device.sealed("item")
    // The version, the length of the mark, and its number.
    item.sealed[5] = 0x7f
    #expect(try device.open(item) == .failed(.errSecDecode))
    #expect(try device.status.isRollbackDetected == false)
  }

  @Test("at most 1,024 generations are kept, and past them the newest goes on")
  func bounded() throws {
    var generations = Generations()
    for number in 1...UInt32(Generations.most) {
      #expect(try generations.begin(number, SymmetricKey()))
    }
    #expect(try !generations.begin(5000, SymmetricKey()))
    #expect(generations.newest?.number == UInt32(Generations.most))
    let key = try SymmetricKey()
    let sealed = try generations.sealed(with: key)
    #expect(sealed.count < Keybag.limit - 4096)
    let opened = try Generations(opening: sealed, with: key)
    for number in 1...UInt32(Generations.most) {
      let one = try #require(opened.generation(number)).secret
      let other = try #require(generations.generation(number)).secret
      let copy = other.key.duplicate()
      let isSame = one.key.bytes.isEqual(to: copy.bytes.bytes)
      #expect(isSame)
    }
  }
}
