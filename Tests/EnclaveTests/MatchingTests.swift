import AuthcoreABI
import FingerprintMatching
import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Matching")
struct MatchingTests {
  private let stranger = SimulatedFinger.stranger.later
  private let owner = SimulatedFinger.owner.later

  @Test("E2: the enclave matches the owner's finger and says which one it was")
  func ownerMatches() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    for print in SimulatedFinger.owner.laterTouches {
      guard case .matched(let finger, let score?, let threshold) = try device.match(1, print) else {
        Issue.record("the owner's finger did not match")
        continue
      }
      #expect(finger == "right-index")
      #expect(threshold == PrintMatcher.threshold && score >= threshold)
    }
  }

  @Test("E2, E5: a stranger's print is refused, counts and proves nothing")
  func strangerMisses() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    guard
      case .missed(let score?, let threshold, let misses, let isLockedOut, _) =
        try device.match(1, stranger)
    else {
      Issue.record("a stranger's finger was not refused")
      return
    }
    #expect(score < threshold)
    #expect(misses == 1)
    #expect(!isLockedOut)
    #expect(try device.evidence(of: 1).isEmpty)
    #expect(try device.status.misses == 1)
  }

  @Test("E5: five misses in a row lock out, in this and every later enclave, until the passcode")
  func lockout() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let outcomes = try (0..<5).map { _ in try device.match(1, stranger) }
    guard case .missed(_, _, 5, true, _) = outcomes[4],
      case .missed(_, _, 4, false, _) = outcomes[3]
    else {
      Issue.record("the fifth miss did not lock out: \(outcomes)")
      return
    }
    #expect(
      try device.failure(BeginMatch(session: 900, channel: 1, context: 1)) == .biometryLockout)
    device.restart()
    #expect(try device.status.isLockedOut)
    #expect(try device.status.misses == 5)
    try device.unlock()
    #expect(try device.status.isLockedOut == false)
    try device.openContext(1)
    #expect(try device.match(1, owner)?.isMatch == true)
  }

  @Test("a match sets misses back")
  func matchForgives() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    for _ in 0..<4 { try device.match(1, stranger) }
    try device.match(1, owner)
    #expect(try device.status.misses == 0)
    device.restart()
    #expect(try device.status.misses == 0)
  }

  @Test("a touch counts before it is compared: ending the enclave at any moment saves no try")
  func countedFirst() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    var eventsAtFirstWrite: Int?
    var files: [String: [UInt8]] = [:]
    device.platform.onWrite = { _ in
      guard eventsAtFirstWrite == nil else { return }
      eventsAtFirstWrite = device.platform.events.count
      files = device.platform.files
    }
    let before = device.platform.events.count
    try device.touch(session, owner)
    #expect(eventsAtFirstWrite == before)
    #expect(try SimulatedDevice(SimulatedPlatform(files: files)).status.misses == 1)
    #expect(try device.status.misses == 0)
  }

  @Test("where a touch cannot be recorded it is not compared, and the session ends")
  func fullDisk() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    device.platform.writesLeft = 0
    guard case .failed(let failure) = try device.touch(session, owner) else {
      Issue.record("the touch was compared")
      return
    }
    #expect(failure.code == .storageFailed)
    #expect(try device.evidence(of: 1).isEmpty)
    #expect(try device.touch(session, owner) == nil)
  }

  @Test("a match whose record cannot be cleared is a match all the same")
  func fullDiskAfterwards() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    device.platform.writesLeft = 1
    #expect(try device.touch(session, owner)?.isMatch == true)
    #expect(try device.evidence(of: 1) == .biometry)
    #expect(device.platform.logged.count == 1)
  }

  @Test("a frame without ridges is refused and does not count")
  func blank() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    let writes = device.platform.writes
    for _ in 0..<10 { #expect(try device.touch(session, .blank) == .retry(reason: 1)) }
    #expect(device.platform.writes == writes)
    #expect(try device.touch(session, owner)?.isMatch == true)
  }

  @Test("what the sensor asks for is passed on and does not count")
  func retry() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    try device.awaitTouch(session)
    try device.send(SensorRetry(channel: 1, session: session, reason: AC_RETRY_TOO_DRY.asStatus))
    #expect(device.platform.events.last?.outcome == .retry(reason: AC_RETRY_TOO_DRY.asStatus))
    #expect(try device.status.misses == 0)
  }

  @Test("the end of a capture is passed on to its session, the end of a channel to all of its own")
  func ends() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let first = try device.beginMatch(1)
    let second = try device.beginMatch(1)
    try device.awaitTouch(first)
    try device.send(
      SensorEnd(channel: 1, session: first, status: AC_ERR_TIMEOUT.asStatus, message: "late"))
    #expect(
      device.platform.events.last
        == TouchEvent(
          session: first, outcome: .ended(status: AC_ERR_TIMEOUT.asStatus, message: "late")))
    let before = device.platform.events.count
    try device.send(
      SensorEnd(channel: 1, session: 0, status: AC_ERR_GONE.asStatus, message: "gone"))
    #expect(device.platform.events.dropFirst(before).map(\.session) == [first, second])
    try device.send(
      SensorEnd(channel: 9, session: 0, status: AC_ERR_GONE.asStatus, message: "gone"))
    #expect(device.platform.events.count == before + 2)
  }

  @Test("frames of another channel, of no session or of an ended one are nothing")
  func foreignFrames() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    try device.awaitTouch(session)
    let before = device.platform.events.count
    try device.send(owner.frame(channel: 9, session: session))
    try device.send(owner.frame(channel: 1, session: session + 1))
    try device.send(SensorRetry(channel: 9, session: session, reason: 1))
    try device.send(EndSession(session: session))
    try device.send(owner.frame(channel: 1, session: session))
    #expect(device.platform.events.count == before)
    #expect(try device.status.misses == 0)
  }

  @Test("a session ends with its match: a second frame is nothing")
  func oneMatch() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    #expect(try device.touch(session, owner)?.isMatch == true)
    #expect(try device.touch(session, stranger) == nil)
    #expect(try device.status.misses == 0)
  }

  @Test("a synthetic finger never matches frames of a real sensor, nor the other way round")
  func kinds() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    try device.send(OpenChannel(channel: 2, isSynthetic: false))
    let none = try device.failure(BeginMatch(session: 900, channel: 2, context: 1))
    #expect(none == .biometryNotEnrolled)
    try device.enroll(.ownersOther, name: "real", isSynthetic: false)
    let status = try device.status
    #expect(status.realFingers == 1)
    #expect(status.syntheticFingers == 1)
    #expect(try device.match(1, owner, isSynthetic: false)?.isMiss == true)
    #expect(try device.match(1, SimulatedFinger.ownersOther.later)?.isMiss == true)
    let real = try device.match(1, SimulatedFinger.ownersOther.later, isSynthetic: false)
    #expect(real?.isMatch == true)
  }

  @Test("a match needs a context, a channel, a session of its own and an enrolled finger")
  func beginning() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    let codes = [
      try device.failure(BeginMatch(session: 900, channel: 1, context: 2)),
      try device.failure(BeginMatch(session: 900, channel: 8, context: 1)),
      try device.failure(BeginMatch(session: session, channel: 1, context: 1)),
    ]
    #expect(codes == [.invalidContext, .errSecParam, .errSecParam])
    let bare = try SimulatedDevice.withPasscode()
    try bare.openContext(1)
    try bare.send(OpenChannel(channel: 1, isSynthetic: true))
    let code = try bare.failure(BeginMatch(session: 1, channel: 1, context: 1))
    #expect(code == .biometryNotEnrolled)
  }

  @Test("a closed channel ends its sessions and can be opened as another kind")
  func closedChannel() throws {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    let session = try device.beginMatch(1)
    try device.send(CloseChannel(channel: 1))
    #expect(try device.touch(session, owner) == nil)
    try device.send(OpenChannel(channel: 1, isSynthetic: false))
    #expect(try device.failure(OpenChannel(channel: 1, isSynthetic: true)) == .errSecParam)
  }
}

extension Int {
  /// An `AC_…` constant as it crosses walls.
  fileprivate var asStatus: Int32 { Int32(truncatingIfNeeded: self) }
}
