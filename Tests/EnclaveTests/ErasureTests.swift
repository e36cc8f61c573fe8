import Cryptography
import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Erasing the device after wrong passcodes")
struct ErasureTests {
  /// A device with a finger that erases itself after ten, and so many different wrong ones given.
  private func device(wrong: Int, seed: UInt64 = 0) throws -> SimulatedDevice {
    let device = SimulatedDevice(SimulatedPlatform(seed: seed))
    try device.send(SetPasscode(passcode: secret(SimulatedDevice.passcode), eraseAfter: 10))
    try device.enroll(.owner, name: "right-index")
    for number in 0..<wrong {
      device.platform.advance(seconds: 3600)
      #expect(try device.refusal(of: "wrong \(number)") == .authenticationFailed)
    }
    device.platform.advance(seconds: 3600)
    return device
  }

  private func hashOfNothing(_ device: SimulatedDevice) throws -> AttributeBatch {
    try device.ask(HashAttributes(values: [[]]), for: AttributeBatch.self)
  }

  /// The device is as good as new, and works.
  private func expectFresh(_ device: SimulatedDevice, _ comment: Comment? = nil) throws {
    let status = try device.status
    #expect(!status.isPasscodeSet && !status.isLocked && status.realFingers == 0, comment)
    #expect(status.syntheticFingers == 0 && status.eraseAfter == 0, comment)
    #expect(status.wrongPasscodes == 0 && status.passcodeDelay == 0, comment)
    #expect(!status.isLockedOut && !status.isRollbackDetected, comment)
    try device.setPasscode("rose 7")
    let item = try device.sealed("later", .whenPasscodeSetThisDeviceOnly)
    device.restart()
    #expect(try device.refusal(of: SimulatedDevice.passcode) == .authenticationFailed, comment)
    try device.givePasscode("rose 7", unlocking: true)
    #expect(try device.open(item) == .secret("later"), comment)
  }

  @Test("K5: the tenth different wrong passcode destroys keys, fingers and passcode")
  func tenth() throws {
    let device = try device(wrong: 9)
    let item = try device.sealed("gone", .afterFirstUnlock)
    let before = (root: device.platform.files["root.key"], hash: try hashOfNothing(device))
    var status = try device.status
    #expect(status.eraseAfter == 10 && status.wrongPasscodes == 9)
    #expect(try device.refusal(of: "wrong 9") == .deviceErased)
    #expect(device.platform.files.isEmpty)
    status = try device.status
    #expect(!status.isPasscodeSet && status.isFirstUnlocked)
    #expect(try device.open(item) == .failed(.errSecDecode))
    #expect(try hashOfNothing(device) != before.hash)
    #expect(device.platform.files["root.key"] != before.root)
    try expectFresh(device)
  }

  @Test("the tenth passcode, if it is right, forgives all that were wrong")
  func tenthIsRight() throws {
    let device = try device(wrong: 9)
    let item = try device.sealed("kept", .afterFirstUnlock)
    #expect(try device.refusal(of: SimulatedDevice.passcode) == nil)
    device.restart()
    #expect(try device.status.wrongPasscodes == 0)
    try device.unlock()
    #expect(try device.open(item) == .secret("kept"))
    for number in 0..<9 {
      device.platform.advance(seconds: 3600)
      #expect(try device.refusal(of: "again \(number)") == .authenticationFailed)
    }
  }

  @Test("a wrong passcode that was given before, and an empty one, bring it no nearer")
  func repeated() throws {
    let device = try device(wrong: 9)
    for number in 0..<9 {
      #expect(try device.refusal(of: "wrong \(number)") == .authenticationFailed)
    }
    #expect(try device.refusal(of: "") == .authenticationFailed)
    device.restart()
    #expect(try device.refusal(of: "wrong 0") == .authenticationFailed)
    #expect(try device.status.wrongPasscodes == 9)
    #expect(try device.refusal(of: SimulatedDevice.passcode) == nil)
  }

