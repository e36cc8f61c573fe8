import Protocol
import Testing

@testable import EnclaveEngine

/// ``EngineKit/SealItems``, where each item is as if it were alone.
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
        let stored = StoredItem(protection: protection, sealed: part.secret)
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
