import Cryptography
import Protocol
import TestSupport
import Testing
import TrustedPlatform

@testable import EnclaveEngine

@Suite(
  "Indices of the TPM that are not the enclave's", .requiresSoftwareTPM, .timeLimit(.minutes(60)))
struct TPMIndexTests {
  /// A device whose root key's file names another index than its own; `isAuthentic`: and is otherwise
  /// as its enclave would have written it.
  private func forger(_ tpm: SoftwareTPM, of index: TPMIndex, isAuthentic: Bool) throws
    -> SimulatedPlatform
  {
    let platform = SimulatedPlatform(seed: 9)
    platform.tpm = tpm
    let device = SimulatedDevice(platform)
    try device.setPasscode()
    let conversation = PlatformTPM(platform)
    defer { conversation.hangUp() }
    // What cannot be copied cannot be required.
    guard let file = try platform.load(RootKey.fileName, limit: RootKey.limit) else {
      Issue.record("the device has no root key")
      return platform
    }
    let own = try RootKey.load(file, conversation, on: platform)
    let binding = try #require(own.guardian?.binding)
    let forged = TPMBinding(
      primaryName: binding.primaryName, sealed: binding.sealed, counter: index)
    if isAuthentic {
      let bytes = try TPMGuardian.rootKey(binding, from: conversation)
      let key = try SymmetricKey(bytes.duplicate())
      var root = RootKey(try SymmetricKey(bytes))
      root.use(try TPMGuardian(conversation, on: platform, forged, root: key))
      try platform.save(RootKey.fileName, root.encoded())
    } else {
      var bytes = try #require(platform.files[RootKey.fileName])
      let digits = { (number: TPMIndex) in (0..<4).map { UInt8(number >> (24 - $0 * 8) & 0xff) } }
      let own = digits(binding.counter)
      let place = bytes.indices.last { bytes[$0...].starts(with: own) }
      let found = try #require(place)
      bytes.replaceSubrange(found..<found + 4, with: digits(index))
      platform.files[RootKey.fileName] = bytes
    }
    return platform
  }

  /// Has a device erase itself.
  private func erase(_ platform: SimulatedPlatform) throws {
    try Erasure.begin(on: platform)
    let device = SimulatedDevice(platform)
    #expect(try !device.status.isPasscodeSet)
  }

  @Test(
    "FINDINGS A6: a state that destroys itself takes no other state's counter out of the TPM",
    arguments: [false, true])
  func anotherState(isAuthentic: Bool) throws {
    let victim = try SimulatedDevice.withPasscodeAndTPM()
    let item = try victim.sealed("kept")
    let tpm = try #require(victim.platform.tpm)
    let index = try #require(try tpm.counters().first)
    try erase(forger(tpm, of: index, isAuthentic: isAuthentic))
    #expect(try tpm.counters().contains(index))
    victim.restart()
    #expect(try !victim.status.isRollbackDetected)
    try victim.unlock()
    #expect(try victim.open(item) == .secret("kept"))
  }

  @Test(
    "FINDINGS A6: nor an index of other software, which hears of no wrong authorization either",
    arguments: [TPMConversation.ownerIndices.lowerBound + 5, 0x01c0_0002], [false, true])
  func otherSoftware(index: TPMIndex, isAuthentic: Bool) throws {
    let tpm = try SoftwareTPM()
    try tpm.defineOrdinary(index)
    let platform = try forger(tpm, of: index, isAuthentic: isAuthentic)
    try erase(platform)
    #expect(try tpm.counters().contains(index))
    #expect(try tpm.failedTries() == 0)
    // Nor does a state that goes on with such a root key.
    let other = try forger(tpm, of: index, isAuthentic: true)
    let device = SimulatedDevice(other)
    _ = try device.refusal(of: SimulatedDevice.passcode)
    #expect(try tpm.counters().contains(index))
    #expect(try tpm.failedTries() == 0)
  }
}

extension SoftwareTPM {
  /// Defines an index that holds 32 bytes, as other software has them: its owner and who has its
  /// authorization read and write it, and a wrong one counts (TPM2_NV_DefineSpace).
  fileprivate func defineOrdinary(_ index: TPMIndex) throws {
    let digits = (0..<4).map { UInt8(index >> (24 - $0 * 8) & 0xff) }
    let session: [UInt8] = [0, 0, 0, 9, 0x40, 0, 0, 9, 0, 0, 0, 0, 0]
    let facts: [UInt8] = digits + [0x00, 0x0b, 0x00, 0x06, 0x00, 0x06, 0, 0, 0, 32]
    let body: [UInt8] =
      [0x40, 0, 0, 1] + session + [0, 4, 1, 2, 3, 4] + [0, UInt8(facts.count)] + facts
    let command: [UInt8] = [0x80, 2, 0, 0, 0, UInt8(10 + body.count), 0, 0, 1, 0x2a] + body
    let answer = try exchange(command.span)
    #expect(Array(answer[6..<10]) == [0, 0, 0, 0], "the index was not defined: \(answer)")
  }

  /// How many wrong authorizations it remembers (TPM2_GetCapability, TPM_PT_LOCKOUT_COUNTER).
  fileprivate func failedTries() throws -> UInt8 {
    let command: [UInt8] = [
      0x80, 1, 0, 0, 0, 22, 0, 0, 1, 0x7a, 0, 0, 0, 6, 0, 0, 2, 0x0e, 0, 0, 0, 1,
    ]
    return try #require(try exchange(command.span).last)
  }
}
