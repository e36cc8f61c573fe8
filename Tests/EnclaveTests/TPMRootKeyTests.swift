import Protocol
import TestSupport
import Testing
import TrustedPlatform

@testable import EnclaveEngine

extension Trait where Self == ConditionTrait {
  /// Needs the software TPM.
  static var requiresSoftwareTPM: ConditionTrait {
    .enabled(if: SoftwareTPM.program != nil, "swtpm is not installed")
  }
}

extension SimulatedDevice {
  /// A machine with a TPM and an empty folder.
  static func withTPM(seed: UInt64 = 0) throws -> SimulatedDevice {
    let platform = SimulatedPlatform(seed: seed)
    platform.tpm = try SoftwareTPM()
    return SimulatedDevice(platform)
  }

  /// The same with the passcode set, and unlocked by it.
  static func withPasscodeAndTPM() throws -> SimulatedDevice {
    let device = try withTPM()
    try device.setPasscode()
    return device
  }

  func move(to place: RootKeyPlace, _ passcode: String = SimulatedDevice.passcode) throws {
    try send(MoveRootKey(to: place, passcode: secret(passcode)))
  }
}

@Suite("The root key in a TPM", .requiresSoftwareTPM, .timeLimit(.minutes(60)))
struct TPMRootKeyTests {
  @Test("K5: a new enclave binds its root key to a TPM that is there, and opens by it")
  func firstUse() throws {
    let device = try SimulatedDevice.withTPM()
    #expect(try device.status.rootKey == "tpm")
    let item = try device.sealed("kept")
    try device.setPasscode()
    #expect(try device.status.rootKey == "tpm")
    device.restart()
    #expect(try device.status.rootKey == "tpm")
    #expect(try !device.status.isRollbackDetected)
    try device.unlock()
    #expect(try device.open(item) == .secret("kept"))
    try device.platform.tpm?.restart()
    device.restart()
    try device.unlock()
    #expect(try device.open(item) == .secret("kept"))
  }

  @Test("a device that erases itself takes its counter out of the TPM")
  func erased() throws {
    let device = try SimulatedDevice.withPasscodeAndTPM()
    let platform = device.platform
    let tpm = PlatformTPM(platform)
    defer { tpm.hangUp() }
    var guardian: TPMGuardian?
    if let file = try platform.load(RootKey.fileName, limit: RootKey.limit) {
      guardian = try RootKey.load(file, tpm, on: platform).guardian
    }
    let bound = try #require(guardian)
    #expect(try bound.count() != nil)
    try Erasure.begin(on: device.platform)
    device.restart()
    #expect(try !device.status.isPasscodeSet)
    #expect(try bound.count() == nil)
    #expect(try device.status.rootKey == "tpm")
  }

  @Test("a file stays a file when a TPM comes, and nothing is switched silently")
  func neverSwitched() throws {
    let device = try SimulatedDevice.withPasscode()
    device.platform.tpm = try SoftwareTPM()
    device.restart()
    try device.unlock()
    #expect(try device.status.rootKey == "file")
    #expect(device.platform.tpm?.commandCount == 0)
  }

  @Test("a TPM that cannot be used at first use leaves a file, and is told in the log")
  func unusableAtFirst() throws {
    let platform = SimulatedPlatform()
    let tpm = try SoftwareTPM()
    tpm.interposer = { _ in .failure(.forbidden) }
    platform.tpm = tpm
    let device = SimulatedDevice(platform)
    #expect(try device.status.rootKey == "file")
    #expect(platform.logged.contains { $0.contains("file") })
    try device.setPasscode()
    tpm.interposer = nil
    device.restart()
    #expect(try device.status.rootKey == "file")
  }

  @Test("a TPM that has no room at first use leaves a file")
  func fullAtFirst() throws {
    let device = try SimulatedDevice.withTPM()
    #expect(try device.status.rootKey == "tpm")
    device.platform.tpm?.interposer = { command in
      // TPM2_NV_DefineSpace: TPM_RC_NV_SPACE
      command[6..<10].elementsEqual([0, 0, 1, 0x2a])
        ? .success([0x80, 1, 0, 0, 0, 10, 0, 0, 1, 0x4b]) : nil
    }
    try device.setPasscode()
    #expect(try device.status.rootKey == "file")
    device.platform.tpm = nil
    device.restart()
    try device.unlock()
  }

