import Protocol
import Testing

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
