import Protocol
import SyntheticPrints
import Testing

@testable import EnclaveEngine

/// Evidence comes from a match or from the passcode, and from nothing that anybody can say.
@Suite("Requests and evidence")
struct EvidenceRequestTests {
  private static let context: UInt64 = 1

  /// Fields that somebody might hope for behind the context's number.
  static var bodies: [[UInt8]] {
    let context: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
    let wrong: [UInt8] = [0, 0, 0, 5] + Array("wrong".utf8)
    let name: [UInt8] = [0, 0, 0, 11] + Array("right-index".utf8)
    let score: [UInt8] = [0x40, 0x34, 0, 0, 0, 0, 0, 0]
    let claims: [[UInt8]] = [
      [], [1], [2], [3], [255], [1, 1], [3, 1] + name, [3] + name + score, [1] + name,
      [0] + wrong, [1] + wrong, wrong, name + score, score, [0, 0, 1, 44], [0, 0, 0, 1],
      [0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 1] + context, [1] + name + score + [0, 0, 0, 0],
    ]
    // The context first, or a session's and a channel's number first, which are 1 as well.
    return [[], context] + claims.map { context + $0 }
      + claims.map { [0, 0, 0, 1] + context + $0 }
  }

  private func isGivenAway(_ outcome: OpenOutcome) -> Bool {
    switch outcome {
    case .secret, .authorized: true
    case .needed(_, let held): !held.isEmpty
    case .failed: false
    }
  }