  static let absences: [(TPMError, FailureCode)] = [
    (.absent, .tpmNotFound), (.lost, .tpmNotFound), (.forbidden, .tpmNotPermitted),
    (.busy, .tpmBusy), (.late, .tpmBusy), (.garbled, .tpmFailed),
  ]

  @Test("a TPM that is away is an error of its own; back again it opens everything as before")
  func away() throws {
    for (error, code) in Self.absences {
      let device = try SimulatedDevice.withPasscodeAndTPM()
      let item = try device.sealed("kept")
      let files = device.platform.files
      device.platform.tpm?.interposer = { _ in .failure(error) }
      device.restart()
      #expect(try device.failure(GetEnclaveStatus()) == code)
      #expect(try device.failure(SetPasscode(passcode: secret("rose 7"))) == code)
      #expect(try device.failure(SetStateAside()) == code)
      #expect(device.platform.files == files)
      device.platform.tpm?.interposer = nil
      try device.unlock()
      #expect(try device.open(item) == .secret("kept"), "after \(error)")
    }
  }

  @Test("who may not use the TPM is told what the service's user needs, and what ends either core")
  func forbidden() {
    let hint = Failure(TPMError.forbidden).hint ?? ""
    for part in ["(the service: authcore)", "authcore quit", "sudo systemctl restart authcored"] {
      #expect(hint.contains(part), "\(hint)")
    }
  }

