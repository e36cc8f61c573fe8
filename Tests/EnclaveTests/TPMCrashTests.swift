import Foundation
import Protocol
import TestSupport
import Testing

@testable import EnclaveEngine

/// Each change is stopped before each of its writes and before and behind each command to the TPM;
/// what the next enclave finds is what was or what was to be, and no older state.
@Suite("A crash at every step with a TPM", .requiresSoftwareTPM, .timeLimit(.minutes(60)))
struct TPMCrashTests {
  /// What can be told of a device by using it. Unlocks it.
  struct Observation: Equatable {
    var passcodes: [String]
    var fingers: [String]
    var rootKey: String
    var isRollbackDetected: Bool
  }

  private struct Subject {
    let files: [String: [UInt8]]
    let saved: [String: Data]
    let item: StoredItem
  }

  private func subject(_ device: SimulatedDevice, _ tpm: SoftwareTPM) throws -> Subject {
    let item = try device.sealed("kept")
    return Subject(files: device.platform.files, saved: try tpm.saved(), item: item)
  }

  private func observe(_ device: SimulatedDevice, _ subject: Subject) throws -> Observation {
    let isRollbackDetected = try device.status.isRollbackDetected
    let right = try device.unlockWithRightPasscodes()
    #expect(try device.open(subject.item) == .secret("kept"))
    let fingers = try device.ask(ListFingers(), for: FingerList.self).fingers.map(\.name)
    let rootKey = try device.status.rootKey
    device.restart()
    #expect(try !device.status.isRollbackDetected, "and it stays so")
    return Observation(
      passcodes: right, fingers: fingers, rootKey: rootKey,
      isRollbackDetected: isRollbackDetected)
  }

  private func stopEverywhere(
    _ subject: Subject, on tpm: SoftwareTPM, isUnlocked: Bool = true,
    _ change: (SimulatedDevice) throws -> Void
  ) throws {
    func device() throws -> SimulatedDevice {
      try tpm.restore(subject.saved)
      let platform = SimulatedPlatform(files: subject.files, seed: 2)
      platform.tpm = tpm
      platform.countsCommands = true
      let device = SimulatedDevice(platform)
      if isUnlocked, try device.status.isPasscodeSet { try device.unlock() }
      return device
    }
    for losesAnswer in [false, true] {
      let stops = try expectOldOrNew(
        device,
        stop: { device, step in
          device.platform.writesLeft = step
          device.platform.losesAnswer = losesAnswer
        }, observe: { try observe($0, subject) }, isBad: \.isRollbackDetected, change)
      #expect(stops > 8)
    }
  }

  @Test("setting the first passcode")
  func setPasscode() throws {
    let device = try SimulatedDevice.withTPM()
    let tpm = try #require(device.platform.tpm)
    try stopEverywhere(subject(device, tpm), on: tpm) { try $0.setPasscode() }
  }

  @Test("changing the passcode")
  func changePasscode() throws {
    let device = try SimulatedDevice.withPasscodeAndTPM()
    let tpm = try #require(device.platform.tpm)
    try stopEverywhere(subject(device, tpm), on: tpm) {
      try $0.send(
        ReplacePasscode(current: secret(SimulatedDevice.passcode), replacement: secret("rose 7")))
    }
  }

  @Test("a wrong passcode, and the right one behind it")
  func passcodes() throws {
    let device = try SimulatedDevice.withPasscodeAndTPM()
    let tpm = try #require(device.platform.tpm)
    try stopEverywhere(subject(device, tpm), on: tpm, isUnlocked: false) { device in
      try device.openContext(1)
      let wrong = try device.failure(
        VerifyPasscode(context: 1, unlocksDevice: false, passcode: secret("wrong")))
      guard wrong == .authenticationFailed else { throw Failure(.engineFailed, "stopped") }
      try device.unlock()
    }
  }

  @Test("removing the passcode")
  func removePasscode() throws {
    let device = try SimulatedDevice.withPasscodeAndTPM()
    let tpm = try #require(device.platform.tpm)
    try stopEverywhere(subject(device, tpm), on: tpm) {
      try $0.send(ErasePasscode(current: secret(SimulatedDevice.passcode)))
    }
  }

  @Test("moving the root key into the TPM")
  func moveIntoTPM() throws {
    let device = try SimulatedDevice.withPasscode()
    let tpm = try SoftwareTPM()
    try stopEverywhere(subject(device, tpm), on: tpm) { try $0.move(to: .tpm) }
  }

  @Test("moving the root key out of the TPM")
  func moveOutOfTPM() throws {
    let device = try SimulatedDevice.withPasscodeAndTPM()
    let tpm = try #require(device.platform.tpm)
    try stopEverywhere(subject(device, tpm), on: tpm) { try $0.move(to: .file) }
  }
}
