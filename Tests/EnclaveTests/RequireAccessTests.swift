import Protocol
import Testing

@testable import EnclaveEngine

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
    try device.send(OpenContext(context: contextName(1), reuseSeconds: 0, outlivesRequest: true))
    try device.match(1, SimulatedFinger.owner.later)
    try device.send(LockDevice())
    #expect(try device.failure(message, in: 1) == .invalidContext)
  }
}
