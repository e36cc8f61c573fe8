import Protocol
import Testing

@testable import EnclaveEngine

/// Each change is stopped before each of its writes; what the next enclave finds is what was or
/// what was to be.
@Suite("A crash at every write")
struct CrashTests {
  /// What can be told of a device by using it. Unlocks it.
  struct Observation: Equatable {
    var fingers: [String]
    var passcodes: [String]
    var opensBound: Bool
    var isDomainStateOfBound: Bool
    var isRollbackDetected: Bool
  }

  /// A device whose state a change is tried on, with items that tell what has become of it.
  private struct Subject {
    let files: [String: [UInt8]]
    let ordinary: StoredItem
    let bound: StoredItem?
    let domainState: [UInt8]

    init(_ device: SimulatedDevice) throws {
      ordinary = try device.sealed("ordinary")
      let status = try device.status
      bound =
        status.syntheticFingers > 0
        ? try device.sealed("bound", .whenUnlockedThisDeviceOnly, access: "biometry-current") : nil
      domainState = status.domainState
      files = device.platform.files
    }
  }

  private func observe(_ device: SimulatedDevice, _ subject: Subject) throws -> Observation {
    let right = try device.unlockWithRightPasscodes()
    #expect(try device.open(subject.ordinary) == .secret("ordinary"))
    let fingers = try device.ask(ListFingers(), for: FingerList.self).fingers
    var opensBound = false
    for finger in fingers {
      try device.openContext(1)
      let print = finger.name == "right-index" ? SimulatedFinger.owner : .ownersOther
      #expect(try device.match(1, print.later)?.isMatch == true, "\(finger.name) does not match")
      if let bound = subject.bound {
        opensBound = try device.open(bound, context: 1) == .secret("bound")
      }
    }
    return Observation(
      fingers: fingers.map(\.name), passcodes: right, opensBound: opensBound,
      isDomainStateOfBound: try device.status.domainState == subject.domainState,
      isRollbackDetected: try device.status.isRollbackDetected)
  }

  /// Stops `change` before its first, second, … write, until it is not stopped any more.
  private func stopEverywhere(
    _ subject: Subject, isUnlocked: Bool = true, _ change: (SimulatedDevice) throws -> Void
  ) throws {
    func device() throws -> SimulatedDevice {
      let device = SimulatedDevice(SimulatedPlatform(files: subject.files, seed: 2))
      if isUnlocked, try device.status.isPasscodeSet { try device.unlock() }
      return device
    }
    let stops = try expectOldOrNew(
      device, stop: { $0.platform.writesLeft = $1 }, observe: { try observe($0, subject) },
      isBad: \.isRollbackDetected, change)
    #expect(stops > 0)
  }

  @Test("setting the first passcode")
  func setPasscode() throws {
    let device = SimulatedDevice()
    try stopEverywhere(Subject(device)) { try $0.setPasscode() }
  }

  @Test("an enclave that is stopped at its very first writes still takes a passcode and keeps it")
  func setPasscodeOnNewEnclave() throws {
    var writes = 0
    var isStopped = true
    while isStopped {
      let device = SimulatedDevice(SimulatedPlatform(files: [:], seed: 3))
      device.platform.writesLeft = writes
      do {
        try device.setPasscode()
        isStopped = false
      } catch is Failure {}
      device.restart()
      let isSet = try device.status.isPasscodeSet
      #expect(isSet || isStopped, "the enclave had said that the passcode is set")
      if !isSet { try device.setPasscode() }
      try device.unlock()
      let item = try device.sealed("kept", .whenPasscodeSetThisDeviceOnly, access: "passcode")
      device.restart()
      #expect(try device.status.isPasscodeSet)
      #expect(try device.refusal(of: "rose 7") == .authenticationFailed)
      try device.unlock()
      #expect(try device.open(item, context: 7000) == .secret("kept"), "stopped before \(writes)")
      writes += 1
    }
    #expect(writes > 1, "it was stopped at least once")
  }