  @Test("K5: passcodes that are tried where strangers may type delay, and never erase")
  func harmless() throws {
    let device = try device(wrong: 9)
    let item = try device.sealed("kept", .afterFirstUnlock)
    #expect(try device.refusal(of: "wrong 9", mayErase: false) == .authenticationFailed)
    #expect(try device.status.passcodeDelay == 3600)
    #expect(try device.refusal(of: "wrong 10", mayErase: false) == .passcodeDelayed)
    for number in 11..<40 {
      device.platform.advance(seconds: 3600)
      if number % 7 == 0 { device.restart() }
      #expect(try device.refusal(of: "wrong \(number)", mayErase: false) == .authenticationFailed)
    }
    device.platform.advance(seconds: 3600)
    #expect(try device.status.wrongPasscodes == 39)
    try device.unlock()
    #expect(try device.open(item) == .secret("kept"))
  }

  @Test("K5: nor do they bring the owner nearer to the last try; one that counts then erases")
  func harmlessBefore() throws {
    let device = try device(wrong: 8)
    for number in 0..<5 {
      #expect(try device.refusal(of: "other \(number)", mayErase: false) == .authenticationFailed)
      device.platform.advance(seconds: 3600)
    }
    #expect(try device.refusal(of: "wrong 8") == .authenticationFailed)
    device.platform.advance(seconds: 3600)
    #expect(try device.refusal(of: "wrong 9") == .deviceErased)
  }

