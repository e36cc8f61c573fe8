import Cryptography
import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Wrong passcodes")
struct PasscodeDelayTests {
  /// APPLE.md 1.4: the delay after so many wrong passcodes, in seconds.
  static let delays: [(wrong: Int, seconds: UInt32)] = [
    (1, 0), (2, 0), (3, 0), (4, 0), (5, 60), (6, 300), (7, 900), (8, 900), (9, 3600), (10, 3600),
    (11, 3600), (20, 3600),
  ]

  /// A device after so many different wrong passcodes, each given when the delay of the one before
  /// was over.
  private func device(after wrong: Int) throws -> SimulatedDevice {
    let device = try SimulatedDevice.withPasscode()
    for number in 0..<wrong {
      device.platform.advance(seconds: 3600)
      let code = try device.refusal(of: "wrong \(number)")
      #expect(code == .authenticationFailed)
    }
    return device
  }

  @Test("the delay grows as Apple's table says", arguments: delays)
  func table(wrong: Int, seconds: UInt32) throws {
    let device = try device(after: wrong)
    #expect(try device.status.passcodeDelay == seconds)
  }

  @Test("during a delay not even the right passcode is tried; after it, it is", arguments: delays)
  func delayed(wrong: Int, seconds: UInt32) throws {
    let device = try device(after: wrong)
    guard seconds > 0 else {
      #expect(try device.refusal(of: SimulatedDevice.passcode) == nil)
      return
    }
    device.platform.advance(seconds: UInt64(seconds) - 1)
    #expect(try device.refusal(of: SimulatedDevice.passcode) == .passcodeDelayed)
    #expect(try device.status.passcodeDelay == 1)
    device.platform.bootTime += 999_999_999
    #expect(try device.refusal(of: SimulatedDevice.passcode) == .passcodeDelayed)
    #expect(try device.status.passcodeDelay == 1)
    device.platform.bootTime += 1
    #expect(try device.status.passcodeDelay == 0)
    #expect(try device.refusal(of: SimulatedDevice.passcode) == nil)
  }

  @Test("the failure during a delay says how long to wait")
  func hint() throws {
    let device = try device(after: 6)
    try device.openContext(1)
    do {
      try device.send(
        VerifyPasscode(
          context: 1, unlocksDevice: false, passcode: secret(SimulatedDevice.passcode)))
      Issue.record("the passcode was tried")
    } catch let failure as Failure {
      #expect(failure.hint?.contains("5 minutes") == true)
    }
  }

  @Test("change and remove are delayed too")
  func otherRequests() throws {
    let device = try device(after: 5)
    let change = try device.failure(
      ReplacePasscode(current: secret(SimulatedDevice.passcode), replacement: secret("rose 7")))
    let remove = try device.failure(ErasePasscode(current: secret(SimulatedDevice.passcode)))
    #expect(change == .passcodeDelayed)
    #expect(remove == .passcodeDelayed)
  }

  // MARK: Restarts and clocks

  @Test("a restart of the enclave goes on with the delay and forgets no wrong passcode")
  func restart() throws {
    let device = try device(after: 5)
    for left in stride(from: 59 as UInt32, to: 0, by: -1) {
      device.platform.advance(seconds: 1)
      device.restart()
      #expect(try device.status.passcodeDelay == left)
    }
    device.platform.bootTime += 999_999_999
    device.restart()
    #expect(try device.refusal(of: SimulatedDevice.passcode) == .passcodeDelayed)
    device.platform.bootTime += 1
    _ = try device.refusal(of: "yet another")
    #expect(try device.status.passcodeDelay == 300)
  }

  @Test("after a restart of the machine the whole delay begins anew, once", arguments: [0, 500])
  func reboot(uptime: UInt64) throws {
    let device = try device(after: 5)
    device.platform.advance(seconds: 59)
    device.platform.bootIdentity = [UInt8](repeating: 8, count: 16)
    device.platform.bootTime = uptime * 1_000_000_000
    device.restart()
    #expect(try device.status.passcodeDelay == 60)
    device.platform.advance(seconds: 30)
    device.restart()
    #expect(try device.status.passcodeDelay == 30, "the enclave ended, the machine did not")
    device.platform.advance(seconds: 30)
    #expect(try device.refusal(of: SimulatedDevice.passcode) == nil)
  }

  @Test("on a full disk the delay begins anew with each enclave, and ends in one that stays")
  func rebootOnFullDisk() throws {
    let device = try device(after: 5)
    device.platform.bootIdentity = [UInt8](repeating: 8, count: 16)
    for _ in 0..<3 {
      device.platform.advance(seconds: 59)
      device.platform.writesLeft = 0
      let next = SimulatedDevice(device.platform)
      #expect(try next.status.passcodeDelay == 60)
      device.platform.advance(seconds: 60)
      #expect(try next.status.passcodeDelay == 0)
    }
  }

  @Test(
    "a clock that went back in the same boot begins the delay anew, also in one enclave",
    arguments: [true, false])
  func snapshot(restarts: Bool) throws {
    let device = try device(after: 5)
    device.platform.advance(seconds: 59)
    device.platform.bootTime -= 60 * 1_000_000_000
    if restarts { device.restart() }
    #expect(try device.status.passcodeDelay == 60)
    device.platform.bootTime += 60 * 1_000_000_000 - 1
    #expect(try device.refusal(of: SimulatedDevice.passcode) == .passcodeDelayed)
    device.platform.bootTime += 1
    #expect(try device.refusal(of: SimulatedDevice.passcode) == nil)
  }