  /// An item sealed with its names and attributes, as the keychain would keep it.
  private func sealWhole(_ device: SimulatedDevice, _ text: String) throws -> StoredItem {
    let protection = try SimulatedDevice.protection(.whenUnlocked, access: nil)
    let sealed = try device.ask(
      OwnedSealItem(protection: protection, names: [[1]], attributes: [2], secret: secret(text)),
      for: SealedItem.self)
    return StoredItem(
      protection: ItemProtection(
        accessibility: .whenUnlocked, accessControl: nil,
        identity: protection.identity + sealed.hashes[0]), sealed: sealed.sealedSecret)
  }

  @Test("E1: an enclave stopped at a write of the first item it seals has given nothing half away")
  func sealItem() throws {
    var stops = 0
    var isStopped = true
    while isStopped {
      let device = SimulatedDevice(SimulatedPlatform(files: [:], seed: 4))
      device.platform.writesLeft = stops
      var item: StoredItem?
      do {
        item = try sealWhole(device, "kept")
        isStopped = false
      } catch let failure as Failure { #expect(failure.code == .storageFailed) }
      device.restart()
      let kept = try item ?? sealWhole(device, "kept")
      device.restart()
      #expect(try device.open(kept) == .secret("kept"), "stopped before write \(stops)")
      stops += 1
    }
    #expect(stops > 1, "it was stopped at least once")
  }

  @Test("changing the passcode")
  func changePasscode() throws {
    try stopEverywhere(Subject(EnrolledDevice.unlocked())) {
      try $0.send(
        ReplacePasscode(
          current: secret(SimulatedDevice.passcode), replacement: secret("rose 7")))
    }
  }

  @Test("changing the passcode before first unlock")
  func changeClosed() throws {
    try stopEverywhere(Subject(EnrolledDevice.unlocked()), isUnlocked: false) {
      try $0.send(
        ReplacePasscode(
          current: secret(SimulatedDevice.passcode), replacement: secret("rose 7")))
    }
  }

  @Test("removing the passcode")
  func removePasscode() throws {
    try stopEverywhere(Subject(EnrolledDevice.unlocked())) {
      try $0.send(ErasePasscode(current: secret(SimulatedDevice.passcode)))
    }
  }

  @Test("enrolling a finger")
  func enroll() throws {
    try stopEverywhere(Subject(EnrolledDevice.unlocked())) {
      try $0.enroll(.ownersOther, name: "left")
    }
  }

  @Test("removing a finger")
  func removeFinger() throws {
    let device = try EnrolledDevice.unlocked()
    try device.enroll(.ownersOther, name: "left")
    try stopEverywhere(Subject(device)) {
      try $0.givePasscode()
      try $0.send(RemoveFinger(finger: "left"), in: 7000)
    }
  }

  @Test("a new finger in the slot of one whose removal was cut short matches as itself alone")
  func leftoverTemplate() throws {
    let device = try EnrolledDevice.unlocked()
    try device.enroll(.ownersOther, name: "left")
    let leftover = device.platform.files["finger-2"]
    try device.givePasscode()
    try device.send(RemoveFinger(finger: "left"), in: 7000)
    device.platform.files["finger-2"] = leftover
    device.restart()
    #expect(device.platform.files["finger-2"] == nil)
  }

  @Test("a template put into the place of another finger's is refused")
  func swappedTemplates() throws {
    let device = try EnrolledDevice.unlocked()
    try device.enroll(.ownersOther, name: "left")
    let files = device.platform.files
    device.platform.files["finger-1"] = files["finger-2"]
    device.platform.files["finger-2"] = files["finger-1"]
    device.restart()
    try device.unlock()
    try device.openContext(1)
    try device.send(OpenChannel(channel: 1, isSynthetic: true))
    #expect(
      try device.failure(BeginMatch(session: 1, channel: 1, context: 1)) == .stateDamaged)
  }
}
