import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Sealing at its edges")
struct SealingEdgeTests {
  private func entry(
    _ bytes: [UInt8], _ accessibility: Accessibility = .whenUnlocked
  ) -> AttributesEntry {
    AttributesEntry(accessibility: accessibility, identity: [5], bytes: bytes)
  }

  private func seal(_ device: SimulatedDevice, _ bytes: [UInt8]) throws -> AttributesEntry {
    let batch = try device.ask(SealAttributes(entries: [entry(bytes)]), for: AttributeBatch.self)
    guard case .value(let sealed) = batch.results[0] else {
      throw Failure(.engineFailed, "no attributes")
    }
    return entry(sealed)
  }

  private func open(
    _ device: SimulatedDevice, _ entries: [AttributesEntry]
  ) throws -> [AttributeBatch.Result] {
    try device.ask(OpenAttributes(entries: entries), for: AttributeBatch.self).results
  }

  private func changePasscode(_ device: SimulatedDevice) throws {
    try device.send(
      ReplacePasscode(
        current: secret(SimulatedDevice.passcode), replacement: secret("rose 7")))
  }

  @Test("A3: an item bound to the fingers that were is not rewritten to those that are")
  func rewrittenDomainState() throws {
    let device = try EnrolledDevice.unlocked()
    let item = try device.sealed(
      "guarded", .whenUnlockedThisDeviceOnly, access: "biometry-current or passcode")
    try device.enroll(.ownersOther)
    let record = try SealedSecretRecord(decoding: item.sealed)
    let forged = SealedSecretRecord(
      mark: record.mark, domainState: try device.status.domainState,
      wrappedKey: record.wrappedKey, sealedSecret: record.sealedSecret)
    try device.openContext(1)
    try device.match(1, SimulatedFinger.ownersOther.later)
    #expect(try device.open(item, context: 1) == .needed("passcode", held: .biometry))
    let rewritten = StoredItem(protection: item.protection, sealed: forged.encoded())
    #expect(try device.open(rewritten, context: 1) == .failed(.errSecDecode))
  }

  @Test("a context that is not there hinders an item that asks for proof, and no other")
  func unknownContext() throws {
    let device = try EnrolledDevice.unlocked()
    let open = try device.sealed("open")
    let guarded = try device.sealed("guarded", .whenUnlockedThisDeviceOnly, access: "presence")
    #expect(try device.open(open, context: 99) == .secret("open"))
    #expect(try device.open(guarded, context: 99) == .failed(.invalidContext))
    #expect(try device.open(guarded) == .needed("presence", held: []))
    #expect(
      try device.failure(BeginEnrollment(session: 1, channel: 1, context: 99, name: ""))
        == .invalidContext)
  }

  @Test("attributes too short for a mark are damaged, whatever their length")
  func shortAttributes() throws {
    let device = try SimulatedDevice.withPasscode()
    let entries = (0...GenerationMarks.size).map { entry([UInt8](repeating: 0, count: $0)) }
    #expect(try open(device, entries).allSatisfy { $0 == .damaged })
    #expect(try device.status.isRollbackDetected == false)
  }

  @Test("attributes of the largest size are taken, and of one byte more are not")
  func largest() throws {
    let device = try SimulatedDevice.withPasscode()
    let bytes = [UInt8](repeating: 7, count: largestAttributes)
    #expect(try open(device, [seal(device, bytes)]) == [.value(bytes)])
    #expect(try device.failure(SealAttributes(entries: [entry(bytes + [7])])) == .errSecParam)
  }

  @Test("attributes of several generations of one class open in one batch")
  func severalGenerations() throws {
    let device = try SimulatedDevice.withPasscode()
    let older = try seal(device, [1])
    try changePasscode(device)
    let newer = try seal(device, [2])
    #expect(
      try open(device, [older, newer, older]) == [.value([1]), .value([2]), .value([1])])
    #expect(
      try open(device, [newer, older, newer]) == [.value([2]), .value([1]), .value([2])])
  }

  @Test("hashes of an enclave that has stored nothing yet are the same after a restart")
  func hashesPersist() throws {
    let device = SimulatedDevice()
    let hash = try device.ask(HashAttributes(values: [[1]]), for: AttributeBatch.self)
    device.restart()
    #expect(try device.ask(HashAttributes(values: [[1]]), for: AttributeBatch.self) == hash)
  }

  @Test("attributes that a new enclave seals first open after a restart")
  func attributesPersist() throws {
    let device = SimulatedDevice()
    let sealed = try seal(device, [1, 2])
    device.restart()
    #expect(try open(device, [sealed]) == [.value([1, 2])])
  }

  @Test("the keys are stored with the first item and not again with the next")
  func storedOnce() throws {
    let device = SimulatedDevice()
    _ = try device.sealed("first")
    let writes = device.platform.writes
    #expect(writes.contains("root.key") && writes.contains("keybag"))
    _ = try device.sealed("second")
    #expect(device.platform.writes == writes)
    device.restart()
    _ = try device.sealed("third")
    #expect(device.platform.writes == writes)
  }

  @Test("a sealed item with a byte too many is damaged")
  func longItem() throws {
    let device = try SimulatedDevice.withPasscode()
    var item = try device.sealed("item")
    item.sealed.append(0)
    #expect(try device.open(item) == .failed(.errSecDecode))
  }

  @Test("K6: an item whose mark is cut short is no item of an earlier version")
  func shortMark() throws {
    let record = SealedSecretRecord(
      mark: [1, 2, 3], domainState: [], wrappedKey: [4], sealedSecret: [5])
    #expect(throws: DecodeError.self) { try SealedSecretRecord(decoding: record.encoded()) }
    let unmarked = SealedSecretRecord(
      mark: [], domainState: [], wrappedKey: [4], sealedSecret: [5])
    #expect(throws: DecodeError.self) { try SealedSecretRecord(decoding: unmarked.encoded()) }
  }
}