  @Test("a TPM that goes while the enclave runs fails what needs it, and loses nothing")
  func goesAway() throws {
    let device = try SimulatedDevice.withPasscodeAndTPM()
    let item = try device.sealed("kept")
    device.platform.tpm?.interposer = { _ in .failure(.lost) }
    #expect(try device.open(item) == .secret("kept"))
    #expect(try device.refusal(of: SimulatedDevice.passcode) == .tpmNotFound)
    #expect(
      try device.failure(
        ReplacePasscode(current: secret(SimulatedDevice.passcode), replacement: secret("rose 7")))
        == .tpmNotFound)
    device.platform.tpm?.interposer = nil
    try device.unlock()
    #expect(try device.open(item) == .secret("kept"))
    #expect(try !device.status.isRollbackDetected)
    device.restart()
    #expect(try !device.status.isRollbackDetected)
  }

  @Test("another TPM is told from the right one; the right one, put back, opens the folder")
  func replaced() throws {
    let device = try SimulatedDevice.withPasscodeAndTPM()
    let item = try device.sealed("kept")
    let (files, right) = (device.platform.files, device.platform.tpm)
    device.platform.tpm = try SoftwareTPM()
    device.restart()
    #expect(try device.failure(GetEnclaveStatus()) == .tpmReplaced)
    #expect(try device.failure(SetPasscode(passcode: secret("rose 7"))) == .tpmReplaced)
    #expect(device.platform.files == files)
    device.platform.tpm = right
    try device.unlock()
    #expect(try device.open(item) == .secret("kept"))
  }

  @Test("the owner may begin anew: the old files stay under other names, and are the old device")
  func beginAnew() throws {
    let device = try SimulatedDevice.withPasscodeAndTPM()
    try device.enroll(.owner, name: "right-index")
    let item = try device.sealed("kept")
    let (files, right) = (device.platform.files, device.platform.tpm)
    #expect(try device.failure(SetStateAside()) == .errSecParam)
    #expect(device.platform.files == files)
    device.platform.tpm = try SoftwareTPM()
    device.restart()
    try device.send(SetStateAside())
    for (name, bytes) in files {
      #expect(device.platform.files[StateSetAside.name(name, in: 1)] == bytes, "\(name)")
      #expect(device.platform.files[name] == nil, "\(name)")
    }
    try device.setPasscode("rose 7")
    #expect(try device.status.rootKey == "tpm")
    #expect(try device.status.syntheticFingers == 0)
    // By hand, as a person would.
    for name in files.keys {
      device.platform.files[name] = device.platform.files[StateSetAside.name(name, in: 1)]
    }
    device.platform.tpm = right
    device.restart()
    try device.unlock()
    #expect(try device.open(item) == .secret("kept"))
  }

  @Test("setting files aside can be interrupted at every write, and loses none")
  func interruptedSettingAside() throws {
    let first = try SimulatedDevice.withPasscodeAndTPM()
    let files = first.platform.files
    let other = try SoftwareTPM()
    var stops = 0
    while true {
      let platform = SimulatedPlatform(files: files)
      platform.tpm = other
      let device = SimulatedDevice(platform)
      platform.writesLeft = stops
      let isDone = try device.failure(SetStateAside()) == nil
      platform.writesLeft = nil
      if !isDone { try device.send(SetStateAside()) }
      for (name, bytes) in files {
        #expect(platform.files[StateSetAside.name(name, in: 1)] == bytes, "\(name) at \(stops)")
      }
      try device.setPasscode()
      if isDone { break }
      stops += 1
    }
    #expect(stops > 4)
  }

  // MARK: Guessing

  @Test("A3: every wrong passcode costs a try of the TPM's own lock, but one that is repeated none")
  func guessesAreCounted() throws {
    let device = try SimulatedDevice.withPasscodeAndTPM()
    func failures() throws -> Int {
      var failed = 0
      device.platform.tpm?.listener = { _, answer in
        // TPM_RC_AUTH_FAIL of the first session
        if answer.count == 10, answer[8...].elementsEqual([0x09, 0x8e]) { failed += 1 }
      }
      for passcode in ["wrong 1", "wrong 2", "wrong 1", "wrong 2", "wrong 1"] {
        #expect(try device.refusal(of: passcode) == .authenticationFailed)
      }
      return failed
    }
    #expect(try failures() == 2)
    #expect(try device.status.wrongPasscodes == 2)
    device.restart()
    #expect(try device.refusal(of: "wrong 1") == .authenticationFailed)
    #expect(try device.status.wrongPasscodes == 3, "nothing but memory knew that it was wrong")
  }

  @Test("what is stored tells nobody which wrong passcodes were given")
  func noCodesStored() throws {
    let device = try SimulatedDevice.withPasscodeAndTPM()
    let before = device.platform.files["attempts"]?.count
    for number in 0..<4 { _ = try device.refusal(of: "wrong \(number)") }
    // A code would be 36 bytes; when a delay began is not more than 33.
    #expect(
      try #require(device.platform.files["attempts"]?.count) - (try #require(before)) < 36)
  }

  @Test("in the TPM's lockout no passcode is judged, and that counts for nothing")
  func lockout() throws {
    let device = try SimulatedDevice.withPasscodeAndTPM()
    var wrong = 0
    while try device.refusal(of: "wrong \(wrong)") == .authenticationFailed {
      wrong += 1
      device.platform.advance(seconds: 3601)
    }
    #expect(wrong == 32, "the TPM's lock comes long after the enclave's delays")
    #expect(try device.status.wrongPasscodes == 32)
    #expect(try device.refusal(of: SimulatedDevice.passcode) == .tpmLockout)
    #expect(try device.status.wrongPasscodes == 32)
    #expect(try !device.status.isRollbackDetected)
    device.restart()
    #expect(try device.status.wrongPasscodes == 32, "status needs nothing that is locked")
  }

  @Test("a passcode that is changed is guarded anew, and the old one opens nothing")
  func changedPasscode() throws {
    let device = try SimulatedDevice.withPasscodeAndTPM()
    let item = try device.sealed("kept")
    try device.send(
      ReplacePasscode(current: secret(SimulatedDevice.passcode), replacement: secret("rose 7")))
    device.restart()
    #expect(try device.refusal(of: SimulatedDevice.passcode) == .authenticationFailed)
    try device.givePasscode("rose 7", unlocking: true)
    #expect(try device.open(item) == .secret("kept"))
    try device.send(ErasePasscode(current: secret("rose 7")))
    device.restart()
    #expect(try device.open(item) == .secret("kept"))
  }
}
