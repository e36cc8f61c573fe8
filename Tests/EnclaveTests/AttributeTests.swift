import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Attributes")
struct AttributeTests {
  private let clear = Accessibility.allCases.map { accessibility in
    AttributesEntry(
      accessibility: accessibility, identity: [accessibility.rawValue],
      bytes: Array("service of \(accessibility.name)".utf8))
  }

  private func seal(_ device: SimulatedDevice) throws -> [AttributesEntry] {
    let batch = try device.ask(SealAttributes(entries: clear), for: AttributeBatch.self)
    return zip(clear, batch.results).compactMap { entry, result in
      guard case .value(let bytes) = result else { return nil }
      return AttributesEntry(
        accessibility: entry.accessibility, identity: entry.identity, bytes: bytes)
    }
  }

  private func open(
    _ device: SimulatedDevice, _ entries: [AttributesEntry]
  ) throws -> [AttributeBatch.Result] {
    try device.ask(OpenAttributes(entries: entries), for: AttributeBatch.self).results
  }

  @Test("a batch comes back as it was, in its order")
  func roundTrip() throws {
    let device = try SimulatedDevice.withPasscode()
    let sealed = try seal(device)
    #expect(try open(device, sealed) == clear.map { .value($0.bytes) })
    #expect(zip(sealed, clear).allSatisfy { $0.bytes != $1.bytes })
  }

  @Test("what is closed is told from what is damaged, entry by entry")
  func closedAndDamaged() throws {
    let device = try SimulatedDevice.withPasscode()
    var sealed = try seal(device)
    try device.send(LockDevice())
    sealed[1].flipBit()
    let results = try open(device, sealed)
    #expect(
      results == [.closed, .damaged, .closed, .closed, .value(clear[4].bytes)])
    let code = try device.failure(SealAttributes(entries: clear))
    #expect(code == .errSecInteractionNotAllowed)
  }

  @Test("attributes open only for the item and the class they were sealed for")
  func authenticated() throws {
    let device = try SimulatedDevice.withPasscode()
    let sealed = try seal(device)[0]
    let other = AttributesEntry(
      accessibility: sealed.accessibility, identity: [99], bytes: sealed.bytes)
    let closer = AttributesEntry(
      accessibility: .afterFirstUnlock, identity: sealed.identity, bytes: sealed.bytes)
    #expect(try open(device, [other, closer]) == [.damaged, .damaged])
  }

  @Test("before first unlock all are closed, yet hashes are the same as ever")
  func hashes() throws {
    let device = try SimulatedDevice.withPasscode()
    let sealed = try seal(device)
    let request = HashAttributes(values: [[1], [2], [1], []])
    let before = try device.ask(request, for: AttributeBatch.self)
    device.restart()
    #expect(try open(device, sealed).allSatisfy { $0 == .closed })
    let after = try device.ask(request, for: AttributeBatch.self)
    #expect(before == after)
    #expect(before.results[0] == before.results[2])
    #expect(Set(before.results.map { "\($0)" }).count == 3)
  }

  @Test("hashes of one device are not those of another")
  func hashesAreKeyed() throws {
    let request = HashAttributes(values: [[1]])
    let one = try SimulatedDevice().ask(request, for: AttributeBatch.self)
    let other = try SimulatedDevice(SimulatedPlatform(seed: 5)).ask(
      request, for: AttributeBatch.self)
    #expect(one != other)
  }

  @Test("without a passcode the when-passcode-set class seals nothing, and what it held is damaged")
  func withoutPasscode() throws {
    let device = try SimulatedDevice.withPasscode()
    let sealed = try seal(device)
    try device.send(ErasePasscode(current: secret(SimulatedDevice.passcode)))
    #expect(try open(device, sealed)[2] == .damaged)
    #expect(try device.failure(SealAttributes(entries: clear)) == .passcodeNotSet)
  }

  @Test("attributes longer than the limit are refused by size")
  func tooLong() throws {
    let entry = AttributesEntry(
      accessibility: .whenUnlocked, identity: [],
      bytes: [UInt8](repeating: 0, count: largestAttributes + 1))
    #expect(try SimulatedDevice().failure(SealAttributes(entries: [entry])) == .errSecParam)
  }

  @Test("a certificate is sealed as attributes are, and neither opens as the other")
  func certificates() throws {
    let device = try SimulatedDevice.withPasscode()
    func entry(_ bytes: [UInt8]) -> AttributesEntry {
      AttributesEntry(accessibility: .afterFirstUnlock, identity: [7], bytes: bytes)
    }
    func sealed(_ batch: AttributeBatch) throws -> AttributesEntry {
      guard case .value(let bytes) = batch.results.first else { throw Failure.passcodeNotSet }
      return entry(bytes)
    }
    let largest = [UInt8](repeating: 3, count: largestCertificate)
    let certificate = try sealed(
      device.ask(
        SealCertificates(entries: [entry(largest)]), for: AttributeBatch.self))
    let attributes = try sealed(
      device.ask(SealAttributes(entries: [entry([4])]), for: AttributeBatch.self))
    func open(_ entries: [AttributesEntry]) throws -> [AttributeBatch.Result] {
      try device.ask(OpenCertificates(entries: entries), for: AttributeBatch.self).results
    }
    #expect(try open([certificate, attributes]) == [.value(largest), .damaged])
    #expect(try self.open(device, [certificate, attributes]) == [.damaged, .value([4])])
    #expect(try device.failure(SealCertificates(entries: [entry(largest + [3])])) == .errSecParam)
    device.restart()
    #expect(try open([certificate]) == [.closed])
  }
}

extension AttributesEntry {
  fileprivate mutating func flipBit() {
    var bytes = bytes
    bytes[bytes.count / 2] ^= 1
    self = AttributesEntry(accessibility: accessibility, identity: identity, bytes: bytes)
  }
}
