import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Contexts")
struct ContextTests {
  @Test("a context that is not there, or is there already, is refused")
  func identity() throws {
    let device = SimulatedDevice()
    #expect(try device.failure(GetContextEvidence(context: 1)) == .invalidContext)
    try device.openContext(1)
    #expect(try device.failure(OpenContext(context: 1)) == .errSecParam)
    try device.send(CloseContext(context: 1))
    #expect(try device.failure(GetContextEvidence(context: 1)) == .invalidContext)
    try device.send(CloseContext(context: 1))
  }

  @Test("a context made again under a number begins empty")
  func beginsEmpty() throws {
    let device = try SimulatedDevice.withPasscode()
    try device.givePasscode()
    try device.openContext(7000)
    #expect(try device.evidence(of: 7000).isEmpty)
  }

  @Test("the number of contexts is limited")
  func limited() throws {
    let device = SimulatedDevice()
    for id in 1...UInt64(ContextLimits.ofConnection) {
      try device.send(OpenContext(context: id))
    }
    #expect(try device.failure(OpenContext(context: noContext)) == .errSecParam)
    #expect(try device.failure(OpenContext(context: 9_999_999)) == .busy)
    try device.send(CloseContext(context: 3))
    try device.send(OpenContext(context: 9_999_999))
  }

  @Test("closing a context ends its sessions")
  func endsSessions() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    try device.send(CloseContext(context: 1))
    #expect(try device.touch(session, SimulatedFinger.owner.later) == nil)
  }

  @Test("E4: evidence names the finger that matched, and is gone after a restart")
  func evidenceNames() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    try device.match(1, SimulatedFinger.owner.later)
    let evidence = try device.ask(GetContextEvidence(context: 1), for: ContextEvidence.self)
    #expect(evidence == ContextEvidence(evidence: .biometry, finger: "right-index", matchAge: 0))
    device.restart()
    #expect(try device.failure(GetContextEvidence(context: 1)) == .invalidContext)
  }
}
