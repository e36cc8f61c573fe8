import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Sealing and opening")
struct SealingTests {
  @Test("E1, E3: what was sealed opens in the enclave, in every class, also after a restart")
  func roundTrip() throws {
    let device = try SimulatedDevice.withPasscode()
    let items = try Accessibility.allCases.map { try device.sealed("a secret", $0) }
    for item in items { #expect(try device.open(item) == .secret("a secret")) }
    device.restart()
    try device.unlock()
    for item in items { #expect(try device.open(item) == .secret("a secret")) }
  }

  @Test("without a passcode items are sealed and open at once after a start")
  func withoutPasscode() throws {
    let device = SimulatedDevice()
    let item = try device.sealed("a secret")
    device.restart()
    #expect(try device.open(item) == .secret("a secret"))
  }

  @Test("items sealed before the passcode was set open after it was set, changed and removed")
  func acrossPasscodes() throws {
    let device = SimulatedDevice()
    let item = try device.sealed("a secret")
    try device.setPasscode()
    #expect(try device.open(item) == .secret("a secret"))
    try device.send(
      ReplacePasscode(current: secret(SimulatedDevice.passcode), replacement: secret("rose 7")))
    #expect(try device.open(item) == .secret("a secret"))
    try device.send(ErasePasscode(current: secret("rose 7")))
    device.restart()
    #expect(try device.open(item) == .secret("a secret"))
  }

  @Test("A1: an item opens only under the protection and identity it was sealed with")
  func authenticated() throws {
    let device = try EnrolledDevice.unlocked()
    let item = try device.sealed("a secret", .whenUnlockedThisDeviceOnly, access: "passcode")
    let others = [
      try SimulatedDevice.protection(.whenUnlockedThisDeviceOnly, access: nil),
      try SimulatedDevice.protection(.whenUnlockedThisDeviceOnly, access: "presence"),
      try SimulatedDevice.protection(.afterFirstUnlockThisDeviceOnly, access: "passcode"),
      try SimulatedDevice.protection(
        .whenUnlockedThisDeviceOnly, access: "passcode", identity: [1, 2, 4]),
      try SimulatedDevice.protection(
        .whenUnlockedThisDeviceOnly, access: "passcode or biometry-any"),
    ]
    try device.givePasscode()
    for protection in others {
      let forged = StoredItem(protection: protection, sealed: item.sealed)
      #expect(try device.open(forged, context: 7000) == .failed(.errSecDecode))
    }
    #expect(try device.open(item, context: 7000) == .secret("a secret"))
  }

  @Test("every flipped bit and every cut of a sealed item is refused as damaged")
  func damagedItems() throws {
    let device = SimulatedDevice()
    let item = try device.sealed("a secret")
    var damaged = item
    for bit in 0..<item.sealed.count * 8 {
      damaged.sealed = item.sealed
      damaged.sealed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(try device.open(damaged) == .failed(.errSecDecode), "bit \(bit)")
    }
    for count in 0..<item.sealed.count {
      damaged.sealed = Array(item.sealed[..<count])
      #expect(try device.open(damaged) == .failed(.errSecDecode), "cut at \(count)")
    }
  }

  @Test("another device opens nothing, whatever its passcode is (K5)")
  func otherDevice() throws {
    let device = try SimulatedDevice.withPasscode()
    let item = try device.sealed("a secret")
    let other = SimulatedDevice(SimulatedPlatform(seed: 5))
    try other.setPasscode()
    #expect(try other.open(item) == .failed(.errSecDecode))
  }

  @Test("secrets from nothing to the largest come back, and their sealed length hides theirs")
  func sizes() throws {
    let device = SimulatedDevice()
    for count in [0, 1, 27, 28, 29, 1000, largestItemSecret] {
      let text = String(repeating: "s", count: count)
      #expect(try device.open(device.sealed(text)) == .secret(text))
    }
    let lengths = try Set(
      (0...28).map { count in
        try device.sealed(String(repeating: "s", count: count)).sealed.count
      })
    #expect(lengths.count == 1)
  }

  @Test("the same secret is sealed differently each time")
  func fresh() throws {
    let device = SimulatedDevice()
    let sealed = try (0..<20).map { _ in try device.sealed("same").sealed }
    #expect(Set(sealed).count == 20)
  }

  @Test("what needs a passcode cannot be sealed without one")
  func needsPasscode() throws {
    let device = SimulatedDevice()
    #expect(try device.sealingFailure(.whenPasscodeSetThisDeviceOnly) == .passcodeNotSet)
    #expect(
      try device.sealingFailure(.whenUnlockedThisDeviceOnly, access: "presence")
        == .passcodeNotSet)
  }

  @Test("A9: access control with a class that may leave the device is refused")
  func deviceOnly() throws {
    let device = try EnrolledDevice.unlocked()
    for accessibility in [Accessibility.whenUnlocked, .afterFirstUnlock] {
      #expect(try device.sealingFailure(accessibility, access: "presence") == .errSecParam)
    }
  }

  @Test("biometry constraints need an enrolled finger; access control needs an unlocked device")
  func sealingNeeds() throws {
    let device = try SimulatedDevice.withPasscode()
    for access in ["biometry-any", "biometry-current", "biometry-any or passcode"] {
      let code = try device.sealingFailure(.whenUnlockedThisDeviceOnly, access: access)
      #expect(code == .biometryNotEnrolled)
    }
    try device.send(LockDevice())
    for accessibility in Accessibility.allCases where accessibility.isThisDeviceOnly {
      let code = try device.sealingFailure(accessibility, access: "presence")
      #expect(code == .errSecInteractionNotAllowed)
    }
  }

  @Test("E1, K2: an item is sealed with its names and attributes, all for its application alone")
  func wholeItem() throws {
    let device = try EnrolledDevice.unlocked()
    let protection = try SimulatedDevice.protection(
      .whenUnlockedThisDeviceOnly, access: "passcode", identity: [1, 2])
    let names: [[UInt8]] = [[7], [8], []]
    let sealed = try device.ask(
      OwnedSealItem(
        protection: protection, names: names, attributes: [9, 9], secret: secret("a secret")),
      for: SealedItem.self)
    let hashes = try device.ask(HashAttributes(values: names), for: AttributeBatch.self)
    #expect(hashes == AttributeBatch(values: sealed.hashes))
    try device.givePasscode()
    for (identity, isItsOwn) in [
      ([1, 2] + sealed.hashes[0], true), ([1, 2], false), ([1, 2] + sealed.hashes[1], false),
    ] {
      let batch = try device.ask(
        OpenAttributes(entries: [
          AttributesEntry(
            accessibility: protection.accessibility, identity: identity, bytes: sealed.attributes)
        ]), for: AttributeBatch.self)
      #expect(batch.results == [isItsOwn ? .value([9, 9]) : .damaged])
      let item = StoredItem(
        protection: ItemProtection(
          accessibility: protection.accessibility, accessControl: protection.accessControl,
          identity: identity), sealed: sealed.sealedSecret)
      #expect(
        try device.open(item, context: 7000)
          == (isItsOwn ? .secret("a secret") : .failed(.errSecDecode)))
    }
  }

  @Test("an item whose attributes are too long is not sealed, nor is one of a closed class")
  func wholeItemRefused() throws {
    let device = try SimulatedDevice.withPasscode()
    func failure(attributes count: Int) throws -> FailureCode? {
      try device.failure(
        OwnedSealItem(
          protection: SimulatedDevice.protection(.whenUnlocked, access: nil), names: [[1]],
          attributes: Array(repeating: 1, count: count), secret: secret("s")))
    }
    #expect(try failure(attributes: largestAttributes) == nil)
    #expect(try failure(attributes: largestAttributes + 1) == .errSecParam)
    try device.send(LockDevice())
    #expect(try failure(attributes: 1) == .errSecInteractionNotAllowed)
  }
}
