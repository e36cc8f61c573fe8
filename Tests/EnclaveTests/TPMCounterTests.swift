import Protocol
import TestSupport
import Testing
import TrustedPlatform

@testable import EnclaveEngine

@Suite("Older states and the TPM's counter", .requiresSoftwareTPM, .timeLimit(.minutes(60)))
struct TPMCounterTests {
  /// A device with a passcode, a finger and an item, and its files of an earlier time.
  private func restored(
    since change: (SimulatedDevice) throws -> Void
  ) throws -> (SimulatedDevice, StoredItem) {
    let device = try SimulatedDevice.withPasscodeAndTPM()
    try device.enroll(.owner, name: "right-index")
    let item = try device.sealed("kept")
    let old = device.platform.files
    try change(device)
    device.platform.files = old
    device.restart()
    return (device, item)
  }

  private func guessWrongly(_ device: SimulatedDevice) throws {
    #expect(try device.refusal(of: "wrong") == .authenticationFailed)
  }

  @Test("the whole folder put back is detected: after wrong passcodes, which it would undo")
  func restoredAfterGuess() throws {
    let (device, item) = try restored(since: guessWrongly)
    #expect(try device.status.isRollbackDetected)
    #expect(try device.status.isLockedOut)
    #expect(try device.status.passcodeDelay == 0, "one try is allowed at once")
    try device.unlock()
    #expect(try !device.status.isRollbackDetected)
    #expect(try !device.status.isLockedOut)
    #expect(try device.open(item) == .secret("kept"))
    device.restart()
    #expect(try !device.status.isRollbackDetected)
  }

  @Test("a wrong passcode on a state that was put back begins the longest delay")
  func wrongAfterRestore() throws {
    let (device, _) = try restored(since: guessWrongly)
    #expect(try device.refusal(of: "wrong 2") == .authenticationFailed)
    #expect(try device.status.passcodeDelay == 3600)
    #expect(try device.refusal(of: SimulatedDevice.passcode) == .passcodeDelayed)
    #expect(try device.status.isRollbackDetected)
    device.restart()
    #expect(try device.status.isRollbackDetected, "until the next right passcode")
    #expect(try device.refusal(of: SimulatedDevice.passcode) == .passcodeDelayed)
    device.platform.advance(seconds: 3600)
    try device.unlock()
    #expect(try !device.status.isRollbackDetected)
  }

  @Test("E5: putting the folder back again and again never gives more than the TPM's tries")
  func restoringForGuesses() throws {
    let device = try SimulatedDevice.withPasscodeAndTPM()
    let old = device.platform.files
    var tries = 0
    while tries < 100 {
      device.platform.files = old
      device.restart()
      guard try device.refusal(of: "wrong \(tries)") == .authenticationFailed else { break }
      tries += 1
    }
    #expect(tries == 32)
    #expect(try device.refusal(of: "another") == .tpmLockout)
  }

