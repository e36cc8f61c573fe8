import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Messages in envelopes")
struct EnvelopeTests {
  /// The numbers that are understood, of all 256, with nothing behind them.
  private func understood(_ envelope: ([UInt8]) -> SecretBytes) throws -> [UInt8] {
    let device = try EnrolledDevice.unlocked()
    return try (0...255).map { UInt8($0) }.filter { number in
      let reply = device.engine.handle(envelope([number]).bytes)
      guard reply.bytes[0] == Failure.number else { return true }
      let failure = try Failure.decode(reply.bytes)
      return failure.code != .coreFailed || !failure.message.contains("unknownMessage")
    }
  }

  @Test("E4, L7: of all messages an application may send the enclave takes ten")
  func fromApplications() throws {
    let numbers = try understood {
      ApplicationRequest.encoded(context: contextName(1), message: SecretBytes(copying: $0.span))
    }
    #expect(
      numbers == [
        ListFingers.number, RenameFinger.number, RemoveFinger.number, GiveAppPassword.number,
        LockDevice.number, GiveBackupKey.number, EndBackup.number, RequirePasscode.number,
        RequireAccess.number, ChangeSettings.number,
      ])
  }

  @Test("E1: of all messages a keychain may send the enclave takes those about items and keys")
  func fromTheKeychain() throws {
    let numbers = try understood {
      KeychainRequest.encoded(context: contextName(1), message: $0.span)
    }
    #expect(
      numbers == [
        GenerateKey.number, UseSealedKey.number, ResealItem.number, SealItem.number,
        OpenItem.number, SealAttributes.number, OpenAttributes.number, HashAttributes.number,
        OpenItemWithAttributes.number, RequirePresence.number, SealForBackup.number,
        OpenFromBackup.number, SealFromBackup.number, OpenBackupEnd.number, SealItems.number,
        SealCertificates.number, OpenCertificates.number,
      ])
  }

  @Test("E1: what belongs into an envelope is refused without one, and no envelope holds another")
  func direct() throws {
    let device = try EnrolledDevice.unlocked()
    let inside: [UInt8] = [
      ListFingers.number, RenameFinger.number, RemoveFinger.number, GiveAppPassword.number,
      SealItem.number, OpenItem.number, SealAttributes.number, OpenAttributes.number,
      HashAttributes.number, OpenItemWithAttributes.number, ResealItem.number,
      GenerateKey.number, UseSealedKey.number, SealItems.number, RequirePasscode.number,
      RequireAccess.number, RequirePresence.number, ChangeSettings.number,
      GiveBackupKey.number, EndBackup.number, SealForBackup.number, OpenFromBackup.number,
      SealFromBackup.number, OpenBackupEnd.number, SealCertificates.number,
      OpenCertificates.number,
    ]
    for number in inside {
      let failure = try Failure.decode(device.reply(to: [number]).span)
      #expect(failure.message.contains("unknownMessage"), "\(number)")
    }
    let list = ApplicationRequest.encoded(context: contextName(1), message: ListFingers().encoded())
    for envelope in [
      { ApplicationRequest.encoded(context: contextName(1), message: list) },
      { KeychainRequest.encoded(context: contextName(1), message: list.bytes) },
    ] {
      let reply = device.engine.handle(envelope().bytes)
      #expect(try Failure.decode(reply.bytes).code == .coreFailed)
    }
  }

  @Test("E4: an item opens against the context of its envelope, not of another")
  func context() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    try device.openContext(2)
    let item = try device.sealed("secret", .whenUnlockedThisDeviceOnly, access: "biometry-any")
    try device.match(1, SimulatedFinger.owner.later)
    #expect(try device.open(item, context: 1) == .secret("secret"))
    #expect(try device.open(item, context: 2) == .needed("biometry-any", held: []))
    #expect(try device.open(item) == .needed("biometry-any", held: []))
    #expect(try device.open(item, context: 3) == .failed(.invalidContext))
  }
}
