import EngineKit
import Testing
import Wire

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
    device.platform.advance(seconds: 1)
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

  @Test("a restart of the enclave begins the delay anew and forgets no wrong passcode")
  func restart() throws {
    let device = try device(after: 5)
    device.platform.advance(seconds: 59)
    device.restart()
    #expect(try device.status.passcodeDelay == 60)
    device.platform.advance(seconds: 60)
    _ = try device.refusal(of: "yet another")
    #expect(try device.status.passcodeDelay == 300)
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
