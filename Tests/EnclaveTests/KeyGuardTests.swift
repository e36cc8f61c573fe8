import Protocol
import Testing

@testable import EnclaveEngine

/// What guards the uses of a private key, and when a key is gone.
@Suite("What guards private keys", .timeLimit(.minutes(60)))
struct KeyGuardTests {
  /// Uses a key in each way. Whether all were permitted, or nil if they differ.
  private func isPermitted(
    _ key: StoredKey, by device: SimulatedDevice, context: UInt64 = 7000
  ) throws -> Bool? {
    let answers = try KeyOperation.allCases.map { operation in
      if case .output = try device.use(
        key, operation, on: key.input(for: operation), context: context)
      {
        true
      } else {
        false
      }
    }
    return Set(answers).count == 1 ? answers[0] : nil
  }

  @Test(
    "A3 E4: signing, decrypting and agreeing take the evidence that the key asks for, and no less",
    arguments: AccessControlTests.table)
  func evidence(access: String, opening: [AccessControlTests.Proof]) throws {
    let device = try EnrolledDevice.unlocked()
    let key = try device.generated(access: access)
    for proof in AccessControlTests.Proof.allCases {
      try device.openContext(7000)
      if proof.set.contains(.passcode) { try device.givePasscode() }
      if proof.set.contains(.biometry) { try device.match(7000, SimulatedFinger.owner.later) }
      #expect(
        try isPermitted(key, by: device) == opening.contains(proof), "\(access) with \(proof)")
      #expect(try isPermitted(key, by: device, context: noContext) == false)
    }
  }

  @Test("E4: what was proved in one context permits no use in another, nor after a lock")
  func oneContext() throws {
    let device = try EnrolledDevice.unlocked()
    let key = try device.generated(.afterFirstUnlockThisDeviceOnly, access: "biometry-any")
    try device.openContext(1)
    try device.openContext(2)
    try device.match(1, SimulatedFinger.owner.later)
    #expect(try key.signed(device.use(key, context: 1)))
    #expect(try device.use(key, context: 2) == .needed("biometry-any", held: []))
    #expect(try device.use(key, context: 99) == .failed(.invalidContext))
    try device.send(LockDevice())
    #expect(try device.use(key, context: 1) == .needed("biometry-any", held: []))
  }

  @Test("X8 E2: a proof in a door's context serves one use, and more of one reusable key alone")
  func doors() throws {
    let device = try EnrolledDevice.unlocked()
    let key = try device.generated(access: "presence")
    let (reusable, other) = (
      try device.generated(access: "presence", additions: .reusable),
      try device.generated(access: "presence", additions: .reusable)
    )
    let item = try device.sealed("gold", .whenUnlockedThisDeviceOnly, access: "presence")
    let needed = KeyOutcome.needed("presence", held: [])
    try device.send(
      OpenContext(context: contextName(1), outlivesRequest: true, isDoor: true))
    #expect(try device.use(reusable, context: 1) == needed)
    // Each use takes a proof of its own,
    try device.match(1, SimulatedFinger.owner.later)
    #expect(try key.signed(device.use(key, context: 1)))
    #expect(try device.use(key, context: 1) == needed)
    // also the one that served a reusable key or an item before.
    try device.match(1, SimulatedFinger.owner.later)
    for _ in 0..<3 { #expect(try reusable.signed(device.use(reusable, context: 1))) }
    #expect(try device.use(key, context: 1) == needed)
    #expect(try device.use(reusable, context: 1) == needed)
    try device.send(
      VerifyPasscode(context: 1, unlocksDevice: false, passcode: secret(SimulatedDevice.passcode)))
    #expect(try device.open(item, context: 1) == .secret("gold"))
    #expect(try device.use(key, context: 1) == needed)
    // FINDINGS A4: nor does it open a second item, or serve a second reusable key.
    try device.match(1, SimulatedFinger.owner.later)
    #expect(try device.open(item, context: 1) == .secret("gold"))
    #expect(try device.open(item, context: 1) == .needed("presence", held: []))
    try device.match(1, SimulatedFinger.owner.later)
    #expect(try reusable.signed(device.use(reusable, context: 1)))
    #expect(try device.use(other, context: 1) == needed)
  }

  @Test("K6 A5: a key is there while its class is open")
  func classes() throws {
    let device = try EnrolledDevice.unlocked()
    let closing = try [Accessibility.whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly]
      .map { try device.generated($0) }
    let staying = try device.generated(.afterFirstUnlockThisDeviceOnly)
    try device.send(LockDevice())
    for key in closing {
      #expect(try device.use(key) == .failed(.errSecInteractionNotAllowed))
    }
    #expect(try staying.signed(device.use(staying)))
    #expect(
      try device.generatingFailure(.whenUnlockedThisDeviceOnly) == .errSecInteractionNotAllowed)
    device.restart()
    for key in closing + [staying] {
      #expect(try device.use(key) == .failed(.errSecInteractionNotAllowed))
    }
    try device.unlock()
    for key in closing + [staying] { #expect(try key.signed(device.use(key))) }
  }

  @Test("A9: no key is made in a class that may leave the device, nor without what guards it")
  func whatCanBeMade() throws {
    let device = SimulatedDevice()
    for accessibility in [Accessibility.whenUnlocked, .afterFirstUnlock] {
      #expect(try device.generatingFailure(accessibility) == .errSecParam)
    }
    #expect(try device.generatingFailure(.whenPasscodeSetThisDeviceOnly) == .passcodeNotSet)
    #expect(
      try device.generatingFailure(.whenUnlockedThisDeviceOnly, access: "presence")
        == .passcodeNotSet)
    let key = try device.generated()
    #expect(try key.signed(device.use(key)))
    try device.setPasscode()
    #expect(try key.signed(device.use(key)), "a passcode takes nothing away")
    for access in ["biometry-any", "biometry-current or passcode"] {
      #expect(
        try device.generatingFailure(.whenUnlockedThisDeviceOnly, access: access)
          == .biometryNotEnrolled)
    }
  }

  @Test("A9: removing the passcode destroys the keys that depend on it")
  func passcodeRemoved() throws {
    let device = try EnrolledDevice.unlocked()
    let gone = [
      try device.generated(.whenPasscodeSetThisDeviceOnly),
      try device.generated(access: "passcode"),
      try device.generated(.afterFirstUnlockThisDeviceOnly, access: "presence"),
    ]
    let kept = try device.generated()
    try device.send(ErasePasscode(current: secret(SimulatedDevice.passcode)))
    for key in gone { #expect(try device.use(key) == .failed(.errSecDecode)) }
    #expect(try kept.signed(device.use(kept)))
    try device.setPasscode()
    try device.givePasscode()
    for key in gone { #expect(try device.use(key, context: 7000) == .failed(.errSecDecode)) }
  }

  @Test("A2: a key bound to the set of fingers is gone when that changes, but for its other branch")
  func fingersChanged() throws {
    let device = try EnrolledDevice.unlocked()
    let bound = try device.generated(access: "biometry-current")
    let both = try device.generated(access: "biometry-current and passcode")
    let either = try device.generated(access: "biometry-current or passcode")
    try device.enroll(.ownersOther, name: "left")
    try device.openContext(7000)
    try device.match(7000, SimulatedFinger.owner.later)
    #expect(try device.use(bound, context: 7000) == .failed(.errSecAuthFailed))
    #expect(try device.use(both, context: 7000) == .failed(.errSecAuthFailed))
    #expect(try device.use(either, context: 7000) == .needed("passcode", held: .biometry))
    try device.givePasscode()
    #expect(try either.signed(device.use(either, context: 7000)))
    #expect(try device.use(bound, context: 7000) == .failed(.errSecAuthFailed))
  }

  @Test("A1: an application password enters the key: missing, wrong and right are told apart")
  func applicationPassword() throws {
    let device = try EnrolledDevice.unlocked()
    func give(_ password: String, for use: AppPasswordUse, context: UInt64) throws {
      try device.openContext(context)
      try device.send(GiveAppPassword(use: use, password: secret(password)), in: context)
    }
    #expect(
      try device.generatingFailure(.whenUnlockedThisDeviceOnly, access: "app-password")
        != nil)
    try give("apple", for: .sealing, context: 9)
    let key = try device.generated(access: "app-password", context: 9)
    try device.openContext(1)
    #expect(try device.use(key, context: 1) == .needed("app-password", held: []))
    try give("pear", for: .opening, context: 1)
    #expect(try device.use(key, context: 1) == .failed(.errSecAuthFailed))
    try give("apple", for: .opening, context: 1)
    #expect(try isPermitted(key, by: device, context: 1) == true)
  }

  @Test("E1: an old keybag put back uses no key that was made since")
  func oldKeybag() throws {
    let device = try EnrolledDevice.unlocked()
    let old = device.platform.files
    let older = try device.generated()
    try device.send(
      ReplacePasscode(current: secret(SimulatedDevice.passcode), replacement: secret("rose 7")))
    let newer = try device.generated()
    for name in ["keybag", "finger-1"] { device.platform.files[name] = old[name] }
    device.restart()
    try device.unlock()
    #expect(try older.signed(device.use(older)))
    #expect(try device.use(newer) == .failed(.stateDamaged))
  }
}
