import Protocol
import SyntheticPrints
import Testing

@testable import EnclaveEngine

/// What the rules of ARCHITECTURE.md ("Locking", "Counting") and CLI.md say of a device with a
/// passcode and one finger, without any key.
private struct LockingModel {
  var isLocked = false
  var isFirstUnlocked = true
  var isParked = false
  var misses = 0
  /// Hours since the passcode; nil: none since the start.
  var hoursSincePasscode: Int? = 0
  var contexts: [UInt64: EvidenceSet] = [7000: .passcode]

  var mayUnlockByMatch: Bool { misses < 5 && (hoursSincePasscode ?? 49) <= 48 }
  var isArmed: Bool { isLocked ? isParked : mayUnlockByMatch }

  mutating func lock() {
    if !isLocked { isParked = mayUnlockByMatch }
    isLocked = true
    for id in contexts.keys { contexts[id] = [] }
  }

  mutating func passcode(_ id: UInt64, unlocks: Bool) -> FailureCode? {
    guard contexts[id] != nil else { return .invalidContext }
    contexts[id]?.insert(.passcode)
    misses = 0
    hoursSincePasscode = 0
    if unlocks { (isLocked, isFirstUnlocked, isParked) = (false, true, false) }
    return nil
  }

  mutating func touch(_ id: UInt64, isOwner: Bool) -> FailureCode? {
    guard contexts[id] != nil else { return .invalidContext }
    guard isFirstUnlocked, misses < 5 else { return .biometryLockout }
    if isOwner {
      misses = 0
      contexts[id]?.insert(.biometry)
    } else {
      misses += 1
      if misses == 5 { isParked = false }
    }
    return nil
  }

  mutating func unlockByMatch(_ id: UInt64) -> FailureCode? {
    guard let evidence = contexts[id] else { return .invalidContext }
    guard evidence.contains(.biometry) else { return .authenticationFailed }
    guard isLocked else { return nil }
    guard isParked else { return .biometryLockout }
    (isLocked, isParked) = (false, false)
    return nil
  }

  mutating func restart() {
    (isLocked, isFirstUnlocked, isParked) = (true, false, false)
    hoursSincePasscode = nil
    contexts = [:]
  }

  mutating func wait(hours: Int) {
    hoursSincePasscode = hoursSincePasscode.map { $0 + hours }
    // No proof counts for an hour.
    if hours > 0 { for id in contexts.keys { contexts[id] = [] } }
    if !mayUnlockByMatch { isParked = false }
  }
}

@Suite("Random walks")
struct RandomWalkTests {
  @Test("whatever happens in whatever order, the enclave does what the rules say", arguments: 0..<4)
  func walk(seed: Int) throws {
    var random = RandomNumbers(seed: UInt64(seed) + 1000)
    let device = try EnrolledDevice.unlocked()
    let plain = try device.sealed("plain")
    let guarded = try device.sealed("guarded", .whenUnlockedThisDeviceOnly, access: "presence")
    let bound = try device.sealed(
      "bound", .afterFirstUnlockThisDeviceOnly, access: "biometry-current")
    var model = LockingModel()
    for step in 0..<250 {
      let id = UInt64.random(in: 1...3, using: &random)
      try move(Int.random(in: 0..<16, using: &random), id, device, &model, &random)
      let status = try device.status
      #expect(status.isLocked == model.isLocked, "step \(step)")
      #expect(status.isFirstUnlocked == model.isFirstUnlocked, "step \(step)")
      #expect(status.misses == model.misses, "step \(step)")
      #expect(status.isBiometricUnlockArmed == model.isArmed, "step \(step)")
      #expect(
        try device.open(plain)
          == (model.isLocked ? .failed(.errSecInteractionNotAllowed) : .secret("plain")))
      guard let evidence = model.contexts[id] else {
        #expect(try device.open(guarded, context: id) == .failed(.invalidContext))
        continue
      }
      #expect(try device.evidence(of: id) == evidence, "step \(step)")
      #expect(
        try device.open(guarded, context: id)
          == (model.isLocked
            ? .failed(.errSecInteractionNotAllowed)
            : evidence.isEmpty ? .needed("presence", held: []) : .secret("guarded")))
      #expect(
        try device.open(bound, context: id)
          == (!model.isFirstUnlocked
            ? .failed(.errSecInteractionNotAllowed)
            : evidence.contains(.biometry)
              ? .secret("bound") : .needed("biometry-current", held: evidence)))
    }
  }

  private func move(
    _ move: Int, _ id: UInt64, _ device: SimulatedDevice, _ model: inout LockingModel,
    _ random: inout RandomNumbers
  ) throws {
    switch move {
    case 0:
      try device.send(LockDevice())
      model.lock()
    case 1...3:
      let unlocks = Bool.random(using: &random)
      let code = try device.failure(
        VerifyPasscode(
          context: id, unlocksDevice: unlocks, passcode: secret(SimulatedDevice.passcode)))
      #expect(code == model.passcode(id, unlocks: unlocks))
    case 4:
      let code = try device.failure(
        VerifyPasscode(context: id, unlocksDevice: true, passcode: secret("wrong")))
      #expect(code == (model.contexts[id] == nil ? .invalidContext : .authenticationFailed))
    case 5...7:
      let code = try device.failure(OpenContext(context: id))
      #expect(code == (model.contexts[id] == nil ? nil : .errSecParam))
      model.contexts[id] = model.contexts[id] ?? []
    case 8:
      try device.send(CloseContext(context: id))
      model.contexts[id] = nil
    case 9...12:
      let isOwner = Bool.random(using: &random)
      let finger = isOwner ? SimulatedFinger.owner : .stranger
      var code: FailureCode?
      do {
        let outcome = try device.match(id, finger.later)
        #expect(outcome?.isMatch == isOwner)
      } catch let failure as Failure {
        code = failure.code
      }
      #expect(code == model.touch(id, isOwner: isOwner))
    case 13:
      let code = try device.failure(UnlockWithMatch(context: id))
      #expect(code == model.unlockByMatch(id))
    case 14:
      guard Int.random(in: 0..<4, using: &random) == 0 else { return }
      device.restart()
      model.restart()
    default:
      let hours = Int.random(in: 0...20, using: &random)
      device.platform.advance(seconds: UInt64(hours) * 3600)
      model.wait(hours: hours)
    }
  }
}
