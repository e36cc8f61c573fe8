import Protocol
import Testing

@testable import EnclaveEngine

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
