import FingerprintMatching
import Protocol
import Testing

@testable import EnclaveEngine

@Suite("What a driver sends unasked, and what it could learn")
struct UnaskedFrameTests {
  private let stranger = SimulatedFinger.stranger.later

  @Test(
    "E5: two frames for one requested touch count one miss, and none counts that nobody asked for")
  func oneFrame() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    try device.send(stranger.frame(channel: 1, session: session))
    #expect(try device.status.misses == 0)
    try device.awaitTouch(session)
    for _ in 0..<3 { try device.send(stranger.frame(channel: 1, session: session)) }
    #expect(try device.status.misses == 1)
    #expect(device.platform.events.count { $0.outcome.isMiss } == 1)
    try device.send(SimulatedFinger.owner.later.frame(channel: 1, session: session))
    try device.send(SensorRetry(channel: 1, session: session, reason: 2))
    try device.send(SensorEnd(channel: 1, session: session, status: 100, message: ""))
    #expect(device.platform.events.count { $0.session == session } == 1)
    #expect(try device.evidence(of: 1).isEmpty)
    try device.awaitTouch(session)
    try device.send(SimulatedFinger.owner.later.frame(channel: 1, session: session))
    #expect(try device.evidence(of: 1) == .biometry)
  }

  @Test("a touch is awaited in a session that there is")
  func noSession() throws {
    let device = try EnrolledDevice.unlocked()
    #expect(try device.failure(AwaitTouch(session: 77)) == .errSecParam)
  }

  @Test("the score is told to who tests a finger of an unlocked device, and to nobody else")
  func scores() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    for (isTest, isLocked) in [(true, false), (false, false), (true, true), (false, true)] {
      if isLocked { try device.send(LockDevice()) } else { try device.unlock() }
      for (number, print) in [stranger, SimulatedFinger.owner.later].enumerated() {
        let session = UInt64(500 + number)
        _ = try device.failure(OpenChannel(channel: 1, isSynthetic: true))
        try device.send(
          BeginMatch(session: session, channel: 1, context: 1, tellsScore: isTest))
        switch try device.touch(session, print) {
        case .matched(_, let score, _), .missed(let score, _, _, _):
          #expect((score != nil) == (isTest && !isLocked), "\(isTest), \(isLocked)")
        case let other: Issue.record("nothing was compared: \(String(describing: other))")
        }
        try device.send(EndSession(session: session))
      }
    }
    for line in device.platform.logged { #expect(!line.contains("score")) }
  }

  @Test(
    "the comparison for duplicates is no oracle: a passcode gives one enrollment, a match ends it")
  func duplicates() throws {
    let device = try EnrolledDevice.unlocked()
    let session = try device.beginEnrollment()
    let request = BeginEnrollment(session: 900, channel: 1, context: 7000, name: "")
    #expect(try device.failure(request) == .authenticationFailed)
    #expect(
      try device.touch(session, SimulatedFinger.owner.later) == .duplicate(finger: "right-index"))
    #expect(try device.touch(session, SimulatedFinger.owner.later) == nil)
    #expect(try device.failure(request) == .authenticationFailed)
  }

  @Test("an enrollment takes at most 60 frames")
  func bounded() throws {
    let device = try EnrolledDevice.unlocked()
    let session = try device.beginEnrollment()
    for _ in 0..<60 {
      guard case .refused = try device.touch(session, .blank) else {
        Issue.record("a blank frame was used")
        return
      }
    }
    guard case .failed(let failure) = try device.touch(session, .blank) else {
      Issue.record("a 61st frame was looked at")
      return
    }
    #expect(failure.code == .enrolmentIncomplete)
    #expect(try device.touch(session, .blank) == nil)
  }

  @Test("what a driver says steers nobody's terminal")
  func words() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    try device.awaitTouch(session)
    try device.send(
      SensorEnd(
        channel: 1, session: session, status: 100, message: "no\u{202E}evil \u{1B}[2J\nfine é"))
    #expect(
      device.platform.events.last?.outcome
        == .ended(status: 100, message: "no\u{FFFD}evil \u{FFFD}[2J\u{FFFD}fine é"))
  }
}
