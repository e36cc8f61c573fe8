import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Parts of what is sealed")
struct SealedPartsTests {
  private func item(_ device: SimulatedDevice, _ identity: UInt8) throws -> StoredItem {
    let protection = try SimulatedDevice.protection(
      .whenUnlocked, access: nil, identity: [identity])
    let sealed = try device.ask(
      OwnedSealItem(
        protection: protection, names: [], attributes: [], secret: secret("secret \(identity)")),
      for: SealedItem.self)
    return StoredItem(protection: protection, sealed: sealed.sealedSecret)
  }

  @Test("E1: parts of two sealed items do not fit together, whichever come from which")
  func swapped() throws {
    let device = try SimulatedDevice.withPasscode()
    let (first, second) = (try item(device, 1), try item(device, 2))
    let (one, two) = (
      try SealedSecretRecord(decoding: first.sealed),
      try SealedSecretRecord(decoding: second.sealed)
    )
    for key in [one, two] {
      for secret in [one, two] {
        let joined = SealedSecretRecord(
          mark: one.mark, domainState: one.domainState, wrappedKey: key.wrappedKey,
          sealedSecret: secret.sealedSecret)
        let isWhole = key == one && secret == one
        let stored = StoredItem(protection: first.protection, sealed: joined.encoded())
        #expect(try device.open(stored) == (isWhole ? .secret("secret 1") : .failed(.errSecDecode)))
      }
    }
    // Nor do those of one item that was sealed twice.
    let again = try SealedSecretRecord(decoding: item(device, 1).sealed)
    let mixed = SealedSecretRecord(
      mark: one.mark, domainState: one.domainState, wrappedKey: one.wrappedKey,
      sealedSecret: again.sealedSecret)
    let stored = StoredItem(protection: first.protection, sealed: mixed.encoded())
    #expect(try device.open(stored) == .failed(.errSecDecode))
  }

  @Test("an item that says that it is of another version is damaged, whatever version that is")
  func otherVersions() throws {
    let device = try SimulatedDevice.withPasscode()
    var stored = try item(device, 1)
    let own = stored.sealed[0]
    for version in UInt8.min...UInt8.max {
      stored.sealed[0] = version
      #expect(
        try device.open(stored)
          == (version == own ? .secret("secret 1") : .failed(.errSecDecode)), "\(version)")
    }
    #expect(try device.status.isRollbackDetected == false)
  }

  @Test("attributes that were cut anywhere, or changed in any bit, are damaged")
  func attributes() throws {
    let device = try SimulatedDevice.withPasscode()
    func entry(_ bytes: [UInt8]) -> AttributesEntry {
      AttributesEntry(accessibility: .whenUnlocked, identity: [5], bytes: bytes)
    }
    let batch = try device.ask(
      SealAttributes(entries: [entry([1, 2, 3])]), for: AttributeBatch.self)
    guard case .value(let sealed) = batch.results.first else {
      Issue.record("no attributes")
      return
    }
    var damaged = sealed.indices.map { Array(sealed[..<$0]) } + [sealed + [0]]
    for bit in 0..<sealed.count * 8 {
      var changed = sealed
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      damaged.append(changed)
    }
    let opened = try device.ask(
      OpenAttributes(entries: damaged.map(entry) + [entry(sealed)]), for: AttributeBatch.self)
    #expect(opened.results.dropLast().allSatisfy { $0 == .damaged })
    #expect(opened.results.last == .value([1, 2, 3]))
    #expect(try device.status.isRollbackDetected == false)
  }

  @Test("a secret of one byte more than the largest is refused, and nothing is stored")
  func tooLong() throws {
    let device = SimulatedDevice()
    let writes = device.platform.writes
    let message = OwnedSealItem(
      protection: try SimulatedDevice.protection(.whenUnlocked, access: nil), names: [],
      attributes: [], secret: secret(String(repeating: "s", count: largestItemSecret + 1)))
    #expect(try device.failure(message) != nil)
    #expect(device.platform.writes == writes)
  }
}

/// ``Protocol/SealItems``: each item is sealed as if it were alone.
@Suite("Several items, sealed")
struct SeveralItemsTests {
  private func item(
    _ identity: UInt8, _ secret: String, access: String? = nil
  ) throws -> SealItems.Item {
    .init(
      protection: try SimulatedDevice.protection(
        access == nil ? .whenUnlocked : .whenUnlockedThisDeviceOnly, access: access,
        identity: [identity]), names: [[7], [identity]], attributes: [identity],
      secretCount: UInt32(secret.utf8.count))
  }

  private func seal(
    _ items: [SealItems.Item], _ secrets: String, by device: SimulatedDevice
  ) throws -> SealedItems {
    let message = SealItems(names: [[9]], items: items, secrets: Array(secrets.utf8).span).encoded()
    let reply = device.engine.handle(
      KeychainRequest.encoded(context: contextName(noContext), message: message.bytes).bytes)
    return try SealedItems.decode(reply.bytes)
  }

  @Test("E3: each item opens with its own secret, under its own identity and no other")
  func each() throws {
    let device = try SimulatedDevice.withPasscode()
    let items = [try item(1, "one"), try item(2, ""), try item(3, "three")]
    let sealed = try seal(items, "onethree", by: device)
    #expect(sealed.hashes.count == 1 && sealed.results.count == 3)
    for (index, secret) in ["one", "", "three"].enumerated() {
      guard case .sealed(let part) = sealed.results[index] else {
        Issue.record("item \(index) was not sealed")
        continue
      }
      #expect(part.hashes.count == 2)
      for (other, item) in items.enumerated() {
        let protection = ItemProtection(
          accessibility: item.protection.accessibility, accessControl: nil,
          identity: item.protection.identity + (part.hashes.first ?? []))
        let stored = StoredItem(protection: protection, sealed: part.sealedSecret)
        #expect(
          try device.open(stored) == (other == index ? .secret(secret) : .failed(.errSecDecode)))
      }
    }
  }

  @Test("A3: an item that cannot be guarded as it asks is not sealed, and hinders no other")
  func oneFails() throws {
    let device = try SimulatedDevice.withPasscode()
    let sealed = try seal(
      [try item(1, "one"), try item(2, "two", access: "biometry-any"), try item(3, "three")],
      "onetwothree", by: device)
    var failures: [FailureCode?] = []
    for result in sealed.results {
      if case .failed(let failure) = result {
        failures.append(failure.code)
      } else {
        failures.append(nil)
      }
    }
    #expect(failures == [nil, .biometryNotEnrolled, nil])
  }

  @Test("secrets that are not as long as the items say are refused altogether")
  func lengths() throws {
    let items = [try item(1, "one"), try item(2, "two")]
    for secrets in ["onetw", "onetwoo", ""] {
      let message = SealItems(names: [], items: items, secrets: Array(secrets.utf8).span).encoded()
      #expect(throws: DecodeError.invalidValue(field: "the secrets of several items")) {
        _ = try SealItems(decoding: message.bytes)
      }
    }
  }
}
