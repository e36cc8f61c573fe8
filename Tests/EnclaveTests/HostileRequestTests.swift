import Protocol
import SyntheticPrints
import Testing

@testable import EnclaveEngine

@Suite("Hostile requests")
struct HostileRequestTests {
  /// One whole request of each kind.
  private func samples() throws -> [[UInt8]] {
    let protection = try SimulatedDevice.protection(
      .whenUnlockedThisDeviceOnly, access: "biometry-current or passcode")
    let entry = AttributesEntry(accessibility: .whenUnlocked, identity: [1], bytes: [2, 3])
    let blank = SimulatedPrint.blank.frame(channel: 1, session: 1)
    return [
      bytes(GetEnclaveStatus()), bytes(LockDevice()), bytes(UnlockWithMatch(context: 1)),
      bytes(OpenContext(context: 1)), bytes(CloseContext(context: 1)),
      bytes(CloseContexts(of: requester)), bytes(ForgetEvidence(context: contextName(1))),
      bytes(GetContextEvidence(context: 1)), bytes(SetPasscode(passcode: secret("abcd"))),
      bytes(VerifyPasscode(context: 1, unlocksDevice: true, passcode: secret("a"))),
      bytes(ReplacePasscode(current: secret("a"), replacement: secret("b"))),
      bytes(ErasePasscode(current: secret("a"))),
      bytes(MoveRootKey(to: .tpm, passcode: secret("a"))), bytes(SetStateAside()),
      bytes(OpenChannel(channel: 1, isSynthetic: true)),
      bytes(CloseChannel(channel: 1)), bytes(BeginMatch(session: 1, channel: 1, context: 1)),
      bytes(BeginEnrollment(session: 1, channel: 1, context: 1, name: "n")),
      bytes(CommitEnrollment(session: 1)), bytes(EndSession(session: 1)),
      bytes(AwaitTouch(session: 1)),
      application(ListFingers()), application(RenameFinger(finger: "a", name: "b")),
      application(RemoveFinger(finger: "a")), application(LockDevice()),
      application(ChangeSettings(lockRule: .minutes(0), eraseAfter: 1)),
      keychain(
        OwnedSealItem(
          protection: protection, names: [[1], []], attributes: [2], secret: secret("s"))),
      keychain(OpenItem(protection: protection, sealed: [1, 2, 3])),
      keychain(SealAttributes(entries: [entry])), keychain(OpenAttributes(entries: [entry])),
      keychain(
        OpenItemWithAttributes(
          item: OpenItem(protection: protection, sealed: [1, 2, 3]), attributes: entry)),
      keychain(HashAttributes(values: [[1], []])), bytes(blank),
      bytes(SensorRetry(channel: 1, session: 1, reason: 2)),
      bytes(SensorEnd(channel: 1, session: 1, status: 100, message: "m")),
    ]
  }

  private func bytes(_ message: borrowing some WireMessage & ~Copyable) -> [UInt8] {
    array(message.encoded())
  }

  private func application(_ message: borrowing some EngineMessage & ~Copyable) -> [UInt8] {
    array(SimulatedDevice.envelope(message, 1))
  }

  private func keychain(_ message: borrowing some SealingMessage & ~Copyable) -> [UInt8] {
    array(SimulatedDevice.envelope(message, 1))
  }

  private func array(_ bytes: borrowing SecretBytes) -> [UInt8] {
    bytes.bytes.indices.map { bytes.bytes[$0] }
  }

  /// Whether the enclave refused bytes as no request, and answers afterwards as if nothing had
  /// been.
  private func isUnreadable(_ request: [UInt8], _ device: SimulatedDevice) throws -> Bool {
    let reply = device.reply(to: request)
    guard reply.first == Failure.number else { return false }
    return try Failure.decode(reply.span).code == .coreFailed
  }

  @Test("a request cut anywhere, or with a byte too many, is refused and changes nothing")
  func truncated() throws {
    let device = try EnrolledDevice.unlocked()
    let (status, writes) = (try device.status, device.platform.writes)
    for sample in try samples() {
      let offsets =
        sample.count > 400
        ? Array(stride(from: 0, to: sample.count, by: 97)) : Array(0..<sample.count)
      for count in offsets {
        #expect(try isUnreadable(Array(sample[..<count]), device), "\(sample[0]) cut at \(count)")
      }
      #expect(try isUnreadable(sample + [0], device), "\(sample[0]) extended")
    }
    #expect(try device.status == status)
    #expect(device.platform.writes == writes)
  }

  @Test("numbers that are no request are refused")
  func unknownNumbers() throws {
    let device = SimulatedDevice()
    let known = Set(try samples().map { $0[0] })
    for number in UInt8.min...UInt8.max where !known.contains(number) {
      #expect(try isUnreadable([number], device), "\(number)")
    }
  }

  @Test("samples with any byte changed never end the enclave", arguments: 0..<4)
  func mutated(round: Int) throws {
    let device = try EnrolledDevice.unlocked()
    var random = RandomNumbers(seed: UInt64(round))
    for sample in try samples() where sample.count < 400 {
      for index in sample.indices {
        var changed = sample
        changed[index] = UInt8.random(in: 0...255, using: &random)
        #expect(!device.reply(to: changed).isEmpty)
      }
    }
    _ = try device.status
  }

  @Test("random bytes of any length never end the enclave", arguments: 0..<4)
  func random(round: Int) throws {
    let device = try EnrolledDevice.unlocked()
    var random = RandomNumbers(seed: UInt64(100 + round))
    let numbers = try samples().map { $0[0] }
    for _ in 0..<2000 {
      var request = (0..<Int.random(in: 0...80, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if !request.isEmpty { request[0] = numbers.randomElement(using: &random) ?? 0 }
      #expect(!device.reply(to: request).isEmpty)
    }
    _ = try device.status
  }

  @Test("a frame of 1 × 1, of 4096 × 1 and of noise is answered and never taken for a finger")
  func oddFrames() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    var random = RandomNumbers(seed: 77)
    for (width, height, ppi) in [(1, 1, 100), (4096, 1, 2000), (1, 4096, 100), (200, 200, 500)] {
      let pixels = (0..<width * height).map { _ in UInt8.random(in: 0...255, using: &random) }
      try device.send(AwaitTouch(session: session))
      try device.send(
        SensorFrame(
          channel: 1, session: session, width: UInt32(width), height: UInt32(height),
          pixelsPerInch: UInt32(ppi), pixels: pixels))
      let outcome = device.platform.events.last?.outcome
      #expect(outcome?.isMatch == false)
    }
    #expect(try device.evidence(of: 1).isEmpty)
  }

  @Test("E6: no message gives templates or frames away: replies stay small whatever is asked")
  func nothingLeaks() throws {
    let device = try EnrolledDevice.unlocked()
    for sample in try samples() { #expect(device.reply(to: sample).count < 1024) }
  }
}

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
        OpenItemWithAttributes.number, NoteKeychain.number, RequirePresence.number,
        SealForBackup.number, OpenFromBackup.number, SealFromBackup.number, OpenBackupEnd.number,
        SealItems.number, SealCertificates.number, OpenCertificates.number,
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
      OpenCertificates.number, NoteKeychain.number,
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