  @Test("where the kernel names no boot, a restarted enclave cannot know it is the same one")
  func namelessBoot() throws {
    let device = try device(after: 4)
    device.platform.bootIdentity = []
    _ = try device.refusal(of: "the fifth")
    device.platform.advance(seconds: 59)
    #expect(try device.status.passcodeDelay == 1)
    device.restart()
    #expect(try device.status.passcodeDelay == 60)
    device.platform.advance(seconds: 60)
    #expect(try device.status.passcodeDelay == 0)
  }

  @Test("the wall clock has no part in it, set back or set forward", arguments: [-1, 1] as [Int64])
  func wallClock(direction: Int64) throws {
    let device = try device(after: 5)
    device.platform.wallClock += direction * 100_000
    device.restart()
    device.platform.wallClock += direction * 100_000
    device.platform.advance(seconds: 59)
    #expect(try device.status.passcodeDelay == 1)
    device.platform.advance(seconds: 1)
    #expect(try device.status.passcodeDelay == 0)
  }

  @Test("the delay of a lost record ends too, however often the enclave ends meanwhile")
  func lostRecord() throws {
    let device = try device(after: 1)
    device.platform.files["attempts"] = nil
    for left in [3600, 1800, 0] as [UInt32] {
      device.restart()
      #expect(try device.status.passcodeDelay == left)
      device.platform.advance(seconds: 1800)
    }
    #expect(try device.refusal(of: SimulatedDevice.passcode) == nil)
  }

  @Test("a record of the version before is read: its delay begins anew")
  func earlierRecord() throws {
    let device = try device(after: 5)
    let files = device.platform.files
    func bytes(_ name: String) throws -> SecretBytes {
      let bytes = try #require(files[name])
      return SecretBytes(copying: bytes.span)
    }
    let root = try RootKey.decode(bytes("root.key"))
    let key = try root.derivedKey(for: .attempts)
    let form = SealedStateFile(magic: "authcore attempts", versions: 2...6)
    let contents = try form.open(form.read(bytes("attempts")), with: key)
    // Version 2 ended before the optional moment: a boolean, a string of 16 bytes, a uint64; behind
    // that are two bytes of version 4, four of version 5 and the frames of version 6.
    let later = (1 + 4 + 16 + 8) + 2 + 4 + 8 * SeenFrames.most
    let shorter = SecretBytes(copying: contents.bytes.extracting(droppingLast: later))
    let earlier = try SealedStateFile(magic: "authcore attempts", versions: 1...2)
      .seal(shorter, with: key)
    device.platform.files["attempts"] = earlier.bytes.indices.map { earlier.bytes[$0] }
    device.platform.advance(seconds: 30)
    device.restart()
    let status = try device.status
    #expect(status.passcodeDelay == 60 && status.wrongPasscodes == 5 && !status.isLockedOut)
    #expect(try device.refusal(of: "wrong 1") == .passcodeDelayed)
  }

  @Test("the same wrong passcode again does not count, in this enclave or a later one")
  func repeated() throws {
    let device = try device(after: 4)
    for _ in 0..<10 { #expect(try device.refusal(of: "wrong 1") == .authenticationFailed) }
    device.restart()
    for _ in 0..<10 { #expect(try device.refusal(of: "wrong 3") == .authenticationFailed) }
    #expect(try device.status.passcodeDelay == 0)
    _ = try device.refusal(of: "wrong 5")
    #expect(try device.status.passcodeDelay == 60)
  }

  @Test("any right passcode clears wrong passcodes and misses")
  func cleared() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    for _ in 0..<5 { try device.match(1, SimulatedFinger.stranger.later) }
    for number in 0..<4 { _ = try device.refusal(of: "wrong \(number)") }
    #expect(try device.status.isLockedOut)
    try device.givePasscode()
    device.restart()
    #expect(try device.status.misses == 0)
    for number in 0..<4 { _ = try device.refusal(of: "wrong \(number)") }
    #expect(try device.status.passcodeDelay == 0)
  }

  @Test("a passcode counts as wrong before it is verified: ending the enclave saves no try")
  func countedFirst() throws {
    let device = try device(after: 4)
    var files: [[String: [UInt8]]] = []
    device.platform.onWrite = { _ in files.append(device.platform.files) }
    _ = try device.refusal(of: SimulatedDevice.passcode)
    device.platform.onWrite = nil
    let stopped = SimulatedDevice(SimulatedPlatform(files: try #require(files.first)))
    #expect(try stopped.status.passcodeDelay == 60)
    stopped.platform.advance(seconds: 60)
    // The record holds the right passcode among those that were tried; it is right all the same.
    #expect(try stopped.refusal(of: SimulatedDevice.passcode) == nil)
    let finished = SimulatedDevice(SimulatedPlatform(files: try #require(files.last)))
    #expect(try finished.status.passcodeDelay == 0)
  }

  @Test("where a try cannot be recorded none is made, and nothing is lost")
  func fullDisk() throws {
    let device = try SimulatedDevice.withPasscode()
    device.platform.writesLeft = 0
    #expect(try device.refusal(of: SimulatedDevice.passcode) == .storageFailed)
    #expect(try device.refusal(of: "wrong") == .storageFailed)
    device.restart()
    #expect(try device.refusal(of: SimulatedDevice.passcode) == nil)
  }

  @Test("the record of another device is none: the longest delay holds")
  func foreignRecord() throws {
    let device = try device(after: 1)
    let other = SimulatedDevice(SimulatedPlatform(seed: 5))
    try other.setPasscode()
    other.platform.files["attempts"] = device.platform.files["attempts"]
    other.restart()
    #expect(try other.status.passcodeDelay == 3600)
    #expect(try other.status.isLockedOut)
  }
}