  @Test("the whole folder put back is detected after a change of passcode or fingers")
  func restoredAfterChange() throws {
    let changes: [(SimulatedDevice) throws -> Void] = [
      {
        try $0.send(
          ReplacePasscode(
            current: secret(SimulatedDevice.passcode), replacement: secret("rose 7")))
      },
      { try $0.enroll(.ownersOther, name: "left") },
      {
        try $0.givePasscode()
        try $0.send(RemoveFinger(finger: "right-index"), in: 7000)
      },
    ]
    for change in changes {
      let (device, _) = try restored(since: change)
      #expect(try device.status.isRollbackDetected)
      try device.openContext(1)
      #expect(
        try device.failure(BeginMatch(session: 900, channel: 1, context: 1)) != nil,
        "no finger counts")
      try device.unlock()
      #expect(try !device.status.isRollbackDetected)
      #expect(try device.sealed("newer").sealed.count > 0)
    }
  }

  @Test("misses alone raise nothing: a restart leaves no finger to count before the passcode")
  func misses() throws {
    let device = try SimulatedDevice.withPasscodeAndTPM()
    try device.enroll(.owner, name: "right-index")
    let before = device.platform.tpm?.commandCount
    try device.openContext(1)
    _ = try device.match(1, SimulatedFinger.ownersOther.later)
    #expect(device.platform.tpm?.commandCount == before)
    device.restart()
    #expect(try !device.status.isRollbackDetected)
  }

  @Test("a record of attempts that is gone is an older state too")
  func lostAttempts() throws {
    let device = try SimulatedDevice.withPasscodeAndTPM()
    device.platform.files["attempts"] = nil
    device.restart()
    #expect(try device.status.isRollbackDetected)
    try device.unlock()
    #expect(try !device.status.isRollbackDetected)
  }

  @Test("a counter that somebody took out of the TPM is told, and made again behind the passcode")
  func lostCounter() throws {
    let device = try SimulatedDevice.withPasscodeAndTPM()
    let item = try device.sealed("kept")
    let tpm = try #require(device.platform.tpm)
    for index in try tpm.counters() {
      try TPMConversation(over: tpm, expecting: nil).removeCounter(index)
    }
    #expect(try tpm.counters().isEmpty)
    device.restart()
    #expect(try device.status.isRollbackDetected)
    try device.unlock()
    #expect(try !device.status.isRollbackDetected)
    #expect(try tpm.counters().count == 1)
    device.restart()
    #expect(try !device.status.isRollbackDetected)
    try device.unlock()
    #expect(try device.open(item) == .secret("kept"))
  }

  @Test("a root key of before it was moved into the TPM, put back alone, opens nothing")
  func oldRootKey() throws {
    let device = try SimulatedDevice.withPasscode()
    let old = device.platform.files["root.key"]
    device.platform.tpm = try SoftwareTPM()
    try device.move(to: .tpm)
    device.platform.files["root.key"] = old
    device.restart()
    #expect(try device.failure(GetEnclaveStatus()) == .stateDamaged)
  }

  // MARK: Moving

  @Test("the root key moves into the TPM and out of it; fingers, items and hashes move with it")
  func migrate() throws {
    let device = try SimulatedDevice.withPasscode()
    try device.enroll(.owner, name: "right-index")
    let item = try device.sealed("kept")
    let bound = try device.sealed(
      "bound", .whenUnlockedThisDeviceOnly, access: "biometry-current")
    func hash() throws -> [AttributeBatch.Result] {
      try device.ask(HashAttributes(values: [[1, 2]]), for: AttributeBatch.self).results
    }
    let before = try hash()
    func check(_ kind: String) throws {
      for _ in 0..<2 {
        #expect(try device.status.rootKey == kind)
        #expect(try !device.status.isRollbackDetected)
        #expect(try device.open(item) == .secret("kept"))
        #expect(try hash() == before)
        try device.openContext(1)
        #expect(try device.match(1, SimulatedFinger.owner.later)?.isMatch == true)
        #expect(try device.open(bound, context: 1) == .secret("bound"))
        device.restart()
        try device.unlock()
      }
    }
    device.platform.tpm = try SoftwareTPM()
    #expect(
      try device.failure(MoveRootKey(to: .tpm, passcode: secret("wrong")))
        == .authenticationFailed)
    try device.move(to: .tpm)
    try check("tpm")
    try device.move(to: .file)
    try check("file")
    #expect(try device.platform.tpm?.counters().isEmpty == true)
    device.platform.tpm = nil
    device.restart()
    try device.unlock()
    #expect(
      try device.failure(MoveRootKey(to: .tpm, passcode: secret(SimulatedDevice.passcode)))
        == .errSecNotAvailable)
    try check("file")
  }

  @Test("without a passcode the root key moves too, and needs no proof")
  func migrateWithoutPasscode() throws {
    let device = SimulatedDevice()
    let item = try device.sealed("kept")
    device.platform.tpm = try SoftwareTPM()
    try device.move(to: .tpm, "")
    for place in [RootKeyPlace.file, .tpm] {
      device.restart()
      #expect(try device.open(item) == .secret("kept"))
      try device.move(to: place, "")
      #expect(try device.status.rootKey == place.name)
    }
    try device.setPasscode()
    device.restart()
    try device.unlock()
    #expect(try device.open(item) == .secret("kept"))
  }

  @Test("what is sealed after a move is not opened by the root key and keybag of before")
  func generationOfMove() throws {
    let device = try SimulatedDevice.withPasscode()
    let old = device.platform.files
    device.platform.tpm = try SoftwareTPM()
    try device.move(to: .tpm)
    let newer = try device.sealed("newer")
    device.platform.files = old
    device.restart()
    try device.unlock()
    #expect(try device.open(newer) == .failed(.stateDamaged))
  }
}

extension SoftwareTPM {
  /// The indices that are defined in it.
  func counters() throws -> [TPMIndex] {
    // TPM2_GetCapability of handles, from the first NV index on.
    let command: [UInt8] = [
      0x80, 1, 0, 0, 0, 22, 0, 0, 1, 0x7a, 0, 0, 0, 1, 0x01, 0x80, 0, 0, 0, 0, 0, 16,
    ]
    let answer = try exchange(command.span)
    return stride(from: 19, to: answer.count - 3, by: 4).map { start in
      answer[start..<start + 4].reduce(0) { $0 << 8 | TPMIndex($1) }
    }
  }
}
