import EngineKit
import Testing
import Wire

@testable import EnclaveEngine

@Suite("Matching")
struct MatchingTests {
  @Test("E2: the enclave matches the owner's finger and says which one it was")
  func ownerMatches() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    for print in SimulatedFinger.owner.laterTouches {
      guard case .matched(let finger, let score) = try device.match(1, print) else {
        Issue.record("the owner's finger did not match")
        continue
      }
      #expect(finger == "right-index")
      let threshold = try device.status.matchThreshold
      #expect(score >= threshold)
    }
  }

  @Test("E2: a stranger's print is refused and counts")
  func strangerMisses() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    guard
      case .missed(let score, let misses, let isLockedOut) = try device.match(
        1, SimulatedFinger.stranger.later)
    else {
      Issue.record("a stranger's finger was not refused")
      return
    }
    let threshold = try device.status.matchThreshold
    #expect(score < threshold)
    #expect(misses == 1)
    #expect(!isLockedOut)
    let evidence = try device.evidence(of: 1)
    #expect(evidence.isEmpty)
  }
}