  @Test(
    "E4: there is no request by which anybody could put evidence into a context",
    arguments: Array(stride(from: 0, through: 240, by: 16)))
  func noRequestGivesEvidence(first: Int) throws {
    var random = RandomNumbers(seed: UInt64(first))
    for number in UInt8(first)...UInt8(first + 15) {
      let device = try EnrolledDevice.unlocked()
      let items = try ["passcode", "biometry-any", "presence"].map {
        try device.sealed("gold", .whenUnlockedThisDeviceOnly, access: $0)
      }
      try device.openContext(Self.context)
      // Touches may be on their way for it; none of them is the owner's.
      let session = try device.beginMatch(Self.context)
      #expect(session == 1)
      let noise = (0..<20).map { _ in
        (0..<Int.random(in: 0...60, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
      }
      for body in Self.bodies + noise.map({ [0, 0, 0, 0, 0, 0, 0, 1] + $0 }) {
        _ = device.reply(to: [number] + body)
        for item in items {
          let isOpen = isGivenAway(try device.open(item, context: Self.context))
          #expect(!isOpen, "\(number) \(body)")
        }
        // A request may have closed the context; a new one is empty.
        if try device.failure(GetContextEvidence(context: Self.context)) != nil {
          try device.openContext(Self.context)
        }
        let evidence = try device.evidence(of: Self.context)
        #expect(evidence.isEmpty, "\(number) \(body)")
      }
    }
  }

  @Test("E4: the passcode and the owner's touch are evidence, to the item that asks for them")
  func whatIsEvidence() throws {
    let device = try EnrolledDevice.unlocked()
    let byPasscode = try device.sealed("gold", .whenUnlockedThisDeviceOnly, access: "passcode")
    let byTouch = try device.sealed("gold", .whenUnlockedThisDeviceOnly, access: "biometry-any")
    try device.openContext(Self.context)
    #expect(try device.match(Self.context, SimulatedFinger.owner.later)?.isMatch == true)
    #expect(try device.evidence(of: Self.context) == .biometry)
    #expect(try device.open(byTouch, context: Self.context) == .secret("gold"))
    #expect(try device.open(byPasscode, context: Self.context) != .secret("gold"))
    try device.send(
      VerifyPasscode(
        context: Self.context, unlocksDevice: false, passcode: secret(SimulatedDevice.passcode)))
    #expect(try device.open(byPasscode, context: Self.context) == .secret("gold"))
  }
}

@Suite("Proving the passcode alone")
struct RequirePasscodeTests {
  @Test("A3: nothing but the passcode in that very context will do")
  func passcodeAlone() throws {
    let device = try EnrolledDevice.unlocked()
    #expect(try device.failure(RequirePasscode()) == .authenticationFailed)
    try device.openContext(1)
    #expect(try device.failure(RequirePasscode(), in: 1) == .authenticationFailed)
    #expect(try device.match(1, SimulatedFinger.owner.later)?.isMatch == true)
    #expect(try device.failure(RequirePasscode(), in: 1) == .authenticationFailed)
    try device.givePasscode(context: 2)
    #expect(try device.failure(RequirePasscode(), in: 2) == nil)
    #expect(try device.failure(RequirePasscode(), in: 1) == .authenticationFailed)
    try device.send(CloseContext(context: contextName(2)))
    #expect(try device.failure(RequirePasscode(), in: 2) == .authenticationFailed)
  }

  @Test("without a passcode there is none to prove")
  func noPasscode() throws {
    #expect(try SimulatedDevice().failure(RequirePasscode()) == .passcodeNotSet)
  }
}

@Suite("Proving what an access control asks for, without an item")
struct RequireAccessTests {
  @Test(
    "A1, E4: it is satisfied by what was proved in that very context, as an item's is",
    arguments: [
      ("presence", true, true), ("biometry-any", true, false), ("biometry-current", true, false),
      ("passcode", false, true), ("biometry-any or passcode", true, true),
      ("biometry-any and passcode", false, false),
    ])
  func satisfied(access: String, byMatch: Bool, byPasscode: Bool) throws {
    let device = try EnrolledDevice.unlocked()
    let message = RequireAccess(accessControl: try AccessControl(parsing: access))
    try device.openContext(1)
    try device.match(1, SimulatedFinger.owner.later)
    try device.givePasscode(context: 2)
    try device.openContext(3)
    #expect(try device.failure(message) == .authenticationFailed)
    #expect((try device.failure(message, in: 1) == nil) == byMatch)
    #expect((try device.failure(message, in: 2) == nil) == byPasscode)
    #expect(try device.failure(message, in: 3) == .authenticationFailed)
    try device.givePasscode(context: 3)
    try device.match(3, SimulatedFinger.owner.later)
    #expect(try device.failure(message, in: 3) == nil)
  }

  @Test("an application password is no presence: it is neither asked for nor does it help")
  func appPassword() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let guarded = RequireAccess(
      accessControl: try AccessControl(parsing: "presence and app-password"))
    let needed = EvidenceNeeded(accessControl: try AccessControl(.presence), held: [])
    #expect(try device.ask(guarded, for: EvidenceNeeded.self) == needed)
    try device.match(1, SimulatedFinger.owner.later)
    #expect(try device.failure(guarded, in: 1) == nil)
    let nothing = RequireAccess(
      accessControl: try AccessControl([], with: [.appPassword, .privateKeyUsage]))
    #expect(try device.failure(nothing) == nil)
    #expect(try SimulatedDevice().failure(nothing) == nil)
  }

  @Test("A4: without a passcode there is no access, and a context that is over says so")
  func refused() throws {
    let message = RequireAccess(accessControl: try AccessControl(.biometryAny))
    #expect(try SimulatedDevice().failure(message) == .passcodeNotSet)
    let device = try EnrolledDevice.unlocked()
    #expect(try device.failure(message, in: 77) == .invalidContext)
    try device.send(OpenContext(context: contextName(1), outlivesRequest: true))
    try device.match(1, SimulatedFinger.owner.later)
    try device.send(LockDevice())
    #expect(try device.failure(message, in: 1) == .invalidContext)
  }
}

@Suite("Presence for what the keychain permits")
struct PresenceTests {
  @Test("E4: the owner's presence is what was proved in the context, by finger or passcode")
  func proved() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    try device.openContext(2)
    let needed = EvidenceNeeded(accessControl: try AccessControl(.presence), held: [])
    for context in [noContext, 1, 2] {
      #expect(
        try device.ask(RequirePresence(), in: contextName(context), for: EvidenceNeeded.self)
          == needed)
    }
    try device.match(1, SimulatedFinger.owner.later)
    _ = try device.ask(RequirePresence(), in: contextName(1), for: Done.self)
    #expect(
      try device.ask(RequirePresence(), in: contextName(2), for: EvidenceNeeded.self) == needed)
    #expect(throws: Failure.self) {
      try device.ask(RequirePresence(), in: contextName(77), for: Done.self)
    }
  }

  @Test("without a passcode nobody can prove it, and nothing asks for it")
  func withoutPasscode() throws {
    let device = SimulatedDevice()
    _ = try device.ask(RequirePresence(), in: contextName(noContext), for: Done.self)
  }
}