  @Test("who gives a wrong one is told how many are left")
  func warning() throws {
    for (wrong, text) in [(0, "9 more destroy everything"), (8, "one more destroys everything")] {
      let device = try device(wrong: wrong)
      try device.openContext(1)
      let request = VerifyPasscode(
        context: 1, unlocksDevice: false, passcode: secret("yet another"))
      #expect {
        try device.send(request)
      } throws: {
        ($0 as? Failure)?.hint?.contains(text) == true
      }
    }
  }

  @Test("by default nothing is erased, however many are wrong")
  func off() throws {
    let device = try SimulatedDevice.withPasscode()
    #expect(try device.status.eraseAfter == 0)
    for number in 0..<60 {
      device.platform.advance(seconds: 3600)
      #expect(try device.refusal(of: "wrong \(number)") == .authenticationFailed)
    }
    device.platform.advance(seconds: 3600)
    #expect(try device.refusal(of: SimulatedDevice.passcode) == nil)
  }

  @Test(
    "other limits than 10 to 50 are refused, by set and by change, and change nothing",
    arguments: [1, 9, 51, .max] as [UInt32])
  func limits(number: UInt32) throws {
    let device = SimulatedDevice()
    let set = SetPasscode(passcode: secret("tulip 42"), eraseAfter: number)
    #expect(try device.failure(set) == .errSecParam)
    #expect(try device.status.isPasscodeSet == false)
    try device.setPasscode()
    let change = ReplacePasscode(
      current: secret("tulip 42"), replacement: secret("rose 7"), eraseAfter: number)
    #expect(try device.failure(change) == .errSecParam)
    #expect(try device.refusal(of: "tulip 42") == nil)
  }

  @Test("a change of the passcode keeps the limit, sets another one, or turns it off; it lasts")
  func change() throws {
    let device = try device(wrong: 0)
    for (eraseAfter, expected) in [(nil, 10), (50, 50), (0, 0), (12, 12)] as [(UInt32?, UInt32)] {
      try device.send(
        ReplacePasscode(
          current: secret(SimulatedDevice.passcode), replacement: secret(SimulatedDevice.passcode),
          eraseAfter: eraseAfter))
      device.restart()
      #expect(try device.status.eraseAfter == expected)
    }
    for number in 0..<11 {
      device.platform.advance(seconds: 3600)
      #expect(try device.refusal(of: "wrong \(number)") == .authenticationFailed)
    }
    device.platform.advance(seconds: 3600)
    let last = ReplacePasscode(current: secret("wrong 11"), replacement: secret("mine now"))
    #expect(try device.failure(last) == .deviceErased)
    try expectFresh(device)
  }

  @Test("removing the passcode turns it off: the next one starts without")
  func removal() throws {
    let device = try device(wrong: 0)
    try device.send(ErasePasscode(current: secret(SimulatedDevice.passcode)))
    try device.setPasscode()
    #expect(try device.status.eraseAfter == 0)
  }

  // MARK: Interrupted

  @Test("a process that ends at any write of the tenth try gives no eleventh, and damages nothing")
  func interrupted() throws {
    let nine = try device(wrong: 9).platform
    var stops = 0
    while true {
      let platform = SimulatedPlatform(files: nine.files, seed: 3)
      platform.bootTime = nine.bootTime
      let device = SimulatedDevice(platform)
      platform.writesLeft = stops
      let answer = try? device.refusal(of: "wrong 9")
      device.restart()
      switch stops {
      case 0:
        // Not even the count could be written: it was no try.
        #expect(answer == .storageFailed)
        #expect(try device.status.wrongPasscodes == 9)
        #expect(try device.refusal(of: SimulatedDevice.passcode) == nil)
      case 1:
        // Counted, and what came of it is not known.
        #expect(try device.status.wrongPasscodes == 10)
        platform.advance(seconds: 3600)
        #expect(try device.refusal(of: SimulatedDevice.passcode) == .deviceErased)
        try expectFresh(device)
      default: try expectFresh(device, "stopped before write \(stops)")
      }
      if answer == .deviceErased { break }
      stops += 1
    }
    #expect(stops > 6, "count, mark, and a file after the other")
  }

  @Test("an erasure that is interrupted again and again goes on where it was")
  func interruptedOften() throws {
    let device = try device(wrong: 9)
    device.platform.writesLeft = 2
    #expect(try device.refusal(of: "wrong 9") == .storageFailed)
    while device.platform.files["erasing"] != nil {
      let before = device.platform.files.count
      device.platform.writesLeft = 1
      let next = SimulatedDevice(device.platform)
      #expect(device.platform.files.count == before - 1)
      #expect(try before == 1 || next.failure(GetEnclaveStatus()) == .storageFailed)
    }
    device.restart()
    try expectFresh(device)
  }

  @Test("what cannot be erased answers nothing else, and takes no passcode")
  func fullDisk() throws {
    let device = try device(wrong: 9)
    device.platform.writesLeft = 3
    #expect(try device.refusal(of: "wrong 9") == .storageFailed)
    device.platform.writesLeft = nil
    #expect(try device.failure(GetEnclaveStatus()) == .storageFailed)
    device.restart()
    try expectFresh(device)
  }

  @Test("the right tenth passcode, cut short at any write, opens the device the next time")
  func interruptedOwner() throws {
    let nine = try device(wrong: 9).platform
    for stops in 0...2 {
      let platform = SimulatedPlatform(files: nine.files, seed: 3)
      platform.bootTime = nine.bootTime
      let device = SimulatedDevice(platform)
      platform.writesLeft = stops
      let expected: FailureCode? = stops < 2 ? .storageFailed : nil
      #expect(try device.refusal(of: SimulatedDevice.passcode) == expected)
      device.restart()
      #expect(try device.status.wrongPasscodes == [9, 10, 0][stops])
      platform.advance(seconds: 3600)
      try device.unlock()
      #expect(try device.status.wrongPasscodes == 0)
      #expect(platform.files["erasing"] == nil)
    }
  }

  @Test("a start destroys nothing by itself; with no try left any wrong passcode does")
  func noTryLeft() throws {
    for last in ["wrong 9", "wrong 3", "yet another"] {
      let device = try device(wrong: 9)
      device.platform.writesLeft = 1
      #expect(try device.refusal(of: "wrong 9") == .storageFailed)
      for _ in 0..<3 {
        device.restart()
        #expect(try device.status.wrongPasscodes == 10)
      }
      device.platform.advance(seconds: 3600)
      #expect(try device.refusal(of: last) == .deviceErased, "\(last)")
      try expectFresh(device)
    }
  }

  @Test("the right tenth passcode whose success cannot be recorded opens nothing until it can")
  func rightButUnrecorded() throws {
    let device = try device(wrong: 9)
    let item = try device.sealed("kept", .afterFirstUnlock)
    try device.send(LockDevice())
    // The count is written, and nothing after it.
    device.platform.writesLeft = 1
    #expect(try device.refusal(of: SimulatedDevice.passcode) == .storageFailed)
    #expect(try device.evidence(of: 7000).isEmpty)
    device.platform.writesLeft = nil
    #expect(try device.refusal(of: SimulatedDevice.passcode) == .passcodeDelayed)
    device.platform.advance(seconds: 3600)
    #expect(try device.refusal(of: SimulatedDevice.passcode) == nil)
    device.restart()
    try device.unlock()
    #expect(try device.open(item) == .secret("kept"))
  }

  @Test("an eleventh passcode is not tried, also where the tenth could not be resolved")
  func eleventh() throws {
    let device = try device(wrong: 9)
    device.platform.writesLeft = 1
    #expect(try device.refusal(of: "wrong 9") == .storageFailed)
    device.platform.writesLeft = nil
    device.platform.advance(seconds: 3600)
    #expect(try device.refusal(of: SimulatedDevice.passcode) == .deviceErased)
    try expectFresh(device)
  }

  @Test("where the record of wrong passcodes is lost, one try is left")
  func lostRecord() throws {
    for lost in [nil, [1, 2, 3]] as [[UInt8]?] {
      let device = try device(wrong: 1)
      device.platform.files["attempts"] = lost
      device.restart()
      #expect(try device.status.wrongPasscodes == 9)
      device.platform.advance(seconds: 3600)
      #expect(try device.refusal(of: "wrong 9") == .deviceErased)
      try expectFresh(device)
    }
  }

  @Test("a file by the name of the mark that is none erases nothing")
  func foreignMark() throws {
    let device = try device(wrong: 0)
    let files = device.platform.files
    for bytes in [[], Array("authcore erasing 2".utf8), Array(repeating: 7, count: 64)] {
      device.platform.files["erasing"] = bytes
      device.restart()
      #expect(try device.failure(GetEnclaveStatus()) == .stateDamaged)
      device.platform.files["erasing"] = nil
      #expect(device.platform.files == files)
    }
  }

  // MARK: Who is told

  @Test("what waits for a touch is told, contexts are over, and the open channel goes on")
  func whoWaits() throws {
    let device = try device(wrong: 9)
    try device.unlock()
    for number in 0..<9 {
      device.platform.advance(seconds: 3600)
      #expect(try device.refusal(of: "again \(number)") == .authenticationFailed)
    }
    device.platform.advance(seconds: 3600)
    try device.openContext(1)
    let session = try device.beginMatch(1)
    try device.awaitTouch(session)
    device.platform.events = []
    #expect(try device.refusal(of: "again 9") == .deviceErased)
    #expect(device.platform.events.map(\.session) == [session])
    guard case .failed(let failure)? = device.platform.events.first?.outcome else {
      Issue.record("the session was not told")
      return
    }
    #expect(failure.code == .deviceErased)
    #expect(try device.failure(GetContextEvidence(context: 1)) == .invalidContext)
    // The channel is the driver's, and known to the enclave that begins.
    #expect(
      try device.failure(OpenChannel(channel: device.channel(true), isSynthetic: true))
        == .errSecParam)
    try device.setPasscode()
    try device.enroll(.owner)
    try device.openContext(1)
    #expect(try device.match(1, SimulatedFinger.owner.later)?.isMatch == true)
  }
}
